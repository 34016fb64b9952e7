#pragma once

#include <optional>
#include <vector>

#include "verdict/against.hpp"
#include "verdict/finding.hpp"
#include "verdict/policy.hpp"
#include "verdict/reference.hpp"
#include "verdict/run_set.hpp"
#include "verdict/terms.hpp"

namespace railgauge::verdict {

/// What a run_set is held to; several at once.
struct Criteria {
  std::vector<Reference> references{};
  bool line_rate = false;
  std::vector<RunSet> baselines{};
  std::vector<Policy> policies{};
  Terms terms{};
};

/// Everything there is to say of a run_set: first whether it is complete and right (it fails if
/// not, whatever its figures), then the dips of its curves, which have no verdict of their own,
/// then each criterion.
Judgement compared(const RunSet& run_set, const Criteria& criteria);

/// Everything there is to say of a reachability result: what it found against the fabric fails, and
/// nothing found passes. A baseline is compared path by path, by bandwidth: one that was reached
/// then and is not now fails, and so does one that is slower by more than the tolerance, unless it
/// would not be in all the time, of which its ends ran a part: that has no answer, as what the
/// result itself does not know, and what only collectives can be held to.
Findings of_reachability(const results::ReachabilityBody& body, const Criteria& criteria);

/// Everything there is to say of a test of pairs: what it found against the fabric fails, what it
/// could not tell has no answer, and else it passes. A baseline is compared way by way: one that
/// worked then and does not now fails; so does bandwidth that is lower by more than the tolerance;
/// and latency if it is distributed otherwise, which means that a two-sample Kolmogorov-Smirnov
/// test of the quantiles of both rejects that they are alike (1 %, and by more than the quantiles
/// leave open), and the median is longer by more than the tolerance. What only collectives can be
/// held to has no answer; nor has line rate, which ways of hardware were held to as they were
/// measured.
Findings of_pairs(const results::PairsBody& body, const Criteria& criteria, bool software = false);

/// Everything there is to say of a soak: its own verdict with its reasons. A baseline is compared
/// phase by phase: slower at the median by more than the tolerance fails, and so does a 99.9th
/// percentile that is longer by more than a quarter, and a kind of event that the baseline does not
/// have. Policies are about its counters.
Findings of_soak(const RunSet& run_set, const Criteria& criteria);

/// Everything there is to say of a search for a bad component: its own verdict in its own words,
/// suspects as far as they are sure. There is nothing to compare it with.
Findings of_isolate(const results::IsolateBody& body, const Criteria& criteria);

}  // namespace railgauge::verdict
