#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "fabric/fabric.hpp"
#include "predict/network.hpp"
#include "predict/ranks.hpp"
#include "schedule/schedule.hpp"

namespace railgauge::predict {

/// In us: of a step with a message between hosts, and of one without.
struct Latencies {
  double network_us = 5;
  double inside_us = 2.5;
  double post_us = 0.5;  ///< of a further message that waits for no other
};

/// What a schedule waits for besides bytes: steps in sequence, further messages, and a WAN.
struct Waits {
  double between_hosts = 0;  ///< steps with a message between hosts
  double inside = 0;         ///< steps without one
  double posts = 0;          ///< messages of the busiest rank that wait for no other
  double wan_us = 0;
};

[[nodiscard]] double latency_us(const Waits& waits, const Latencies& latencies);

/// What a schedule costs on a network: time = latency + bytes of a rank's data x us per byte. Every
/// step lasts as long as its worst link: flows of one size that begin together and share links
/// fairly end at max over links of bytes / capacity.
struct Profile {
  Waits waits{};
  double us_per_byte = 0;           ///< mean over hash seeds
  double worst_us_per_byte = 0;     ///< of the worst seed
  double ideal_us_per_byte = 0;     ///< if only NICs and NVLink had a limit
  double reduced = 0;               ///< parts of its data that the busiest rank combines
  std::array<double, 4> of_kind{};  ///< us per byte in steps whose worst link is of that kind
  double aggregate = 1;   ///< throughput when the worst step begins, over that without a fabric
  double hash_step = 0;   ///< efficiency of that step by the closed form E[max]; 0: no hash
  double fill_links = 0;  ///< of a pipeline: links that get a chunk before the last one has any
  std::string worst{};    ///< the worst link of the step that takes longest, and why
  std::uint64_t steps = 0;
  std::uint64_t looked_at = 0;  ///< step classes whose links were added up
  std::uint64_t classes = 0;
  unsigned seeds = 1;
  bool counted_only = false;  ///< too many ops for link loads: the schedule's own cost instead

  [[nodiscard]] double step_efficiency() const {
    return us_per_byte > 0 ? ideal_us_per_byte / us_per_byte : 1;
  }
};

/// Adds up the loads of all links in every step, or in as many as there is time for.
[[nodiscard]] Profile profile_of(const schedule::Schedule& schedule, const fabric::Fabric& fabric,
                                 const Ranks& ranks, const Routing& routing);

}  // namespace railgauge::predict
