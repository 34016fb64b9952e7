#include "benchmarks/railgauge/criteria_options.hpp"

#include <stdexcept>

#include "benchmarks/railgauge/result_input.hpp"
#include "verdict/library.hpp"
#include "verdict/logs/log.hpp"

namespace railgauge::benchmarks {
namespace {

using verdict::Verdict;

verdict::RunSet run_set(const std::string& file) {
  return run_set_of(read_result(file).input, file);
}

/// "5%" or "5".
double tolerance_of(std::string text) {
  constexpr double kPercent = 100;
  if (text.ends_with('%')) text.pop_back();
  const auto percent = verdict::number(text);
  if (!percent || *percent < 0 || *percent >= kPercent) {
    throw std::invalid_argument("--tolerance: '" + text + "' is no percentage below 100");
  }
  return *percent / kPercent;
}

/// What the policies say of the sizes that count; two may not say different things.
std::optional<verdict::CountedSizes> counted_of(const std::vector<verdict::Policy>& policies) {
  std::optional<verdict::CountedSizes> counted;
  for (const verdict::Policy& policy : policies) {
    if (!policy.counted) continue;
    if (counted && *counted != *policy.counted) {
      throw std::invalid_argument("--policy: policies differ in which sizes count: give one");
    }
    counted = policy.counted;
  }
  return counted;
}

}  // namespace

CriteriaOptions::CriteriaOptions(CLI::App& command) {
  command.add_option("--reference", references_, "Published system (`reference list`) or file")
      ->allow_extra_args(false);
  command.add_flag("--line-rate", line_rate_, "Plateau of at least 90 % of line rate");
  command.add_option("--baseline", baselines_, "Earlier result of the same ranks and hosts")
      ->allow_extra_args(false);
  command
      .add_option("--policy", policies_, "Policy file, or strict, software-roce, vendor-thresholds")
      ->allow_extra_args(false);
  command.add_option("--tolerance", tolerance_, "How much worse still passes")
      ->capture_default_str();
  command.add_flag("--interpolate", interpolate_, "Sizes that the other side lacks");
  command.add_flag("--absolute", absolute_, "Compare GB/s, whatever the NICs");
  command.add_flag("--allow-no-reference", allow_no_reference_,
                   "Exit with 0 although a question has no answer");
}

bool CriteriaOptions::any() const {
  return line_rate_ || !references_.empty() || !baselines_.empty() || !policies_.empty();
}

verdict::Criteria CriteriaOptions::criteria() const {
  const verdict::Library library(verdict::shipped_data());
  verdict::Criteria criteria;
  criteria.terms = {tolerance_of(tolerance_), interpolate_, absolute_, {}};
  criteria.line_rate = line_rate_;
  for (const std::string& name : references_)
    criteria.references.push_back(library.reference(name));
  for (const std::string& file : baselines_) criteria.baselines.push_back(run_set(file));
  for (const std::string& name : policies_) criteria.policies.push_back(library.policy(name));
  criteria.terms.counted = counted_of(criteria.policies);
  return criteria;
}

bool CriteriaOptions::passes(Verdict verdict) const {
  return verdict == Verdict::pass || (verdict == Verdict::no_reference && allow_no_reference_);
}

}  // namespace railgauge::benchmarks
