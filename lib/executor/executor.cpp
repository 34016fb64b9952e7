#include "executor/executor.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <thread>

#include "executor/report.hpp"

namespace railgauge::executor {
namespace {

using transport::Channel;
using transport::Event;
using Clock = std::chrono::steady_clock;

// An idle rank spins this long before it sleeps: longer than a healthy fabric's round trip, shorter
// than a scheduler's time slice.
constexpr std::chrono::microseconds kSpin{50};
constexpr unsigned kPollsPerLookAtTheClock = 64;
// Asleep, it waits until there is something to poll. It checks whether to stop this often while
// asleep, and after this many turns of its loop while awake.
constexpr std::chrono::microseconds kSleep{5000};
constexpr unsigned kTurnsPerLookUp = 4096;

constexpr std::size_t kCacheLine = 64;

/// Consecutive polls that found nothing.
class Idleness {
 public:
  /// Counts one more; true once they have gone on for longer than spinning is worth.
  bool lasts() {
    if (lasts_ || ++polls_ % kPollsPerLookAtTheClock != 0) return lasts_;
    const Clock::time_point now = Clock::now();
    if (polls_ == kPollsPerLookAtTheClock) since_ = now;
    return lasts_ = now - since_ > kSpin;
  }
  void end() {
    polls_ = 0;
    lasts_ = false;
  }

 private:
  unsigned polls_ = 0;
  bool lasts_ = false;
  Clock::time_point since_;
};

/// For how long a thread slept, which only does so for kSleep at a time, and for how long it did
/// not come back.
class Sleep {
 public:
  void slept(Clock::time_point from) {
    const auto time = Clock::now() - from;
    slept_ += time;
    if (time > kSleep + kNoticeable) descheduled_ += time - kSleep;
  }
  [[nodiscard]] std::chrono::nanoseconds slept() const { return slept_; }
  [[nodiscard]] std::chrono::nanoseconds descheduled() const { return descheduled_; }

 private:
  static constexpr std::chrono::milliseconds kNoticeable{1};
  std::chrono::nanoseconds slept_{0};
  std::chrono::nanoseconds descheduled_{0};
};

/// How long a rank had nothing to do. Reads the clock only when that begins and when it ends.
class Waiting {
 public:
  void look(bool nothing) {
    if (nothing == waits_) return;
    waits_ = nothing;
    const Clock::time_point now = Clock::now();
    if (nothing) {
      since_ = now;
    } else {
      sum_ += now - since_;
    }
  }
  [[nodiscard]] std::chrono::nanoseconds sum() const { return sum_; }

