#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "json/members.hpp"

namespace railgauge::results {

/// What a rank's processor did while a row was measured. Times are of the thread that runs the
/// collective. A rank that did not get a processor looks like a slow network to its peers.
struct RankLoad {
  int rank = 0;
  double wall_us = 0;
  double ran_us = 0;
  std::optional<double>
      queued_us{};            // ready to run, and not running; empty: the kernel does not say
  double descheduled_us = 0;  // between two looks at the clock while it did nothing but poll,
                              // beyond a millisecond: stopped, throttled or preempted
  double slept_us = 0;        // because there was nothing to do, with what it was descheduled
  std::uint64_t preemptions = 0;
  std::uint64_t major_faults = 0;
  std::optional<double> host_busy{};    // processors of the host that were busy, on average
  std::optional<double> host_stolen{};  // that the hypervisor gave to others
  int host_processors = 0;

  RAILGAUGE_FIELDS((rank), (wall_us), ran_us, queued_us, descheduled_us, slept_us, preemptions,
                   major_faults, host_busy, host_stolen, host_processors)
};

/// For what part of their time ranks did not wait for a CPU, on average. Empty: the kernel did not
/// say.
[[nodiscard]] inline std::optional<double> cpu_share(std::span<const RankLoad> loads) {
  double shares = 0;
  for (const RankLoad& load : loads) {
    if (!load.queued_us || load.wall_us <= 0) return std::nullopt;
    shares += 1 - std::clamp(*load.queued_us / load.wall_us, 0.0, 1.0);
  }
  if (loads.empty()) return std::nullopt;
  return shares / static_cast<double>(loads.size());
}

}  // namespace railgauge::results
