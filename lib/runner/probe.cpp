#include "runner/probe.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <system_error>

#include "verbs/device.hpp"

namespace railgauge::runner {
namespace {

// More than one probe has outstanding, even with what the previous one left.
constexpr int kCompletions = 256;
constexpr int kPings = 20;
constexpr int kReceives = kPings + 2;  // what a peer sends that takes one: pings, and that is done
constexpr std::uint64_t kWindow = 8;   // large writes under way: 2 MiB, 40 us of 400 Gbit/s
constexpr int kSendDepth = 64;
constexpr std::uint32_t kPingBytes = 8;
// Payload of one packet each, one after the other: those of an Ethernet MTU of 1500, and the larger
// ones that RoCE has.
constexpr std::array<std::uint32_t, 3> kSteps{1024, 2048, 4096};

// An end that hears nothing for so long, beyond the time that the peer may write, gives up.
constexpr std::chrono::seconds kPatience{2};
// And one that hears too little, too: the other hosts wait for the end of the round, and no longer
// than -T, which is at least 10 s.
constexpr std::chrono::seconds kLongest{8};

/// A second and a bit until a silent peer is known: 4.096 us * 2^16 = 0.27 s, four times. NICs may
/// wait up to four times as long as asked (InfiniBand volume 1, 9.7.6.1.3); kPatience ends that.
verbs::QueuePairSettings settings() {
  return {.send_depth = kSendDepth,
          .receive_depth = kReceives,
          .inline_bytes = kPingBytes,
          .ack_timeout = 16,
          .retries = 3};
}

double microseconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

}  // namespace

ProbedNic::ProbedNic(const verbs::Port& of)
    : port(of),
      context(verbs::open_device(of.device)),
      domain(verbs::allocate_domain(*context)),
      completions(*context, kCompletions),
      memory(kBytes),
      region(verbs::register_memory(*domain, memory)) {}

Probe::Probe(ProbedNic& nic, Part part, std::chrono::milliseconds time)
    : nic_(nic), part_(part), time_(time), number_(++nic.probes) {
  try {
    pending_.emplace(*nic.domain, nic.completions, nic.completions, nic.port, settings());
    const int error = pending_->post_receives(kReceives, id(false));
    if (error != 0) throw std::system_error(error, std::generic_category(), "ibv_post_recv");
  } catch (const std::system_error& error) {
    pending_.reset();
    fail(error.what());
  }
}

ProbeOffer Probe::offer() const {
  if (!pending_) return {};
  return {true, pending_->address(), verbs::remote_memory(*nic_.region)};
}

bool Probe::connect(const ProbeOffer& peer) {
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

void Probe::start(bool peer_connected) {
  began_ = progress_ = Clock::now();
  if (phase_ == Phase::over) return;
  if (!peer_connected) return fail("the other end could not connect");
  if (part_ == Part::first) ping();
}

bool Probe::advance() {
  if (phase_ == Phase::over) return false;
  std::array<verbs::Completion, 16> completions;
  const int count = nic_.completions.poll(completions);
  if (count < 0) fail("the completion queue of " + nic_.port.device + " broke");
  for (int i = 0; i < count && phase_ != Phase::over; ++i) {
    take(completions[static_cast<std::size_t>(i)]);
  }
  if (count == 0) check_time();
  return phase_ != Phase::over;
}

void Probe::check_time() {
  const auto now = Clock::now();
  if (now - progress_ > kPatience + time_) {
    fail("nothing arrived, and nothing was acknowledged, for " + std::to_string(kPatience.count()) +
         " s");
  } else if (now - began_ > kLongest) {
    fail("it was not done after " + std::to_string(kLongest.count()) + " s");
  }
}

void Probe::take(const verbs::Completion& completion) {
  if (completion.id / 2 != number_) return;  // of an earlier probe that failed
  progress_ = Clock::now();
  if (!completion.ok()) return fail(verbs::describe(completion));
  if (completion.kind == verbs::CompletionKind::arrival) {
    arrived(static_cast<Notice>(completion.immediate));
  } else {
    acknowledged(completion.id == id(true));
  }
}

void Probe::arrived(Notice notice) {
  heard_ = true;
  if (notice == Notice::done) {
    // The second has its turn; the first has had it.
    if (part_ == Part::second) return climb();
    phase_ = Phase::over;
    return;
  }
  if (pings_ > 0) round_trips_us_.push_back(microseconds(progress_ - pinged_));
  if (pings_ < kPings) return ping();
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
  if (part_ == Part::second && phase_ == Phase::parting) phase_ = Phase::over;
}

void Probe::ping() {
  ++pings_;
  pinged_ = Clock::now();
  tell(Notice::ping);
}

void Probe::tell(Notice notice) {
  const std::uint32_t bytes = notice == Notice::ping ? kPingBytes : 0;
  const int error = pair_->write_with_immediate(
      {.from = {nic_.memory.data(), bytes, nic_.region->lkey}, .to = there_, .id = id(false)},
      static_cast<std::uint32_t>(notice));
  if (error != 0) fail(std::string("a message could not be posted: ") + std::strerror(error));
}

void Probe::climb() {
  phase_ = Phase::climbing;
  had_its_turn_ = true;
  if (climbed_ == kSteps.size()) return begin_stream();
  const int error = pair_->write({.from = {nic_.memory.data(), kSteps[climbed_], nic_.region->lkey},
                                  .to = there_,
                                  .id = id(true)});
  if (error != 0) fail(std::string("a write could not be posted: ") + std::strerror(error));
}

/// The payload of the largest packets of that write, or of pings before the first.
std::uint32_t Probe::packet(std::size_t step) const {
  const auto mtu = static_cast<std::uint32_t>(nic_.port.mtu_bytes);
  return step == 0 ? kPingBytes : std::min(kSteps[step - 1], mtu);
}

void Probe::begin_stream() {
  phase_ = Phase::streaming;
  stream_began_ = Clock::now();
  go_on_streaming();
}

/// The window opens by one with every acknowledgement, so that a very slow link is not given more
/// than it carries in time.
void Probe::go_on_streaming() {
  const auto so_far = Clock::now() - stream_began_;
  while (so_far < time_ && posted_ - done_ < std::min(kWindow, 1 + done_)) {
    const int error =
        pair_->write({.from = {nic_.memory.data(), ProbedNic::kBytes, nic_.region->lkey},
                      .to = there_,
                      .id = id(true)});
    if (error != 0)
      return fail(std::string("a write could not be posted: ") + std::strerror(error));
    ++posted_;
  }
  if (posted_ > done_) return;
  constexpr double kNanosecondsPerSecond = 1e9;  // and bytes in a gigabyte
  gigabytes_per_second_ = static_cast<double>(done_ * ProbedNic::kBytes) / kNanosecondsPerSecond /
                          std::chrono::duration<double>(so_far).count();
  phase_ = Phase::parting;
  tell(Notice::done);
}

/// Once this end has its figures, what becomes of the other's is not its concern.
void Probe::fail(const std::string& reason) {
  if (phase_ != Phase::parting) reason_ = reason;
  phase_ = Phase::over;
}

std::optional<reachability::Reach> Probe::reach() const {
  reachability::Reach reach{heard_ && answered_, 0, gigabytes_per_second_, reason_};
  if (reach.reached && !had_its_turn_) return std::nullopt;
  if (had_its_turn_ && climbed_ < kSteps.size()) {
    reach.reached = false;
    reach.reason = "packets of " + std::to_string(packet(climbed_)) + " bytes pass, and of " +
                   std::to_string(packet(climbed_ + 1)) + " do not: " + reason_;
  }
  if (round_trips_us_.empty()) return reach;
  std::vector<double> sorted = round_trips_us_;
  std::ranges::sort(sorted);
  reach.latency_us = sorted[sorted.size() / 2] / 2;
  return reach;
}

}  // namespace railgauge::runner
