#include "benchmarks/railgauge/criteria_options.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "benchmarks/railgauge/result_input.hpp"
#include "json/codec.hpp"
#include "verdict/library.hpp"
#include "verdict/logs/log.hpp"

namespace railgauge::benchmarks {
namespace {

verdict::RunSet run_set(const std::string& file) {
  return run_set_of(read_result(file).input, file);
}

verdict::Prediction prediction(const std::string& file) {
  try {
    return verdict::prediction_of(verdict::read_json(file), file);
  } catch (const json::FieldError& error) {
    throw std::runtime_error(file + ": " + error.what());
  }
}

/// "5%" or "5"; the value is the fraction, 0.05. 0 is one, too.
double tolerance_of(const std::string& word) {
  constexpr double kPercent = 100;
  const auto percent =
      verdict::number(word.ends_with('%') ? word.substr(0, word.size() - 1) : word);
  if (percent && *percent > 0 && *percent < 0.5)
    throw std::invalid_argument(word +
                                " is in percent, and less than any measurement repeats: for " +
                                std::to_string(std::lround(kPercent * *percent)) + " % write " +
                                std::to_string(std::lround(kPercent * *percent)) + "%");
  if (percent && *percent >= 0 && *percent < kPercent) return *percent / kPercent;
  throw std::invalid_argument("expected a percentage from 0 to below 100, such as 5%");
}

options::Syntax<double> tolerance() {
  return {"PERCENT", tolerance_of, options::percent().print};
}

}  // namespace

void CriteriaOptions::add_to(options::OptionTable& table) {
  table.repeated("--reference", references_, "NAME",
                 "Compare with a published system (see reference list) or a reference file");
  table.flag("--line-rate", line_rate_, "Require a plateau of at least 90 % of line rate");
  table.repeated("--baseline", baselines_, "PATH",
                 "Compare with an earlier result of the same ranks and hosts");
  table.repeated("--policy", policies_, "NAME",
                 "Apply a policy file, or strict, software-roce, vendor-thresholds");
  table.repeated("--prediction", predictions_, "PATH",
                 "Compare with the bands of a prediction (railgauge predict --json)");
  table.scalar("--tolerance", tolerance_, tolerance(), "Allowed regression");
  table.flag("--interpolate", interpolate_, "Interpolate sizes missing from the reference");
  table.flag("--absolute", absolute_, "Compare GB/s instead of the share of line rate");
  table.flag("--allow-no-reference", allow_no_reference_,
             "Exit 0 even if a criterion could not be evaluated");
}

bool CriteriaOptions::any() const {
  return line_rate_ || !references_.empty() || !baselines_.empty() || !policies_.empty() ||
         !predictions_.empty();
}

verdict::Criteria CriteriaOptions::criteria() const {
  const verdict::Library library(verdict::shipped_data());
  verdict::Criteria criteria;
  criteria.terms = {tolerance_, interpolate_, absolute_, {}};
  criteria.line_rate = line_rate_;
  for (const std::string& name : references_)
    criteria.references.push_back(library.reference(name));
  for (const std::string& file : baselines_) criteria.baselines.push_back(run_set(file));
  for (const std::string& file : predictions_) criteria.predictions.push_back(prediction(file));
  for (const std::string& name : policies_) criteria.policies.push_back(library.policy(name));
  criteria.terms.counted = counted_of(criteria.policies);
  return criteria;
}

results::ExitCode CriteriaOptions::exit_code(
    const std::vector<verdict::Judgement>& judgements) const {
  const bool passes = std::ranges::all_of(judgements, [&](const verdict::Judgement& judgement) {
    return outcome_of(judgement) == finding::Outcome::pass ||
           (allow_no_reference_ && passes_but_for_gaps(judgement));
  });
  return passes ? results::ExitCode::ok : results::ExitCode::verdict_failed;
}

}  // namespace railgauge::benchmarks
