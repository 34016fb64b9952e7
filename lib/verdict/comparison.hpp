#pragma once

#include <vector>

#include "verdict/against.hpp"
#include "verdict/judgement.hpp"
#include "verdict/policy.hpp"
#include "verdict/prediction.hpp"
#include "verdict/reference.hpp"
#include "verdict/run_set.hpp"
#include "verdict/terms.hpp"

namespace railgauge::verdict {

/// What a run set is compared with; several at once.
struct Criteria {
  std::vector<Reference> references{};
  bool line_rate = false;
  std::vector<RunSet> baselines{};
  std::vector<Policy> policies{};
  std::vector<Prediction> predictions{};
  Terms terms{};
};

/// First what the run says of itself, with the dips of its curves as notes; then each criterion. A
/// reference or baseline that did not pass itself (it failed, was cut, has wrong data) is compared
/// all the same, since its figures may be good: that it did not stands beside the outcome.
/// The policies decide from where on a finding fails, of the run itself, too. References, line rate
/// and the rules of a policy are about curves; a result without curves leaves them open.
Judgement compared(const RunSet& run_set, const Criteria& criteria);

}  // namespace railgauge::verdict
