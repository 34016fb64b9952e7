#include "soak/step.hpp"

#include <algorithm>

namespace railgauge::soak {
namespace {

double median_of(const std::deque<float>& past) {
  std::vector<float> sorted(past.begin(), past.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

/// Of the medians of as many values in a row.
double highest_median(const std::deque<float>& past, std::size_t run) {
  double highest = past.front();
  std::vector<float> sorted(run);
  for (std::size_t begin = 0; begin + run <= past.size(); ++begin) {
    const auto first = past.begin() + static_cast<std::ptrdiff_t>(begin);
    std::copy_n(first, run, sorted.begin());
    std::ranges::sort(sorted);
    const double median = sorted[run / 2];
    highest = begin == 0 ? median : std::max(highest, median);
  }
  return highest;
}

}  // namespace

void StepDetector::add(double value) {
  past_.push_back(static_cast<float>(value));
  if (past_.size() > kPast) past_.pop_front();
}

/// What was above is of the past now: it was noise, or is the level from now on.
void StepDetector::accept() {
  for (const Value& one : above_) add(one.value);
  above_.clear();
}

double StepDetector::median_of_run() const {
  std::vector<double> last;
  const std::size_t count = std::min(above_.size(), run_);
  for (auto one = above_.end() - static_cast<std::ptrdiff_t>(count); one != above_.end(); ++one) {
    last.push_back(one->value);
  }
  std::ranges::sort(last);
  return last[last.size() / 2];
}

Step StepDetector::step(double median) const {
  const double by = median - level_;
  const auto first =
      std::ranges::find_if(above_, [&](const Value& one) { return one.value - level_ > by / 2; });
  return {first->window, by};
}

std::optional<Step> StepDetector::take(std::uint64_t window, double value, double least) {
  if (past_.size() < enough_) {
    add(value);
    return std::nullopt;
  }
  level_ = median_of(past_);
  if (value - level_ < least / 2) {
    if (raised_) above_.clear();  // a step that is over is no measure of noise
    raised_ = false;
    accept();
    add(value);
    return std::nullopt;
  }
  above_.push_back({window, value});
  if (above_.size() >= kAccepted) {
    if (raised_) past_.clear();
    raised_ = false;
    accept();
  }
  if (raised_ || above_.size() < run_) return std::nullopt;
  const double median = median_of_run();
  if (median < highest_median(past_, run_) + least) return std::nullopt;
  raised_ = true;
  return step(median);
}

std::optional<double> StepDetector::level() const {
  return past_.size() < enough_ ? std::nullopt : std::optional(median_of(past_));
}

double StepDetector::excess() const {
  return above_.empty() ? 0 : median_of_run() - level_;
}

}  // namespace railgauge::soak
