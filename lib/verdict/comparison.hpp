#pragma once

#include <optional>
#include <vector>

#include "verdict/against_reference.hpp"
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

}  // namespace railgauge::verdict
