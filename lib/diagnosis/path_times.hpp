#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "diagnosis/ports.hpp"
#include "normal/floors.hpp"
#include "results/collective.hpp"

namespace railgauge::diagnosis {

/// In microseconds: below it, software devices differ among themselves.
inline constexpr double kLeastExcess = 20;

/// How long chunks took from port to port in one row.
struct PathTime {
  Path path;
  bool within_host = false;  ///< compared only with others that are
  std::uint64_t bytes = 0;   ///< of a chunk
  std::uint64_t samples = 0;
  double min_us = 0;  ///< of the fastest chunk: load hardly raises it
  double median_us = 0;
  std::optional<double> ack_delay_us{};      ///< by how much the acknowledgement prolonged it
  std::optional<results::Quantiles> back{};  ///< of acknowledgements, which pass the path's reverse
  double least_excess_us = kLeastExcess;     ///< by which it has to be longer, to be slow
  bool in_turn = false;                      ///< of a row that serves_in_turn()
};

/// Whether one rank serves all others one after the other, as in direct all-reduce: then who waits
/// longer, and for whom, is a matter of turns. Only the fastest chunk of a path tells of it.
[[nodiscard]] bool serves_in_turn(const results::CollectiveRow& row);

/// One row's edges, as paths between ports: of several ranks that share them the fastest. Where
/// ranks hardly ever got a processor even the fastest chunk waited for one.
[[nodiscard]] std::vector<PathTime> path_times(const results::CollectiveRow& row,
                                               const Ports& ports);

/// Fewer chunks tell nothing of a path.
inline constexpr std::uint64_t kFewestSamples = 5;

/// A path is slow in a row if it takes so many times what others do.
inline constexpr double kSlower = 3;

/// What the faster paths of a row take, in microseconds.
struct Usual {
  normal::Floors floors{};  ///< of the fastest chunks
  double median_us = 0;
  double ack_delay_us = 0;
};

/// What one path did in one row.
struct Mark {
  std::size_t row = 0;
  PathTime time;
  Usual usual;
  bool min_slow = false;
  bool median_slow = false;
  bool apart = false;         ///< its fastest chunk is, from the row's spread
  bool beyond_twins = false;  ///< see slower_than_twins()
  bool beyond_hosts = false;  ///< see slower_than_other_hosts()

  [[nodiscard]] bool slow() const {
    return min_slow || median_slow || apart || beyond_twins || beyond_hosts;
  }
};

struct Marks {
  std::map<Path, std::vector<Mark>> data;
  std::map<Path, std::pair<std::size_t, std::size_t>> ack_delays;  // slow, of so many
};

/// Every path of every row, compared with those of the same row that are alike.
[[nodiscard]] Marks marks_of(std::span<const std::vector<PathTime>> rows, const Ports& ports);

}  // namespace railgauge::diagnosis
