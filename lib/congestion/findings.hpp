#pragma once

#include <span>
#include <vector>

#include "congestion/observation.hpp"
#include "congestion/policy.hpp"
#include "congestion/verdict.hpp"
#include "finding/outcome.hpp"

namespace railgauge::congestion {

/// All that steps of one test say, void ones left out: what their verdict means, and coverage, by
/// which a void test does not pass.
[[nodiscard]] finding::Report report_of(std::span<const Step> steps, const Policy& policy = {});

// Its parts. Each finding names its place, what was counted and by whom, and what to do.

/// Of PFC_FIRST, PFC_ONLY and DROPPING.
[[nodiscard]] std::vector<finding::Finding> of_verdict(std::span<const Step* const> steps,
                                                       const Judged& judged, const Policy& policy);
/// Switches that pause and do not mark, or mark later. Only counters of switches tell.
[[nodiscard]] std::vector<finding::Finding> of_unmarked(std::span<const Step* const> steps);
/// Marks where nothing was to be marked.
[[nodiscard]] std::vector<finding::Finding> of_marks(std::span<const Step> steps);
/// CNPs that receivers do not send, that senders do not get, or that do not slow them down.
[[nodiscard]] std::vector<finding::Finding> of_notifications(std::span<const Step* const> steps);
/// Pauses that a host does not obey. Only counters of switches tell.
[[nodiscard]] std::vector<finding::Finding> of_pauses(std::span<const Step* const> steps);
/// Shares of the senders, a sender that does not react, and one that a switch prefers.
[[nodiscard]] std::vector<finding::Finding> of_shares(std::span<const Step> steps);
/// Hosts that pause their switch: below the line rate an error.
[[nodiscard]] std::vector<finding::Finding> of_host_pauses(std::span<const Step> steps);
/// A class that switches change on the path: in which of them, by their counters; else that it
/// arrives changed, by those of NICs.
[[nodiscard]] std::vector<finding::Finding> of_classes(std::span<const Step* const> steps);
/// A victim that has less next to the incast than alone.
[[nodiscard]] std::vector<finding::Finding> of_victims(std::span<const Step> steps);
/// Flows that have less than their path predicts, and the link that all of these have in common;
/// flows that share links by the fabric's hash.
[[nodiscard]] std::vector<finding::Finding> of_paths(std::span<const Step> steps);
/// A traffic class of its own that does not keep a small flow from the delay of bulk.
[[nodiscard]] std::vector<finding::Finding> of_separation(std::span<const Step> steps);
/// Less bandwidth between halves than hosts send.
[[nodiscard]] std::vector<finding::Finding> of_oversubscription(std::span<const Step> steps,
                                                                const Policy& policy);
/// The smallest burst that is dropped.
[[nodiscard]] std::vector<finding::Finding> of_bursts(std::span<const Step> steps);
/// Flows that do not come to fair shares.
[[nodiscard]] std::vector<finding::Finding> of_convergence(std::span<const Step> steps);
/// Flows that a broken link stops for long, or for good.
[[nodiscard]] std::vector<finding::Finding> of_failure(std::span<const Step> steps);

}  // namespace railgauge::congestion
