#include "runner/isolation/flow_test.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <system_error>

namespace railgauge::runner {
namespace {

constexpr std::uint32_t kSmallBytes = 8;
constexpr std::size_t kMostSmallWrites = 1000;
/// Of the time, for small writes.
constexpr int kSmallShare = 10;

// Beyond the time of the test, an end gives up that hears nothing, or too little.
constexpr std::chrono::seconds kFlowPatience{2};
constexpr std::chrono::seconds kLongestFlow{8};

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

/// A second and a bit until a silent peer is known: 4.096 us * 2^16 = 0.27 s, four times.
verbs::QueuePairSettings settings_of(const FlowSettings& settings) {
  return {.send_depth = 32,
          .receive_depth = 1,
          .inline_bytes = kSmallBytes,
          .traffic_class = settings.traffic_class,
          .flow_label = settings.flow_label,
          .ack_timeout = 16,
          .retries = 3};
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
    : nic_(nic), end_(end), settings_(settings), number_(++nic.probes) {
  times_us_.reserve(kMostSmallWrites);
  try {
    pending_.emplace(*nic.domain, nic.completions, nic.completions, nic.port,
                     settings_of(settings));
    const int error = end == End::receives ? pending_->post_receives(1, number_) : 0;
    if (error != 0) throw std::system_error(error, std::generic_category(), "ibv_post_recv");
  } catch (const std::system_error& error) {
    pending_.reset();
    fail(error.what());
  }
}

ProbeOffer FlowTest::offer() const {
  if (!pending_) return {};
  return {true, pending_->address(), verbs::remote_memory(*nic_.region)};
}

bool FlowTest::connect(const ProbeOffer& peer) {
  if (!pending_) return false;
  if (!peer.ready) {
    fail("the other end has no queue pair");
    return false;
  }
  there_ = {peer.memory.address, peer.memory.key};
  try {
    pair_.emplace(std::move(*pending_).connect(peer.address));
  } catch (const std::system_error& error) {
    fail(error.what());
  }
  return pair_.has_value();
}

void FlowTest::start(bool peer_connected) {
  began_ = progress_ = Clock::now();
  if (phase_ == Phase::over) return;
  if (!peer_connected) return fail("the other end could not connect");
  if (sends()) write_small();
}

bool FlowTest::advance() {
  if (phase_ == Phase::over) return false;
  std::array<verbs::Completion, 16> completions;
  const int count = nic_.completions.poll(completions);
  if (count < 0) fail("the completion queue of " + nic_.port.device + " broke");
  for (int i = 0; i < count && phase_ != Phase::over; ++i)
    take(completions[static_cast<std::size_t>(i)]);
  if (count == 0) check_time();
  return phase_ != Phase::over;
}

void FlowTest::check_time() {
  const auto now = Clock::now();
  if (now - progress_ > kFlowPatience + settings_.time) {
    fail("nothing arrived, or was acknowledged, for " + std::to_string(kFlowPatience.count()) +
         " s");
  } else if (now - began_ > kLongestFlow) {
    fail("it was not done after " + std::to_string(kLongestFlow.count()) + " s");
  }
}

void FlowTest::take(const verbs::Completion& completion) {
  if (completion.id != number_) return;  // of an earlier test that failed
  progress_ = Clock::now();
  if (!completion.ok()) return fail(verbs::describe(completion));
  if (sends()) return acknowledged();
  phase_ = Phase::over;  // the sender is done
}

void FlowTest::acknowledged() {
  switch (phase_) {
    case Phase::small_writes:
      times_us_.push_back(
          std::chrono::duration<double, std::micro>(progress_ - posted_at_).count());
      write_small();
      break;
    case Phase::stream:
      ++done_;
      go_on_streaming();
      break;
    case Phase::parting: phase_ = Phase::over; break;
    case Phase::over: break;
  }
}

void FlowTest::post(std::uint32_t bytes) {
  const int error = pair_->write(
      {.from = {nic_.memory.data(), bytes, nic_.region->lkey}, .to = there_, .id = number_});
  if (error != 0) fail(std::string("a write could not be posted: ") + std::strerror(error));
}

void FlowTest::write_small() {
  const bool enough = times_us_.size() == kMostSmallWrites ||
                      (!times_us_.empty() && progress_ - began_ > settings_.time / kSmallShare);
  if (enough) return begin_stream();
  posted_at_ = Clock::now();
  post(kSmallBytes);
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
  const Load load = load_of(nic_.port);
  const auto now = Clock::now();
  if (first_burst_ == 0 && done_ >= load.window) {
    first_burst_ = done_;
    rate_began_ = now;
  }
  while (now - stream_began_ < settings_.time && phase_ == Phase::stream &&
         posted_ - done_ < std::min(load.window, 1 + done_)) {
    post(load.bytes);
    ++posted_;
  }
  if (phase_ == Phase::stream && posted_ == done_) end_stream();
}

/// Of a link so slow that the window never opened all counts.
void FlowTest::end_stream() {
  constexpr double kBytesPerGigabyte = 1e9;
  if (first_burst_ == 0 || first_burst_ == done_) {
    first_burst_ = 0;
    rate_began_ = stream_began_;
  }
  const double bytes =
      static_cast<double>(done_ - first_burst_) * static_cast<double>(load_of(nic_.port).bytes);
  outcome_.gigabytes_per_second = bytes / kBytesPerGigabyte / seconds(progress_ - rate_began_);
  say_done();
}

void FlowTest::say_done() {
  phase_ = Phase::parting;
  const int error = pair_->write_with_immediate(
      {.from = {nic_.memory.data(), 0, nic_.region->lkey}, .to = there_, .id = number_}, 0);
  if (error != 0) fail(std::string("a message could not be posted: ") + std::strerror(error));
}

void FlowTest::fail(const std::string& reason) {
  outcome_.reason = reason;
  phase_ = Phase::over;
}

}  // namespace railgauge::runner
