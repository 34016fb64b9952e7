#include "executor/progress_threads.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>

#include "executor/report.hpp"

namespace railgauge::executor {
namespace {

using transport::Channel;
using transport::Region;
using Clock = std::chrono::steady_clock;

// A thread without work spins this long before it sleeps: longer than from one run to the next
// where runs follow each other, shorter than a scheduler's time slice.
constexpr std::chrono::microseconds kSpinBetweenRuns{50};
constexpr unsigned kLooksPerReading = 64;
// Who waits for the other threads looks this often whether to stop.
constexpr std::chrono::milliseconds kSleepForOthers{5};

void relax() noexcept {
#ifdef __x86_64__
  __builtin_ia32_pause();
#endif
}

/// Spins until `done`; false if that takes longer than spinning is worth.
template <class Done>
bool spin_until(Done done) noexcept {
  const Clock::time_point begin = Clock::now();
  for (unsigned polls = 1; !done(); ++polls) {
    relax();
    if (polls % kLooksPerReading == 0 && Clock::now() - begin > kSpinBetweenRuns) return false;
  }
  return true;
}

// What std::atomic's wait() and notify_one() do, but with a limit.
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

void sleep_while(const std::atomic<std::uint32_t>& value, std::uint32_t is) noexcept {
  const auto nanoseconds =
      std::chrono::duration_cast<std::chrono::nanoseconds>(kSleepForOthers).count();
  const timespec limit{.tv_sec = 0, .tv_nsec = nanoseconds};
  ::syscall(SYS_futex, &value, FUTEX_WAIT_PRIVATE, is, &limit, nullptr, 0);
}

void wake_one(const std::atomic<std::uint32_t>& value) noexcept {
  ::syscall(SYS_futex, &value, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

}  // namespace

ProgressThreads::ProgressThreads(const std::vector<transport::Transport*>& transports,
                                 unsigned rails, const ExecutorSettings& settings,
                                 const std::function<void(unsigned)>& settle,
                                 const std::vector<Offload*>& offloads)
    : rail_times_(rails) {
  const auto count = static_cast<unsigned>(transports.size());
  if (count == 0 || count > rails) {
    throw std::invalid_argument("progress threads must be from 1 to the number of rails, " +
                                std::to_string(rails));
  }
  for (unsigned number = 0; number < count; ++number) {
    ExecutorSettings own = settings;
    if (!offloads.empty()) own.offload = offloads.at(number);
    shares_.push_back(std::make_unique<Share>(RailShare{number, count}, *transports[number], own));
    Share& share = *shares_.back();
    share.first_channel = static_cast<Channel>(channels_.size());
    for (transport::ChannelRequest channel : share.transport.channels()) {
      channel.rail = share.rails.rail(channel.rail);
      channels_.push_back(channel);
    }
  }
  try {
    for (auto& share : shares_) {
      if (share->rails.number > 0) start(*share, settle);
    }
    await_settled();
  } catch (...) {
    stop();
    throw;
  }
}

ProgressThreads::~ProgressThreads() {
  stop();
}

void ProgressThreads::start(Share& share, const std::function<void(unsigned)>& settle) {
  at_work_.fetch_add(1, std::memory_order_relaxed);
  share.thread = std::thread([this, settle, &share] {
    if (settle) settle(share.rails.number);
    at_work_.fetch_sub(1, std::memory_order_release);
    at_work_.notify_one();
    work(share);
  });
}

void ProgressThreads::await_settled() {
  while (const std::uint32_t still = at_work_.load(std::memory_order_acquire)) {
    at_work_.wait(still, std::memory_order_acquire);
  }
}

void ProgressThreads::stop() {
  leave_ = true;
  for (auto& share : shares_) {
    if (!share->thread.joinable()) continue;
    share->runs.fetch_add(1, std::memory_order_release);
    share->runs.notify_one();
    share->thread.join();
  }
}

Region ProgressThreads::allocate(std::size_t bytes) {
  const Region region = shares_[0]->transport.allocate(std::max<std::size_t>(bytes, 1));
  for (std::size_t i = 1; i < shares_.size(); ++i) {
    if (shares_[i]->transport.share({region.data, region.bytes}).id == region.id) continue;
    throw std::logic_error("the transports of a rank have different regions");
  }
  return {.id = region.id, .data = region.data, .bytes = bytes};
}

Region ProgressThreads::share_device(const transport::DeviceMemory& memory) {
  const Region region = shares_[0]->transport.share_device(memory);
  for (std::size_t i = 1; i < shares_.size(); ++i) {
    if (shares_[i]->transport.share_device(memory).id == region.id) continue;
    throw std::logic_error("the transports of a rank have different regions");
  }
  return region;
}

void ProgressThreads::load(const Schedule& schedule, Rank rank,
                           const std::function<Layout(Rank)>& layout_of, std::size_t element_bytes,
                           const Stripes& stripes) {
  for (auto& share : shares_) {
    share->executor.load(make_plan(schedule, rank, layout_of, element_bytes, stripes,
                                   share->transport.channels(), share->rails));
  }
}

/// Without a stripe there is nothing to do, here and at the peers' shares of this number.
bool ProgressThreads::has_work(const Share& share) const {
  return !share.executor.plan().stripes.empty();
}

Outcome ProgressThreads::run(std::span<const reduce::Reduction> reductions, const Regions& regions,
                             const RunLimits& limits) {
  Share& own = *shares_[0];
  if (shares_.size() == 1 || !has_work(*shares_[1])) {
    return own.executor.run(reductions[0], regions, limits);
  }
  const Clock::time_point begin = Clock::now();
  reductions_ = reductions;
  regions_ = regions;
  limits_ = &limits;
  hand_out();
  run_share(own, {limits.deadline, [this] { return limits_->stop() || cause_ != kNobody; }});
  const std::chrono::nanoseconds slept = await_others();
  Outcome outcome = merged(Clock::now() - begin);
  outcome.slept = own.outcome.slept + slept;
  return outcome;
}

void ProgressThreads::hand_out() {
  cause_.store(kNobody, std::memory_order_relaxed);
  const auto has_thread = [this](const auto& share) {
    return share->thread.joinable() && has_work(*share);
  };
  at_work_.store(static_cast<std::uint32_t>(std::ranges::count_if(shares_, has_thread)),
                 std::memory_order_relaxed);
  for (auto& share : shares_) {
    if (!has_thread(share)) continue;
    share->runs.fetch_add(1, std::memory_order_release);
    share->runs.notify_one();
  }
}

void ProgressThreads::work(Share& share) noexcept {
  for (std::uint32_t seen = 0;; ++seen) {
    const auto handed = [&] { return share.runs.load(std::memory_order_acquire) != seen; };
    if (!spin_until(handed)) share.runs.wait(seen, std::memory_order_acquire);
    if (leave_) return;
    run_share(share, {limits_->deadline, [this] { return cause_ != kNobody; }});
    if (at_work_.fetch_sub(1, std::memory_order_acq_rel) == 1) wake_one(at_work_);
  }
}

void ProgressThreads::run_share(Share& share, const RunLimits& limits) {
  const Clock::time_point begin = Clock::now();
  share.outcome = share.executor.run(reductions_[share.rails.number], regions_, limits);
  share.busy = Clock::now() - begin - share.outcome.waited;
  if (share.outcome.ending != Ending::done) end_all(share.rails.number);
}

/// Keeps the first cause only: what ends the others follows from it.
void ProgressThreads::end_all(unsigned cause) {
  std::uint32_t nobody = kNobody;
  cause_.compare_exchange_strong(nobody, cause);
}

/// Until their runs have ended, which a deadline does as well. Returns for how long it slept.
std::chrono::nanoseconds ProgressThreads::await_others() {
  const auto all_ended = [this] { return at_work_.load(std::memory_order_acquire) == 0; };
  if (spin_until(all_ended)) return {};
  const Clock::time_point begin = Clock::now();
  while (const std::uint32_t still = at_work_.load(std::memory_order_acquire)) {
    if (cause_ == kNobody && limits_->stop()) {
      shares_[0]->outcome = {.ending = Ending::stopped, .why = "told to stop"};
      end_all(0);
    }
    sleep_while(at_work_, still);
  }
  return Clock::now() - begin;
}

/// With what each share waits for, where the run ended badly.
Outcome ProgressThreads::merged(std::chrono::nanoseconds elapsed) const {
  Outcome all;
  std::chrono::nanoseconds busy{0};
  for (const auto& share : shares_) {
    if (!has_work(*share)) continue;
    busy = std::max(busy, share->busy);
    all.descheduled = std::max(all.descheduled, share->outcome.descheduled);
  }
  all.waited = std::max(elapsed - busy, std::chrono::nanoseconds{0});
  const std::uint32_t cause = cause_;
  if (cause == kNobody) return all;
  all.ending = shares_[cause]->outcome.ending;
  all.why = shares_[cause]->outcome.why;
  all.waits = shares_[cause]->outcome.waits;
  for (const auto& share : shares_) {
    if (!has_work(*share)) continue;
    std::ranges::copy(share->outcome.faults, std::back_inserter(all.faults));
    if (share->rails.number != cause) all.waits += share->outcome.waits;
  }
  return all;
}

std::span<const std::chrono::nanoseconds> ProgressThreads::rail_times() {
  for (const auto& share : shares_) {
    const auto times = share->executor.rail_times();
    for (unsigned own = 0; own < times.size(); ++own)
      rail_times_[share->rails.rail(own)] = times[own];
  }
  return rail_times_;
}

Outcome ProgressThreads::exchange_samples(const RunLimits& limits) {
  for (auto& share : shares_) {
    Outcome outcome = share->executor.exchange_samples(limits);
    if (outcome.ending != Ending::done) return outcome;
  }
  return {};
}

ProgressThreads::Place ProgressThreads::place_of(Channel channel) const {
  const auto begins_behind = [&](const auto& share) { return share->first_channel > channel; };
  const auto behind = std::ranges::find_if(shares_, begins_behind);
  const Share& share = **std::prev(behind);
  return {share, channel - share.first_channel};
}

Traffic ProgressThreads::traffic(Channel channel) const {
  const Place place = place_of(channel);
  return place.share.executor.traffic(place.channel);
}

std::vector<EdgeSample> ProgressThreads::samples(Channel channel) const {
  const Place place = place_of(channel);
  return place.share.executor.samples(place.channel);
}

std::string ProgressThreads::describe(Channel channel) const {
  const Place place = place_of(channel);
  return place.share.transport.describe(place.channel);
}

std::optional<Channel> ProgressThreads::delivered_by(std::size_t element) const {
  for (const auto& share : shares_) {
    const auto channel = executor::delivered_by(share->executor.plan(), element);
    if (channel) return share->first_channel + *channel;
  }
  return std::nullopt;
}

std::optional<schedule::Block> ProgressThreads::carried_as(schedule::Block blocks,
                                                           std::size_t element) const {
  for (const auto& share : shares_) {
    const auto block = executor::carried_as(share->executor.plan(), blocks, element);
    if (block) return block;
  }
  return std::nullopt;
}

}  // namespace railgauge::executor
