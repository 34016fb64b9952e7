#include "runner/probe_end.hpp"

#include <array>
#include <cstring>
#include <system_error>

#include "verbs/device.hpp"

namespace railgauge::runner {
namespace {

// More than one probe has outstanding, even with what the previous one left.
constexpr int kCompletions = 256;

// An end that hears too little gives up, too: the other hosts wait for the end of the round, and no
// longer than -T, which is at least 10 s.
constexpr std::chrono::seconds kLongest{8};

/// A second and a bit until a silent peer is known: 4.096 us * 2^15 = 0.13 s, eight times, rather
/// than fewer and longer ones, since nothing but time tells that a last packet was lost. NICs may
/// wait up to four times as long as asked (InfiniBand volume 1, 9.7.6.1.3); patience ends that.
verbs::QueuePairSettings with_timeouts(verbs::QueuePairSettings settings) {
  settings.ack_timeout = 15;
  settings.retries = 7;
  return settings;
}

}  // namespace

ProbedNic::ProbedNic(const verbs::Port& of)
    : port(of),
      context(verbs::open_device(of.device)),
      domain(verbs::allocate_domain(*context)),
      completions(*context, kCompletions),
      memory(kBytes),
      region(verbs::register_memory(*domain, memory)) {}

ProbeEnd::ProbeEnd(ProbedNic& nic, verbs::QueuePairSettings settings,
                   std::chrono::milliseconds time, std::chrono::milliseconds patience)
    : nic_(nic), longest_silence_(time + patience), number_(++nic.probes) {
  try {
    pending_.emplace(*nic.domain, nic.completions, nic.completions, nic.port,
                     with_timeouts(settings));
    const int error = pending_->post_receives(settings.receive_depth, id(false));
    if (error != 0) throw std::system_error(error, std::generic_category(), "ibv_post_recv");
  } catch (const std::system_error& error) {
    pending_.reset();
    fail(error.what());
  }
}

ProbeOffer ProbeEnd::offer() const {
  if (!pending_) return {};
  return {true, pending_->address(), verbs::remote_memory(*nic_.region)};
}

bool ProbeEnd::connect(const ProbeOffer& peer) {
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

void ProbeEnd::start(bool peer_connected) {
  began_ = progress_ = Clock::now();
  if (over_) return;
  if (!peer_connected) return fail("the other end could not connect");
  begin();
}

bool ProbeEnd::advance() {
  if (over_) return false;
  std::array<verbs::Completion, 16> completions;
  const int count = nic_.completions.poll(completions);
  if (count < 0) fail("the completion queue of " + nic_.port.device + " broke");
  for (int i = 0; i < count && !over_; ++i) complete(completions[static_cast<std::size_t>(i)]);
  if (count == 0) check_time();
  return !over_;
}

void ProbeEnd::check_time() {
  const auto now = Clock::now();
  if (now - progress_ > longest_silence_) {
    fail("nothing arrived, and nothing was acknowledged, for " +
         std::to_string(longest_silence_.count()) + " ms");
  } else if (now - began_ > kLongest) {
    fail("it was not done after " + std::to_string(kLongest.count()) + " s");
  }
}

void ProbeEnd::complete(const verbs::Completion& completion) {
  if (completion.id / 2 != number_) return;  // of an earlier probe that failed
  progress_ = Clock::now();
  if (!completion.ok()) return fail(verbs::describe(completion));
  take(completion, completion.id == id(true));
}

void ProbeEnd::write(std::uint32_t bytes, bool of_stream) {
  const int error = pair_->write(
      {.from = {nic_.memory.data(), bytes, nic_.region->lkey}, .to = there_, .id = id(of_stream)});
  if (error != 0) fail(std::string("a write could not be posted: ") + std::strerror(error));
}

void ProbeEnd::write_with_immediate(std::uint32_t bytes, std::uint32_t immediate) {
  const int error = pair_->write_with_immediate(
      {.from = {nic_.memory.data(), bytes, nic_.region->lkey}, .to = there_, .id = id(false)},
      immediate);
  if (error != 0) fail(std::string("a message could not be posted: ") + std::strerror(error));
}

void ProbeEnd::fail(const std::string& reason) {
  if (!settled_) reason_ = reason;
  over_ = true;
}

}  // namespace railgauge::runner
