#include "cluster/rank_watch.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <sched.h>
#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>

#include "measure/cpu_share.hpp"
#include "transport/exchange.hpp"

namespace railgauge::cluster {
namespace {

constexpr double kMicro = 1e6;

std::string content_of(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Of this thread, on processors.
double ran_us() {
  constexpr double kNano = 1e-3;
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * kMicro + static_cast<double>(time.tv_nsec) * kNano;
}

std::optional<double> difference(std::optional<double> now, std::optional<double> before) {
  if (!now || !before) return {};
  return *now - *before;
}

/// Now, over all of this host; empty if the kernel does not say.
std::optional<HostTime> host_time() {
  return read_host_time(content_of("/proc/stat"), static_cast<double>(::sysconf(_SC_CLK_TCK)));
}

}  // namespace

std::optional<HostTime> read_host_time(std::string_view stat, double hertz) {
  std::istringstream line{std::string(stat.substr(0, stat.find('\n')))};
  std::string name;
  line >> name;
  if (name != "cpu") return {};
  enum Column : std::size_t { user, nice, system, idle, iowait, irq, softirq, steal, columns };
  std::array<double, columns> ticks{};
  for (double& column : ticks) {
    if (!(line >> column)) return {};
  }
  const double busy = ticks[user] + ticks[nice] + ticks[system] + ticks[irq] + ticks[softirq];
  return HostTime{busy / hertz, ticks[steal] / hertz};
}

RankWatch::Reading RankWatch::read() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return {.when = std::chrono::steady_clock::now(),
          .ran_us = ran_us(),
          .queued_us = measure::queued_us_of_this_thread(),
          .preemptions = static_cast<std::uint64_t>(usage.ru_nivcsw),
          .major_faults = static_cast<std::uint64_t>(usage.ru_majflt),
          .host = host_time()};
}

void RankWatch::restart() {
  begin_ = read();
  slept_ = descheduled_ = {};
}

results::RankLoad RankWatch::now() const {
  const Reading end = read();
  const std::chrono::duration<double> wall = end.when - begin_.when;
  results::RankLoad load{
      .wall_us = wall.count() * kMicro,
      .ran_us = end.ran_us - begin_.ran_us,
      .queued_us = difference(end.queued_us, begin_.queued_us),
      .descheduled_us = std::chrono::duration<double, std::micro>(descheduled_).count(),
      .slept_us = std::chrono::duration<double, std::micro>(slept_).count(),
      .preemptions = end.preemptions - begin_.preemptions,
      .major_faults = end.major_faults - begin_.major_faults,
      .host_processors = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN))};
  if (end.host && begin_.host && wall.count() > 0) {
    load.host_busy = (end.host->busy_s - begin_.host->busy_s) / wall.count();
    load.host_stolen = (end.host->stolen_s - begin_.host->stolen_s) / wall.count();
  }
  return load;
}

std::vector<results::RankLoad> gather(job::Communicator& communicator,
                                      const results::RankLoad& own) {
  std::vector<results::RankLoad> all;
  for (const auto& one : transport::all_gather(communicator, std::vector{own})) {
    all.push_back(one.at(0));
    all.back().rank = static_cast<int>(all.size()) - 1;
  }
  return all;
}

std::uint64_t clock_identity() {
  return std::hash<std::string>{}(content_of("/proc/sys/kernel/random/boot_id") +
                                  content_of("/proc/self/timens_offsets"));
}

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
  /// Sleeps until the next one, and tells how long it was descheduled meanwhile.
  std::optional<Clock::duration> next() {
    std::this_thread::sleep_for(kBeat);
    const auto before = std::exchange(last_, look());
    if (!before || !last_) return {};
    if (last_->when - before->when > kBeat + kLate) last_->queued_after = queued().value_or(0ns);
    auto still = descheduled_time(*before, *last_);
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

std::chrono::nanoseconds descheduled_time(const Beat& before, const Beat& now) {
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

std::optional<std::chrono::nanoseconds> Heartbeat::longest_descheduled() {
  const std::lock_guard lock(mutex_);
  return std::exchange(longest_, longest_ ? std::optional(std::chrono::nanoseconds(0)) : longest_);
}

}  // namespace railgauge::cluster
