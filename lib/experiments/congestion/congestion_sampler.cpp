#include "experiments/congestion/congestion_sampler.hpp"

#include <algorithm>
#include <ctime>

#include "telemetry/ethtool.hpp"
#include "telemetry/meaning.hpp"
#include "telemetry/priority_traffic.hpp"
#include "telemetry/signal.hpp"

namespace railgauge::runner {
namespace {

bool is_wanted(std::string_view counter) {
  return telemetry::signal_of(counter).has_value() || telemetry::counts_packets(counter);
}

constexpr int kMostShare = 125;  // with what waking up costs below 1 % of a processor

std::chrono::nanoseconds cpu_time_of_this_thread() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

void wait_for_next(std::chrono::milliseconds interval, std::chrono::nanoseconds cost,
                   int most_share) {
  std::this_thread::sleep_for(std::max<std::chrono::nanoseconds>(interval, most_share * cost));
}

PriorityMeter::PriorityMeter(const results::RankRail& rail) : rail_(rail), before_(read()) {}

telemetry::Counters PriorityMeter::read() const {
  return telemetry::read_priority_counters(rail_.device, rail_.port, rail_.netdev);
}

std::vector<std::int64_t> PriorityMeter::carried(const std::string& direction) const {
  const auto before = telemetry::priority_traffic_in(before_, direction).by_priority;
  const auto now = telemetry::priority_traffic_in(read(), direction).by_priority;
  if (!std::ranges::equal(before, now, std::ranges::less_equal())) return {};
  std::vector<std::int64_t> carried(now.size());
  std::ranges::transform(now, before, carried.begin(), [](std::uint64_t one, std::uint64_t other) {
    return static_cast<std::int64_t>(one - other);
  });
  return carried;
}

CongestionSampler::CongestionSampler(const results::RankRail& rail,
                                     std::chrono::milliseconds interval, Clock::time_point origin)
    : files_(rail.device, rail.port, is_wanted),
      netdev_(rail.kind == results::DeviceKind::hardware ? rail.netdev : ""),
      interval_(interval),
      origin_(origin),
      last_s_(seconds_since_origin()),
      last_(read()),
      thread_([this] { loop(); }) {}

void CongestionSampler::stop() {
  if (!thread_.joinable()) return;
  stopped_ = true;
  thread_.join();
  take();
}

void CongestionSampler::loop() {
  while (!stopped_) {
    wait_for_next(interval_, cpu_time_ / std::max<std::size_t>(readings_, 1), kMostShare);
    take();
    cpu_time_ = cpu_time_of_this_thread();
  }
}

/// What a port counts while it is read may be in this sample, or in the next.
void CongestionSampler::take() {
  const auto began = Clock::now();
  telemetry::Counters now = read();
  const auto moved = telemetry::moved(last_, now);
  const double end_s = seconds_since_origin();
  samples_.push_back(
      {.begin_s = last_s_,
       .end_s = end_s,
       .counts = telemetry::signals_of(moved),
       .packets_sent = telemetry::packets(moved, finding::Direction::transmit).value_or(0),
       .packets_received = telemetry::packets(moved, finding::Direction::receive).value_or(0)});
  last_ = std::move(now);
  last_s_ = std::chrono::duration<double>(began - origin_).count();
  ++readings_;
}

telemetry::Counters CongestionSampler::read() const {
  telemetry::Counters counters = files_.read();
  if (!netdev_.empty()) counters.merge(telemetry::read_ethtool_counters(netdev_));
  return counters;
}

telemetry::CountedSignals CongestionSampler::counted() const {
  return telemetry::counted_signals(last_);
}

double CongestionSampler::processor_share() const {
  const double seconds = samples_.back().end_s - samples_.front().begin_s;
  return std::chrono::duration<double>(cpu_time_).count() / seconds;
}

double CongestionSampler::seconds_since_origin() const {
  return std::chrono::duration<double>(Clock::now() - origin_).count();
}

}  // namespace railgauge::runner
