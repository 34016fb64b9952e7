#include "runner/isolation/flow_test.hpp"

#include <algorithm>
#include <cmath>

namespace railgauge::runner {
namespace {

constexpr std::uint32_t kSmallBytes = 8;
/// A little more than the retries of a sender take, which then knows better why: a receiver that
/// waits longer makes all others wait.
constexpr std::chrono::milliseconds kPatience{1300};
constexpr std::size_t kMostSmallWrites = 1000;
/// Of the time, for small writes.
constexpr int kSmallShare = 10;

/// How much is under way: more than a fabric holds, so that its slowest link is always busy, and
/// less than its buffers. Software devices have links that are slower by a thousand.
struct Load {
  std::uint32_t bytes;  // of a write
  std::uint64_t window;
};

Load load_of(const verbs::Port& port) {
  if (port.software) return {.bytes = 16 * 1024, .window = 4};
  return {.bytes = ProbedNic::kBytes, .window = 8};
}

verbs::QueuePairSettings settings_of(const FlowSettings& settings) {
  return {.send_depth = 32,
          .receive_depth = 1,
          .inline_bytes = kSmallBytes,
          .traffic_class = settings.traffic_class,
          .flow_label = settings.flow_label};
}

double seconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

double quantile(const std::vector<double>& sorted, double share) {
  const auto place =
      static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::clamp<std::size_t>(place, 1, sorted.size()) - 1];
}

}  // namespace

FlowTest::FlowTest(ProbedNic& nic, End end, const FlowSettings& settings)
    : ProbeEnd(nic, settings_of(settings), settings.time, kPatience),
      end_(end),
      settings_(settings) {
  times_us_.reserve(kMostSmallWrites);
}

void FlowTest::begin() {
  if (sends()) write_small();
}

void FlowTest::take(const verbs::Completion& /*completion*/, bool /*of_stream*/) {
  if (sends()) return acknowledged();
  finish();  // the sender is done
}

void FlowTest::acknowledged() {
  switch (phase_) {
    case Phase::small_writes:
      times_us_.push_back(
          std::chrono::duration<double, std::micro>(progress() - posted_at_).count());
      write_small();
      break;
    case Phase::stream:
      ++done_;
      go_on_streaming();
      break;
    case Phase::parting: finish(); break;
  }
}

void FlowTest::write_small() {
  const bool enough = times_us_.size() == kMostSmallWrites ||
                      (!times_us_.empty() && progress() - began() > settings_.time / kSmallShare);
  if (enough) return begin_stream();
  posted_at_ = Clock::now();
  write(kSmallBytes, false);
}

void FlowTest::begin_stream() {
  std::ranges::sort(times_us_);
  outcome_.p50_us = quantile(times_us_, 0.5);
  outcome_.p99_us = quantile(times_us_, 0.99);
  phase_ = Phase::stream;
  stream_began_ = Clock::now();
  go_on_streaming();
}

/// The window opens by one with every acknowledgement. The clock of the rate starts when it is
/// open.
void FlowTest::go_on_streaming() {
  const Load load = load_of(port());
  const auto now = Clock::now();
  if (first_burst_ == 0 && done_ >= load.window) {
    first_burst_ = done_;
    rate_began_ = now;
  }
  while (now - stream_began_ < settings_.time && !is_over() &&
         posted_ - done_ < std::min(load.window, 1 + done_)) {
    write(load.bytes, true);
    ++posted_;
  }
  if (!is_over() && posted_ == done_) end_stream();
}

/// Of a link so slow that the window never opened all counts.
void FlowTest::end_stream() {
  constexpr double kBytesPerGigabyte = 1e9;
  if (first_burst_ == 0 || first_burst_ == done_) {
    first_burst_ = 0;
    rate_began_ = stream_began_;
  }
  const double bytes =
      static_cast<double>(done_ - first_burst_) * static_cast<double>(load_of(port()).bytes);
  outcome_.gigabytes_per_second = bytes / kBytesPerGigabyte / seconds(progress() - rate_began_);
  phase_ = Phase::parting;
  write_with_immediate(0, 0);
}

FlowOutcome FlowTest::outcome() const {
  FlowOutcome outcome = outcome_;
  outcome.reason = reason();
  return outcome;
}

}  // namespace railgauge::runner