 private:
  bool waits_ = false;
  Clock::time_point since_;
  std::chrono::nanoseconds sum_{0};
};

// Small plans have smaller slots, and more of them: at most this many chunks in flight per channel.
constexpr std::uint32_t kWidestWindow = 16;
// A chunk that goes straight to its destination takes no slot, and if nothing is done with it there
// is no working set to keep in cache either.
constexpr std::uint32_t kOneHopWindow = 8;

std::size_t checked(const ExecutorSettings& settings, const transport::Transport& transport) {
  if (settings.window == 0 || 2 * settings.window > transport.notifications_in_flight()) {
    throw std::invalid_argument("window must be from 1 to " +
                                std::to_string(transport.notifications_in_flight() / 2));
  }
  if (settings.chunk_bytes < kCacheLine || settings.chunk_bytes % kCacheLine != 0) {
    throw std::invalid_argument("chunk size must be a multiple of 64 bytes");
  }
  return settings.chunk_bytes;
}

}  // namespace

Executor::Executor(transport::Transport& transport, const ExecutorSettings& settings)
    : transport_(transport),
      chunk_bytes_(checked(settings, transport)),
      channel_bytes_(settings.window * chunk_bytes_),
      slot_bytes_(chunk_bytes_),
      window_(settings.window),
      straight_window_(settings.window),
      offload_(settings.offload),
      landing_(transport.allocate(transport.channels().size() * channel_bytes_)),
      arrival_times_(transport.allocate(2 * transport.channels().size() * EdgeSamples::kBytes)),
      samples_(transport.channels().size()),
      channels_(transport.channels().size()),
      preauthorized_(transport.channels().size()),
      listed_(transport.channels().size()),
      yields_(settings.yields) {
  to_look_at_.reserve(channels_.size());
  for (const transport::ChannelRequest& channel : transport.channels()) {
    rails_.push_back(channel.rail);
  }
  const std::size_t rails = rails_.empty() ? 0 : std::ranges::max(rails_) + 1;
  ops_of_rails_.resize(rails);
  unsettled_of_rails_.resize(rails);
  rail_times_.resize(rails);
  from_farthest_ = from_farthest(transport.channels(), transport.rank());
  if (offload_ != nullptr) offload_->reach({landing_.data, landing_.bytes});
}

void Executor::load(Plan plan) {
  plan_ = std::move(plan);
  chunk_elements_ = chunk_bytes_ / plan_.element_bytes;
  settled_.resize(plan_.ops.size());
  count_ops_of_rails();
  last_write_.resize(plan_.ops.size());
  const std::size_t lines = (plan_.most_bytes() + kCacheLine - 1) / kCacheLine;
  slot_bytes_ = std::clamp(lines * kCacheLine, kCacheLine, chunk_bytes_);
  const std::size_t slots = channel_bytes_ / slot_bytes_;
  const std::uint32_t most = transport_.notifications_in_flight() / 4;  // credits need space, too
  const auto widest =
      std::max<std::size_t>(channel_bytes_ / chunk_bytes_, std::min(kWidestWindow, most));
  window_ = static_cast<std::uint32_t>(std::min(slots, widest));
  straight_window_ = plan_.one_hop ? std::max(window_, std::min(kOneHopWindow, most)) : window_;
  // What was promised for another run of the previous plan is void: that run will not happen. Nor
  // does its progress count: without a run of the new plan, exchange_samples() may still take
  // completions of the previous one.
  ++run_;
  for (ChannelProgress& channel : channels_) {
    channel.promised = 0;
    channel.now = {};
  }
  first_of_plan_ = true;
  for (Channel channel = 0; channel < channels_.size(); ++channel) {
    preauthorized_[channel] = can_preauthorize(channel);
    samples_.prepare(channel, chunks_of(plan_.sends[channel]), chunks_of(plan_.arrivals[channel]));
  }
  samples_.restart();
  if (offload_ != nullptr) works_.reserve(channels_.size() * straight_window_);
}

void Executor::count_ops_of_rails() {
  std::ranges::fill(ops_of_rails_, 0);
  std::ranges::fill(rail_times_, std::chrono::nanoseconds{0});
  for (const PlannedOp& op : plan_.ops) {
    if (op.action != Action::copy) ++ops_of_rails_[rails_[op.channel]];
  }
}

std::uint32_t Executor::chunks_of(const std::vector<std::uint32_t>& ops) const {
  std::uint32_t chunks = 0;
  for (const std::uint32_t op : ops) {
    for (std::size_t at = 0; at < plan_.ops[op].span.size(); ++chunks)
      at += chunk(plan_.ops[op], at);
  }
  return chunks;
}

Outcome Executor::run(const reduce::Reduction& reduction, const Regions& regions,
                      const RunLimits& limits) {
  begin(reduction, regions);
  Idleness idleness;
  Waiting waiting;
  Sleep sleep;
  unsigned busy = 0;
  for (Turn turn = take_turn(); turn != Turn::done; turn = take_turn()) {
    const bool events = turn == Turn::busy;
    waiting.look(!events);
    if (turn == Turn::failed) return ended(Ending::failed);
    if (events) idleness.end();
    if (!events && yields_) std::this_thread::yield();
    // Busy or idle, check the limits now and then; sleep only if idle.
    const bool idle = !events && idleness.lasts();
    if (!idle && ++busy % kTurnsPerLookUp != 0) continue;
    const Clock::time_point now = Clock::now();
    if (now > limits.deadline) return ended(Ending::deadline);
    if (limits.stop()) return ended(Ending::stopped);
    if (!idle) continue;
    transport_.idle(kSleep);
    sleep.slept(now);
  }
  return {.waited = waiting.sum(), .descheduled = sleep.descheduled(), .slept = sleep.slept()};
}

void Executor::begin(const reduce::Reduction& reduction, const Regions& regions) {
  reduction_ = &reduction;
  regions_ = {regions.output, regions.input, regions.scratch};
  in_place_ = regions.output.data == regions.input.data;
  may_copy_ = true;
  start();
}

/// Copies only now that everything others wait for has been posted, and before polling again,
/// because the copies may be all that is missing. Without an event or a copy in the last turn
/// nothing more can be copied.
Executor::Turn Executor::take_turn() {
  advance();
  if (unsettled_ops_ == 0) return done();
  const bool copied = may_copy_ && copy_some();
  if (copied) advance();
  if (unsettled_ops_ == 0) return done();
  may_copy_ = take_events() || copied;
  if (take_works()) may_copy_ = true;
  if (failed_ || (offload_ != nullptr && offload_->failed())) return Turn::failed;
  return may_copy_ || !works_.empty() ? Turn::busy : Turn::idle;
}

Executor::Turn Executor::done() {
  see_arrivals();
  return offload_ != nullptr && offload_->failed() ? Turn::failed : Turn::done;
}

void Executor::start() {
  std::ranges::fill(settled_, 0);
  unsettled_ops_ = plan_.ops.size();
  std::ranges::copy(ops_of_rails_, unsettled_of_rails_.begin());
  begin_ = Clock::now();
  copy_ = {};
  works_.clear();
  ++run_;
  samples_.begin_run();
  for (Channel number = 0; number < channels_.size(); ++number) {
    ChannelProgress& channel = channels_[number];
    channel.now = {};
    channel.now.granted = channel.now.announced = channel.promised;
    if (channel.promised > 0) (void)leading_chunks(plan_.arrivals[number], channel.now.grant);
    channel.now.arrived = channel.early;
    if (channel.next_run == run_) channel.now.credit = channel.next_credit;
    if (preauthorized_[number] && !first_of_plan_) {
      channel.now.credit = window_;
      channel.now.granted = channel.now.announced =
          leading_chunks(plan_.arrivals[number], channel.now.grant);
    }
    channel.promised = channel.early = channel.next_credit = 0;
  }
  for (const Channel channel : from_farthest_) look_at(channel);
  first_of_plan_ = false;
}

bool Executor::take_events() {
  const std::size_t count = transport_.poll(events_);
  for (std::size_t i = 0; i < count; ++i) take(events_[i]);
  return count > 0;
}

void Executor::take(const Event& event) {
  look_at(event.channel);
  switch (event.kind) {
    case Event::Kind::completed:
      samples_.completed(event.channel, event.value);
      return acknowledge(event.channel, event.value);
    case Event::Kind::arrived:
      return take_notification(event.channel,
                               Notification::from(static_cast<std::uint32_t>(event.value)));
    case Event::Kind::failed: break;
  }
  if (!failed_) failure_ = event;
  failed_ = true;
}

Traffic Executor::traffic(Channel channel) const {
  return {channels_[channel].chunks, channels_[channel].payload_bytes};
}

/// What failed first. A queue pair reports a dead peer when its retries are exhausted: both rails
/// of a host that is cut off are known once no write is in flight.
std::string Executor::fault() {
  constexpr std::chrono::seconds kOthers{2};  // rails exhaust their retries closer together
  const Event first = failure_;
  std::string why = transport_.explain(first) + " (" + transport_.describe(first.channel) + ")";
  const auto end = Clock::now() + kOthers;
  while (transport_.in_flight() && Clock::now() < end) {
    if (transport_.poll(events_) == 0) transport_.idle(kSleep);
  }
  return why;
}

Outcome Executor::ended(Ending ending) {
  switch (ending) {
    case Ending::done: return {};
    case Ending::deadline: return ended(ending, "the deadline passed");
    case Ending::failed: return failed_ ? ended(ending, fault()) : ended(Ending::device);
    case Ending::device: return ended(ending, offload_->fault());
    case Ending::stopped: break;
  }
  return ended(ending, "told to stop");
}

Outcome Executor::ended(Ending ending, std::string why) const {
  auto faults = transport_.faults();
  if (ending == Ending::deadline)
    std::ranges::move(awaited(plan_, channels_, transport_), std::back_inserter(faults));
  return {.ending = ending,
          .why = std::move(why),
          .waits = waiting_for(plan_, channels_, transport_),
          .faults = std::move(faults)};
}

}  // namespace railgauge::executor
