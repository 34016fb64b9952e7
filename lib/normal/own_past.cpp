#include "normal/own_past.hpp"

#include <algorithm>

#include "measure/statistics.hpp"

namespace railgauge::normal {
namespace {

double median_of(const std::deque<float>& past) {
  return measure::median(std::vector<double>(past.begin(), past.end()));
}

}  // namespace

/// What was above is of the past now: it was noise, or is the level from now on.
void StepDetector::accept() {
  for (const Step& one : above_) past_.push_back(static_cast<float>(one.by));
  above_.clear();
  while (past_.size() > kPast) past_.pop_front();
}

double StepDetector::median_of_run() const {
  std::vector<double> last;
  const std::size_t count = std::min(above_.size(), run_);
  for (std::size_t at = above_.size() - count; at < above_.size(); ++at)
    last.push_back(above_[at].by);
  return measure::median(last);
}

/// Of the medians of as many values in a row.
double StepDetector::highest_median() const {
  std::vector<double> medians;
  for (auto first = past_.begin(); past_.end() - first >= static_cast<std::ptrdiff_t>(run_);
       ++first) {
    medians.push_back(
        measure::median(std::vector<double>(first, first + static_cast<std::ptrdiff_t>(run_))));
  }
  return *std::ranges::max_element(medians);
}

Step StepDetector::step(double median) const {
  const double by = median - level_;
  Step found =
      *std::ranges::find_if(above_, [&](const Step& one) { return one.by - level_ > by / 2; });
  found.by = by;
  return found;
}

std::optional<Step> StepDetector::take(std::uint64_t window, double value, double least,
                                       std::chrono::system_clock::time_point begin) {
  above_.push_back({window, begin, value});
  if (past_.size() < enough_) {
    accept();
    return std::nullopt;
  }
  level_ = median_of(past_);
  const bool above = value - level_ >= least / 2;
  if (!above || above_.size() >= kAccepted) {
    if (raised_ && above) past_.clear();
    // A step that is over is no measure of noise.
    if (raised_ && !above) above_.erase(above_.begin(), above_.end() - 1);
    raised_ = false;
    accept();
  }
  if (raised_ || above_.size() < run_) return std::nullopt;
  const double median = median_of_run();
  if (median < highest_median() + least) return std::nullopt;
  raised_ = true;
  return step(median);
}

std::optional<double> StepDetector::level() const {
  return past_.size() < enough_ ? std::nullopt : std::optional(median_of(past_));
}

double StepDetector::excess() const {
  return above_.empty() ? 0 : median_of_run() - level_;
}

}  // namespace railgauge::normal
