#pragma once

#include <cstddef>
#include <vector>

#include "isolation/evidence.hpp"
#include "results/rank.hpp"
#include "results/reachability.hpp"

namespace railgauge::runner {

/// A NIC of the fabric, and who drives it. Planes of a rail are networks of their own, and so rails
/// here.
struct TestedNic {
  isolation::Nic nic{};
  results::Endpoint end{};
  std::size_t rank = 0;
  bool software = false;
};

/// All ranks' NICs, by rank and rail. A rank is a host: the only one on it, or one with devices of
/// its own. Throws job::RunFailure (usage) if two ranks share a NIC.
[[nodiscard]] std::vector<TestedNic> tested_nics(const std::vector<results::Rank>& ranks);

}  // namespace railgauge::runner
