#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "reachability/matrix.hpp"
#include "reachability/meetings.hpp"
#include "results/rank.hpp"

namespace railgauge::runner {

/// The NICs of all ranks, for tests in which a rank is a host: the only one on it, or one with
/// devices of its own. They have the places of the fabric: a plane of a rail each, in order, some
/// of which a rank may lack.
struct AllNics {
  std::vector<reachability::Nic> nics;         // by rank, then by place
  std::vector<std::map<int, std::size_t>> at;  // [rank] by place
  std::vector<std::size_t> rank_of;            // of each NIC
  int places = 0;

  [[nodiscard]] bool has(const reachability::Place& one) const {
    return at[static_cast<std::size_t>(one.host)].contains(one.rail);
  }
  [[nodiscard]] std::size_t index(const reachability::Place& one) const {
    return at[static_cast<std::size_t>(one.host)].at(one.rail);
  }
};

/// Throws job::RunFailure (usage) if two ranks share a NIC.
[[nodiscard]] AllNics nics_of(const std::vector<results::Rank>& ranks);

}  // namespace railgauge::runner
