#pragma once

#include <string>
#include <vector>

#include "pairs/selection.hpp"
#include "results/pairs.hpp"

namespace railgauge::pairs {

inline constexpr double kLineRate = 50;  // GB/s

inline void set_bandwidth(results::PairFigures& figures, double gigabytes_per_second) {
  figures.gigabytes_per_second = gigabytes_per_second;
  figures.line_rate_percent = 100 * gigabytes_per_second / kLineRate;
}

/// So many hosts with a NIC on each of so many rails.
struct Hosts {
  Hosts(std::size_t hosts, int rails) {
    for (std::size_t host = 0; host < hosts; ++host) {
      for (int rail = 0; rail < rails; ++rail) {
        nics.push_back(
            {.host = "host" + std::to_string(host),
             .rail = rail,
             .device = "mlx5_" + std::to_string(rail),
             .address = "10." + std::to_string(rail) + ".0." + std::to_string(host + 1)});
        host_of.push_back(host);
      }
    }
  }

  [[nodiscard]] results::Endpoint end(std::size_t nic) const {
    const Nic& one = nics[nic];
    return {one.host, one.rail, one.device, one.port, one.address, one.plane};
  }

  /// Every NIC to every other of its rail and another host, so many GB/s of a line of 50 GB/s.
  [[nodiscard]] std::vector<results::PairRow> rows(double gigabytes_per_second) const {
    std::vector<results::PairRow> rows;
    for (std::size_t from = 0; from < nics.size(); ++from) {
      for (std::size_t to = 0; to < nics.size(); ++to) {
        if (host_of[from] == host_of[to] || nics[from].rail != nics[to].rail) continue;
        rows.push_back({.from = end(from), .to = end(to), .mode = "bandwidth"});
        set_bandwidth(rows.back().figures, gigabytes_per_second);
      }
    }
    return rows;
  }

  std::vector<Nic> nics{};
  std::vector<std::size_t> host_of{};
};

}  // namespace railgauge::pairs
