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
/// Marks where nothing was to be marked.
[[nodiscard]] std::vector<finding::Finding> of_marks(std::span<const Step> steps,
                                                     const Policy& policy);
/// CNPs that receivers do not send, that senders do not get, or that do not slow them down.
[[nodiscard]] std::vector<finding::Finding> of_notifications(std::span<const Step* const> steps,
                                                             const Policy& policy);
/// Pauses that a host does not obey. Only counters of switches tell.
[[nodiscard]] std::vector<finding::Finding> of_pauses(std::span<const Step* const> steps,
                                                      const Policy& policy);
/// Shares of the senders, and a sender that does not react.
[[nodiscard]] std::vector<finding::Finding> of_shares(std::span<const Step* const> steps,
                                                      const Policy& policy);
/// A class that switches change on the path. Only counters of switches tell.
[[nodiscard]] std::vector<finding::Finding> of_classes(std::span<const Step* const> steps,
                                                       const Policy& policy);
/// A victim that has less next to the incast than alone.
[[nodiscard]] std::vector<finding::Finding> of_victims(std::span<const Step> steps,
                                                       const Policy& policy);

}  // namespace railgauge::congestion
