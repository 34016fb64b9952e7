#include "soak/standing.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace railgauge::soak {
namespace {

std::chrono::nanoseconds duration_of(double us) {
  return std::chrono::round<std::chrono::nanoseconds>(
      std::chrono::duration<double, std::micro>(us));
}

double median_of(const measure::Histogram& values) {
  constexpr unsigned kHalf = 500;
  return values.count() == 0 ? 0 : values.quantile_us(kHalf);
}

std::uint64_t bytes_of(const PhaseSample& sample) {
  std::uint64_t bytes = 0;
  for (const RailSample& rail : sample.rails) bytes += rail.bytes;
  return bytes;
}

}  // namespace

void Baseline::take(Window& window, double measured_s) {
  for (PhaseSample& sample : window.phases) {
    if (sample.p50_us <= 0 || sample.phase >= medians_.size()) continue;
    measure::Histogram& medians = medians_[sample.phase];
    if (measured_s < kSeconds || medians.count() == 0) medians.record(duration_of(sample.p50_us));
    sample.jct_ratio = sample.p50_us / median_of(medians);
  }
}

std::vector<double> Baseline::microseconds() const {
  std::vector<double> all;
  all.reserve(medians_.size());
  for (const measure::Histogram& medians : medians_) all.push_back(median_of(medians));
  return all;
}

Totals::Totals(const std::vector<Phase>& plan) : phases_(plan.size()) {
  for (std::size_t i = 0; i < plan.size(); ++i) phases_[i].row.phase = plan[i];
}

void Totals::take(const Window& window) {
  for (const PhaseSample& sample : window.phases) {
    if (sample.phase < phases_.size()) phases_[sample.phase].take(sample);
  }
}

void Totals::OfPhase::take(const PhaseSample& sample) {
  row.iterations += sample.iterations;
  row.verified_iterations += sample.verified;
  row.wrong += sample.wrong;
  row.bytes += bytes_of(sample);
  row.max_us = std::max(row.max_us, sample.slowest.us);
  if (sample.p50_us <= 0) return;
  p50.record(duration_of(sample.p50_us));
  p99.record(duration_of(sample.p99_us));
  p999.record(duration_of(sample.p999_us));
  busbw_us = sample.busbw_gigabytes_per_second * sample.p50_us;
  if (sample.jct_ratio) take_ratio(*sample.jct_ratio);
}

void Totals::OfPhase::take_ratio(double ratio) {
  row.jct_ratio = ratio;
  ratios += 1;
  const double off = ratio - mean;
  mean += off / ratios;
  squares += off * (ratio - mean);
}

results::SoakRow Totals::OfPhase::so_far() const {
  results::SoakRow done = row;
  done.p50_us = median_of(p50);
  done.p99_us = median_of(p99);
  done.p999_us = median_of(p999);
  if (done.p50_us > 0) done.busbw_gigabytes_per_second = busbw_us / done.p50_us;
  if (ratios > 1) done.jct_ratio_deviation = std::sqrt(squares / (ratios - 1));
  return done;
}

std::vector<results::SoakRow> Totals::rows() const {
  std::vector<results::SoakRow> all;
  all.reserve(phases_.size());
  for (const OfPhase& phase : phases_) all.push_back(phase.so_far());
  return all;
}

Standing::Standing(const Header& header)
    : run_(header.run),
      watcher_(header),
      judge_(header),
      baseline_(header.plan.size()),
      totals_(header.plan),
      until_(header.started) {}

std::vector<Event> Standing::take(Window& window) {
  baseline_.take(window, measured_s_);
  take_whole(window);
  std::vector<Event> seen = watcher_.take(window);
  for (const Event& event : seen) take_event(event);
  return seen;
}

std::vector<Event> Standing::take(const Gap& gap) {
  gaps_.push_back(gap);
  judge_.take(gap);
  std::vector<Event> seen = watcher_.take(gap);
  for (const Event& event : seen) take_event(event);
  return seen;
}

void Standing::take_again(Line line) {
  if (auto* const window = std::get_if<Window>(&line)) {
    baseline_.take(*window, measured_s_);
    take_whole(*window);
    (void)watcher_.take(*window);
  } else if (const auto* const gap = std::get_if<Gap>(&line)) {
    gaps_.push_back(*gap);
    judge_.take(*gap);
    (void)watcher_.take(*gap);
  } else if (const auto* const event = std::get_if<Event>(&line)) {
    take_event(*event);
  }
}

void Standing::take_whole(const Window& window) {
  totals_.take(window);
  judge_.take(window);
  last_window_ = window.number;
  measured_s_ += window.length_s;
  const std::chrono::duration<double> length(window.length_s);
  until_ = window.start + std::chrono::round<std::chrono::system_clock::duration>(length);
}

void Standing::take_event(const Event& event) {
  judge_.take(event);
  ++events_;
  if (first_events_.size() < results::SoakBody::kMostEvents) first_events_.push_back(event);
}

void Standing::fill(results::SoakBody& body) const {
  body.run = run_;
  body.judgement = judge_.judgement();
  body.events = first_events_;
  body.events_seen = events_;
  body.gaps = gaps_;
  body.rows = totals_.rows();
}

void Standing::fill(State& state) const {
  state.run = run_;
  state.last_window = last_window_;
  state.measured_s = measured_s_;
  state.baseline_us = baseline_.microseconds();
  state.judgement = judge_.judgement();
  state.events = events_;
}

}  // namespace railgauge::soak
