#pragma once

#include <string>
#include <vector>

#include "job/communicator.hpp"
#include "reachability/matrix.hpp"
#include "verbs/port.hpp"

namespace railgauge::benchmarks {

/// All ranks' NICs. A rank is a host here: the only one on it, or one with devices of its own.
struct AllNics {
  std::vector<reachability::Nic> nics;  // by rank, then by rail
  std::vector<int> rails;               // how many each rank has
  /// What the addresses tell beforehand (topology/rail_check.hpp): wrong, and no reason not to try.
  std::vector<std::string> misfits;

  [[nodiscard]] std::size_t place(int rank, int rail) const;
};

/// Collective. Throws job::RunFailure (usage, on all ranks) if there is one rank only, or two of
/// one host share a NIC.
[[nodiscard]] AllNics gather_nics(job::Communicator& communicator,
                                  const std::vector<verbs::Port>& own);

}  // namespace railgauge::benchmarks
