#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "results/collective.hpp"

namespace railgauge::diagnosis {

/// A rail on which a rank's data take longer than on each of its others, on every rank alike: what
/// no comparison of paths within a rail shows, and where chunks wait for each other, no comparison
/// of chunks.
struct SlowRail {
  int rail = 0;
  double slower = 1;     ///< times the slowest other rail, of the rank where it is least; the mean
  double least = 1;      ///< of those rows
  std::size_t rows = 0;  ///< in which it is slow
  std::size_t of_rows = 0;
};

/// Of rows whose rails carry about as many bytes, on all ranks and long enough to be told apart.
/// Two rows at least; the ranks of one row may all have been late by chance.
[[nodiscard]] std::optional<SlowRail> find_slow_rail(
    const std::vector<results::CollectiveRow>& rows);

}  // namespace railgauge::diagnosis
