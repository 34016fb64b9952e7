#pragma once

#include <cstddef>
#include <vector>
#include "json/members.hpp"
#include "results/pairs.hpp"

#include "pairs/selection.hpp"
#include "results/rank.hpp"

namespace railgauge::runner {

/// The NICs of all ranks, for tests in which a rank is a host: the only one on it, or one with
/// devices of its own.
struct AllNics {
  std::vector<pairs::Nic> nics;      // by rank, then as its rails
  std::vector<std::size_t> rank_of;  // of each NIC
};

/// Throws job::RunFailure (usage) if two ranks share a NIC.
[[nodiscard]] AllNics nics_of(const std::vector<results::Rank>& ranks);

/// What an earlier run measured, and with which NICs.
struct EarlierRows {
  std::vector<results::Endpoint> nics{};
  std::vector<results::PairRow> rows{};

  RAILGAUGE_FIELDS((nics), (rows))
};

/// Its rows, if it had the same NICs as `now`, with the addresses that these have now: a NIC is
/// known by its host, device, port and rail, and may get another address (software devices take
/// what is free). Throws job::RunFailure (usage), which names a NIC that only one of both has.
[[nodiscard]] std::vector<results::PairRow> rows_of_same_nics(EarlierRows earlier,
                                                              const AllNics& now);

}  // namespace railgauge::runner
