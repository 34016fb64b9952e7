#include "executor/executor.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include "executor/report.hpp"

namespace railgauge::executor {
namespace {

using transport::Event;
using transport::Lane;
using Clock = std::chrono::steady_clock;

// An idle rank spins this long before it gives its processor away: longer than a healthy fabric's
// round trip, shorter than a scheduler's time slice.
constexpr std::chrono::microseconds kSpin{50};
constexpr unsigned kPollsPerLookAtTheClock = 64;
// It sleeps until there is something to poll; this is how often it looks up to see whether to stop,
// asleep and, in turns of its loop, awake.
constexpr std::chrono::microseconds kSleep{5000};
constexpr unsigned kTurnsPerLookUp = 4096;

constexpr std::size_t kCacheLine = 64;

/// Polls that found nothing, one after the other.
class Idleness {
 public:
  /// Counts another; true once they have gone on for longer than is worth spinning.
  bool lasts() {
    if (lasts_ || ++polls_ % kPollsPerLookAtTheClock != 0) return lasts_;
    const Clock::time_point now = Clock::now();
    if (polls_ == kPollsPerLookAtTheClock) since_ = now;
    return lasts_ = now - since_ > kSpin;
  }

 private:
  unsigned polls_ = 0;
  bool lasts_ = false;
  Clock::time_point since_;
};

/// How long a rank had nothing to do. Looks at the clock only when that begins and when it ends.
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

// Small plans have smaller slots, and more of them: so many pieces may be under way on a lane.
constexpr std::uint32_t kWidestWindow = 16;
// No slot is taken by what lands where it stays, and where nothing has to be done with it then,
// there is no cache to keep small either.
constexpr std::uint32_t kOneHopWindow = 8;

std::size_t checked(const ExecutorSettings& settings, const transport::Transport& transport) {
  if (settings.window == 0 || 2 * settings.window > transport.notes_in_flight()) {
    throw std::invalid_argument("window has to be from 1 to " +
                                std::to_string(transport.notes_in_flight() / 2));
  }
  if (settings.piece_bytes < kCacheLine || settings.piece_bytes % kCacheLine != 0) {
    throw std::invalid_argument("piece size has to be a multiple of 64 bytes");
  }
  return settings.piece_bytes;
}

}  // namespace

Executor::Executor(transport::Transport& transport, const ExecutorSettings& settings)
    : transport_(transport),
      piece_bytes_(checked(settings, transport)),
      lane_bytes_(settings.window * piece_bytes_),
      slot_bytes_(piece_bytes_),
      window_(settings.window),
      straight_window_(settings.window),
      landing_(transport.allocate(transport.lanes().size() * lane_bytes_)),
      lanes_(transport.lanes().size()),
      open_(transport.lanes().size()),
      listed_(transport.lanes().size()) {
  to_look_at_.reserve(lanes_.size());
}

void Executor::load(Plan plan) {
  plan_ = std::move(plan);
  settled_.resize(plan_.ops.size());
  unsettled_of_stripe_.resize(plan_.stripes.size());
  stripe_times_.assign(plan_.stripes.size(), {});
  last_write_.resize(plan_.ops.size());
  const std::size_t lines = (plan_.most_bytes() + kCacheLine - 1) / kCacheLine;
  slot_bytes_ = std::clamp(lines * kCacheLine, kCacheLine, piece_bytes_);
  const std::size_t slots = lane_bytes_ / slot_bytes_;
  const std::uint32_t most = transport_.notes_in_flight() / 4;  // notices need room, too
  const auto widest =
      std::max<std::size_t>(lane_bytes_ / piece_bytes_, std::min(kWidestWindow, most));
  window_ = static_cast<std::uint32_t>(std::min(slots, widest));
  straight_window_ = plan_.one_hop ? std::max(window_, std::min(kOneHopWindow, most)) : window_;
  // What was promised for another run of the plan before is void: that run will not be.
  ++run_;
  for (LaneProgress& lane : lanes_) lane.promised = 0;
  for (Lane lane = 0; lane < lanes_.size(); ++lane) open_[lane] = can_stand_open(lane);
  first_of_plan_ = true;
}

Outcome Executor::run(const reduce::Reduction& reduction, const Regions& regions,
                      const Patience& patience) {
  reduction_ = &reduction;
  regions_ = {regions.output, regions.input, regions.scratch};
  in_place_ = regions.output.data == regions.input.data;
  start();
  Idleness idleness;
  Waiting waiting;
  unsigned busy = 0;
  while (advance(), unsettled_ops_ > 0) {
    // Here, when all that others wait for has been posted; and before looking again, because it may
    // be all that is missing.
    const bool copied = copy_some();
    if (copied) advance();
    if (unsettled_ops_ == 0) break;
    const bool events = take_events() || copied;
    waiting.look(!events);
    if (failed_) return ended(Ending::failed, transport_.explain(failure_));
    if (events) idleness = {};
    // Busy or idle, it looks up now and then; only when idle it sleeps.
    const bool idle = !events && idleness.lasts();
    if (!idle && ++busy % kTurnsPerLookUp != 0) continue;
    if (Clock::now() > patience.deadline) return ended(Ending::deadline, "the deadline passed");
    if (patience.stop()) return ended(Ending::stopped, "told to stop");
    if (idle) transport_.idle(kSleep);
  }
  return {.waited = waiting.sum()};
}

void Executor::start() {
  std::ranges::fill(settled_, 0);
  unsettled_ops_ = plan_.ops.size();
  std::ranges::copy(plan_.ops_of_stripe, unsettled_of_stripe_.begin());
  begin_ = Clock::now();
  copy_ = {};
  ++run_;
  for (Lane number = 0; number < lanes_.size(); ++number) {
    LaneProgress& lane = lanes_[number];
    lane.now = {};
    lane.now.granted = lane.now.announced = lane.promised;
    if (lane.promised > 0) (void)leading_pieces(plan_.arrivals[number], lane.now.grant);
    lane.now.arrived = lane.early;
    if (lane.next_run == run_) lane.now.credit = lane.next_credit;
    if (open_[number] && !first_of_plan_) {
      lane.now.credit = window_;
      lane.now.granted = lane.now.announced =
          leading_pieces(plan_.arrivals[number], lane.now.grant);
    }
    lane.promised = lane.early = lane.next_credit = 0;
    look_at(number);
  }
  first_of_plan_ = false;
}

bool Executor::take_events() {
  std::array<Event, 32> events;
  const std::size_t count = transport_.poll(events);
  for (std::size_t i = 0; i < count; ++i) take(events[i]);
  return count > 0;
}

void Executor::take(const Event& event) {
  look_at(event.lane);
  switch (event.kind) {
    case Event::Kind::completed: return acknowledge(event.lane, event.value);
    case Event::Kind::arrived:
      return take_note(lanes_[event.lane], Note::from(static_cast<std::uint32_t>(event.value)));
    case Event::Kind::failed: break;
  }
  if (!failed_) failure_ = event;
  failed_ = true;
}

Traffic Executor::traffic(Lane lane) const {
  return {lanes_[lane].pieces, lanes_[lane].payload_bytes};
}

Outcome Executor::ended(Ending ending, const std::string& why) const {
  std::string report = why;
  if (ending == Ending::failed) report += " (" + transport_.describe(failure_.lane) + ")";
  const std::string waits = waiting_for(plan_, lanes_, transport_);
  if (!waits.empty()) report += "\n" + waits;
  return {.ending = ending, .report = report};
}

}  // namespace railgauge::executor
