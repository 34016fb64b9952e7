#include "experiments/job/step_window.hpp"

#include <algorithm>
#include <chrono>

namespace railgauge::runner {
namespace {

std::chrono::nanoseconds duration_of(double us) {
  return std::chrono::round<std::chrono::nanoseconds>(
      std::chrono::duration<double, std::micro>(us));
}

}  // namespace

void StepTimes::add(const TimedStep& step) {
  time_.record(duration_of(step.time_us));
  compute_.record(duration_of(step.compute_us));
  exposed_.record(duration_of(step.time_us - step.compute_us));
  communication_.record(duration_of(step.communication_us));
  overlapped_.record(duration_of(step.overlapped_us));
}

void StepTimes::clear() {
  for (measure::Histogram* one : {&time_, &compute_, &exposed_, &communication_, &overlapped_})
    one->clear();
}

std::optional<double> StepTimes::overlap_percent() const {
  constexpr double kPercent = 100;
  const double us = communication_us();
  if (us <= 0) return std::nullopt;
  return kPercent * std::min(1.0, overlapped_.quantile_us(kMedian) / us);
}

void StepWindow::add(const TimedStep& step) {
  if (is_empty()) row_.begin_s = step.begin_s;
  ++row_.steps;
  times_.add(step);
  ++slowest_[step.slowest_rank];
  if (step.waited) {
    Waits& waits = waits_[{step.waited->rank, step.waited->operation}];
    ++waits.steps;
    waits.us += step.waited->us;
  }
  if (!step.wrong) return;
  ++row_.verified;
  row_.wrong = row_.wrong.value_or(0) + *step.wrong;
}

results::JobStep StepWindow::take() {
  constexpr unsigned kMedian = 500;
  constexpr unsigned kP99 = 990;
  results::JobStep row = row_;
  row.running = running_;
  row.time_us = times_.time().quantile_us(kMedian);
  row.p99_us = times_.time().quantile_us(kP99);
  row.max_us = times_.time().max_us();
  row.compute_us = times_.compute_us();
  row.exposed_us = times_.exposed_us();
  row.overlap_percent = times_.overlap_percent();
  const auto steps = [](const auto& of_rank) { return of_rank.second; };
  row.slowest_rank = std::ranges::max_element(slowest_, {}, steps)->first;
  add_wait(row);
  row_ = {.step = row.step + row.steps, .steps = 0};
  times_.clear();
  slowest_.clear();
  waits_.clear();
  return row;
}

/// The longest of all steps together.
void StepWindow::add_wait(results::JobStep& row) const {
  if (waits_.empty()) return;
  const auto& [whom, waits] =
      *std::ranges::max_element(waits_, {}, [](const auto& one) { return one.second.us; });
  row.waited_rank = whom.first;
  row.waited_operation = job_.operations[whom.second].name;
  row.waited_us = waits.us / static_cast<double>(waits.steps);
}

}  // namespace railgauge::runner
