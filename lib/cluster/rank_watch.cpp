#include "cluster/rank_watch.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>

#include "measure/queued_time.hpp"
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

std::optional<HostTime> host_time() {
  return read_host_time(content_of("/proc/stat"), static_cast<double>(::sysconf(_SC_CLK_TCK)));
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
  slept_ = held_up_ = {};
}

results::RankLoad RankWatch::now() const {
  const Reading end = read();
  const std::chrono::duration<double> wall = end.when - begin_.when;
  results::RankLoad load{.wall_us = wall.count() * kMicro,
                         .ran_us = end.ran_us - begin_.ran_us,
                         .queued_us = difference(end.queued_us, begin_.queued_us),
                         .held_up_us = std::chrono::duration<double, std::micro>(held_up_).count(),
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

}  // namespace railgauge::cluster
