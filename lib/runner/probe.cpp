#include "runner/probe.hpp"

#include <algorithm>
#include <array>

namespace railgauge::runner {
namespace {

constexpr int kPings = 20;
constexpr std::chrono::seconds kPatience{2};
constexpr int kReceives = kPings + 2;  // what a peer sends that takes one: pings, and that is done
constexpr std::uint64_t kWindow = 8;   // large writes under way: 2 MiB, 40 us of 400 Gbit/s
constexpr int kSendDepth = 64;
constexpr std::uint32_t kPingBytes = 8;
// Payload of one packet each, one after the other: those of an Ethernet MTU of 1500, and the larger
// ones that RoCE has.
constexpr std::array<std::uint32_t, 3> kSteps{1024, 2048, 4096};

verbs::QueuePairSettings settings() {
  return {.send_depth = kSendDepth, .receive_depth = kReceives, .inline_bytes = kPingBytes};
}

double microseconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

}  // namespace

Probe::Probe(ProbedNic& nic, Part part, std::chrono::milliseconds time)
    : ProbeEnd(nic, settings(), time, kPatience), part_(part), time_(time) {}

void Probe::begin() {
  if (part_ == Part::first) ping();
}

void Probe::take(const verbs::Completion& completion, bool of_stream) {
  if (completion.kind == verbs::CompletionKind::arrival) {
    arrived(static_cast<Notice>(completion.immediate));
  } else {
    acknowledged(of_stream);
  }
}

void Probe::arrived(Notice notice) {
  heard_ = true;
  if (notice == Notice::done) {
    ran_listening_ = running_.until_now();
    // The second has its turn; the first has had it.
    return part_ == Part::second ? climb() : finish();
  }
  if (pings_ > 0) round_trips_us_.push_back(microseconds(progress() - pinged_));
  if (pings_ < kPings) {
    ping();
    if (pings_ == kPings)
      running_ = {};  // the second hears no more of them, and listens from now on
    return;
  }
  climb();
}

void Probe::acknowledged(bool of_stream) {
  answered_ = true;
  if (of_stream && phase_ == Phase::climbing) {
    ++climbed_;
    return climb();
  }
  if (of_stream) {
    ++done_;
    return go_on_streaming();
  }
  // The last word of the second is that it is done; the first waits for it.
  if (part_ == Part::second && phase_ == Phase::parting) finish();
}

void Probe::ping() {
  ++pings_;
  pinged_ = Clock::now();
  tell(Notice::ping);
}

void Probe::tell(Notice notice) {
  const std::uint32_t bytes = notice == Notice::ping ? kPingBytes : 0;
  write_with_immediate(bytes, static_cast<std::uint32_t>(notice));
}

void Probe::climb() {
  phase_ = Phase::climbing;
  had_its_turn_ = true;
  if (climbed_ == kSteps.size()) return begin_stream();
  write(kSteps[climbed_], true);
}

/// The payload of the largest packets of that write, or of pings before the first.
std::uint32_t Probe::packet(std::size_t step) const {
  const auto mtu = static_cast<std::uint32_t>(port().mtu_bytes);
  return step == 0 ? kPingBytes : std::min(kSteps[step - 1], mtu);
}

void Probe::begin_stream() {
  phase_ = Phase::streaming;
  stream_began_ = Clock::now();
  running_ = {};
  go_on_streaming();
}

/// The window opens by one with every acknowledgement, so that a very slow link is not given more
/// than it carries in time.
void Probe::go_on_streaming() {
  const auto so_far = Clock::now() - stream_began_;
  while (so_far < time_ && !is_over() && posted_ - done_ < std::min(kWindow, 1 + done_)) {
    write(ProbedNic::kBytes, true);
    ++posted_;
  }
  if (is_over() || posted_ > done_) return;
  constexpr double kNanosecondsPerSecond = 1e9;  // and bytes in a gigabyte
  gigabytes_per_second_ = static_cast<double>(done_ * ProbedNic::kBytes) / kNanosecondsPerSecond /
                          std::chrono::duration<double>(so_far).count();
  phase_ = Phase::parting;
  ran_writing_ = running_.until_now();
  running_ = {};
  settle();
  tell(Notice::done);
}

std::optional<reachability::Reach> Probe::reach() const {
  reachability::Reach reach{.reached = heard_ && answered_,
                            .gigabytes_per_second = gigabytes_per_second_,
                            .reason = reason(),
                            .ran_share = ran_writing_};
  if (reach.reached && !had_its_turn_) return std::nullopt;
  if (had_its_turn_ && climbed_ < kSteps.size()) {
    reach.reached = false;
    reach.reason = "packets of " + std::to_string(packet(climbed_)) + " bytes pass, and of " +
                   std::to_string(packet(climbed_ + 1)) + " do not: " + reason();
  }
  if (round_trips_us_.empty()) return reach;
  std::vector<double> sorted = round_trips_us_;
  std::ranges::sort(sorted);
  reach.latency_us = sorted[sorted.size() / 2] / 2;
  return reach;
}

}  // namespace railgauge::runner
