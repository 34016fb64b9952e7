#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "soak/record.hpp"

namespace railgauge::soak {

/// Two hosts with two ranks and two rails each, all-reduce and all-to-all in windows of a second.
[[nodiscard]] inline Header sample_header() {
  Header header{.run = "soak-1", .window_s = 1, .duration_s = 60, .load_percent = 80};
  header.plan = {{"all_reduce", "ring", 1 << 20, {0, 1}}, {"alltoall", "pairwise", 65536, {0, 1}}};
  header.unpaced_us = {100, 50};
  for (int number = 0; number < 4; ++number) {
    results::Rank rank{.rank = number, .host = "host" + std::to_string(number / 2)};
    for (int rail = 0; rail < 2; ++rail) {
      rank.rails.push_back(
          {.rail = rail,
           .device = "mlx5_" + std::to_string(rail),
           .address = "10." + std::to_string(rail) + ".0." + std::to_string(1 + number / 2),
           .link_gigabits_per_second = 400});
    }
    header.ranks.push_back(rank);
  }
  return header;
}

[[nodiscard]] inline Window sample_window(std::uint64_t number, double p50_us = 100) {
  Window window{.number = number, .length_s = 1};
  window.phases.push_back({.phase = 0,
                           .iterations = 1000,
                           .verified = 10,
                           .p50_us = p50_us,
                           .p99_us = 2 * p50_us,
                           .p999_us = 3 * p50_us,
                           .busbw_gigabytes_per_second = 4000 / p50_us,
                           .slowest = {.us = 4 * p50_us, .rank = 1},
                           .rails = {{.rail = 0, .bytes = 500}, {.rail = 1, .bytes = 700}}});
  window.ports.push_back({.host = "host0", .device = "mlx5_0", .moved = {{"port_xmit_data", 7}}});
  return window;
}

}  // namespace railgauge::soak
