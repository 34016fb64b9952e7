#include "cluster/heartbeat.hpp"

#include <sched.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <utility>

#include "cluster/rank_watch.hpp"
#include "measure/queued_time.hpp"

namespace railgauge::cluster {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kBeat{50};
// /proc/stat takes a millisecond where there are many processors.
constexpr unsigned kBeatsPerReading = 20;
constexpr std::chrono::milliseconds kLate{100};

/// Signals are for the threads that wait for them; a new thread inherits what is blocked.
class WithoutSignals {
 public:
  WithoutSignals() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~WithoutSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;

 private:
  sigset_t before_{};
};

/// The rank may be bound to a core on which it polls: each beat would delay it there. What the
/// control group does not allow, the kernel leaves out; if it refuses, the thread stays.
void run_on_any_processor() {
  cpu_set_t all;
  CPU_ZERO(&all);
  for (std::size_t processor = 0; processor < CPU_SETSIZE; ++processor) CPU_SET(processor, &all);
  ::sched_setaffinity(0, sizeof all, &all);
}

/// Of the calling thread.
class Beats {
 public:
  /// Sleeps until the next one, and tells how long it stood still meanwhile.
  std::optional<Clock::duration> next() {
    std::this_thread::sleep_for(kBeat);
    const auto before = std::exchange(last_, look());
    if (!before || !last_) return {};
    if (last_->when - before->when > kBeat + kLate) last_->queued_after = queued().value_or(0ns);
    auto still = stood_still(*before, *last_);
    if (still > kLate) still -= stolen_lately();
    if (++beats_ % kBeatsPerReading == 0) (void)stolen_lately();
    return std::max(still, Clock::duration::zero());
  }

 private:
  static std::optional<std::chrono::nanoseconds> queued() {
    const auto us = measure::queued_us_of_this_thread();
    return us ? std::optional(from_us(*us)) : std::nullopt;
  }

  static std::optional<Beat> look() {
    const auto before = queued();
    if (!before) return {};
    return Beat{Clock::now(), *before, *before};
  }

  /// By other machines, since it was asked last: a second ago, or when it was late.
  Clock::duration stolen_lately() {
    const auto before = std::exchange(host_, host_time());
    constexpr double kMicro = 1e6;
    return host_ && before ? from_us(kMicro * (host_->stolen_s - before->stolen_s)) : from_us(0);
  }

  static Clock::duration from_us(double us) {
    return std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double, std::micro>(us));
  }

  std::optional<Beat> last_ = look();
  std::optional<HostTime> host_ = host_time();
  unsigned beats_ = 0;
};

}  // namespace

std::chrono::nanoseconds stood_still(const Beat& before, const Beat& now) {
  return now.when - before.when - kBeat - (now.queued_after - before.queued_before);
}

Heartbeat::Heartbeat() {
  const WithoutSignals blocked;
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void Heartbeat::run(const std::stop_token& stop) {
  run_on_any_processor();
  Beats beats;
  while (!stop.stop_requested()) {
    if (const auto still = beats.next()) take(*still);
  }
}

void Heartbeat::take(std::chrono::nanoseconds still) {
  const std::lock_guard lock(mutex_);
  longest_ = std::max(longest_.value_or(std::chrono::nanoseconds(0)), still);
}

std::optional<std::chrono::nanoseconds> Heartbeat::longest_stood_still() {
  const std::lock_guard lock(mutex_);
  return std::exchange(longest_, longest_ ? std::optional(std::chrono::nanoseconds(0)) : longest_);
}

}  // namespace railgauge::cluster
