#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "diagnosis/path_times.hpp"
#include "diagnosis/place.hpp"

namespace railgauge::diagnosis {

/// What makes a place slow, told by how it depends on the size of chunks and from one to the next.
enum class Slowness : std::uint8_t {
  unknown,
  delay,   ///< every chunk takes longer by about the same
  rate,    ///< longer the more bytes it has
  jitter,  ///< some chunks, by very different times
};

struct SlowPlace {
  Place place;
  std::vector<Place> alternatives{};  ///< other places of the same paths
  Slowness kind = Slowness::unknown;
  double slower = 1;          ///< times what others take, the median over rows in which it is slow
  double fastest_slower = 1;  ///< of fastest chunks alone
  double excess_us = 0;       ///< of a chunk, the median over those rows
  double gigabytes_per_second = 0;  ///< of a rate
  std::size_t rows = 0;             ///< in so many rows
  std::size_t of_rows = 0;
  /// See slower_than_twins(): the load of its ranks is no explanation.
  bool beyond_twins = false;
  /// Nothing but slower_than_other_hosts() tells it, as it might of a host whose ranks have load.
  bool only_beyond_hosts = false;
};

/// Whether a path, by what it did in all rows, is slower than others of them, row after row.
[[nodiscard]] bool is_slow(const std::vector<Mark>& marks);

/// Places whose paths are slower than others, row after row. Slow is compared with the faster half
/// of the same rows, and with how much these differ among themselves: on a loaded machine it takes
/// more to stand out. What is slow everywhere is not found.
[[nodiscard]] std::vector<SlowPlace> find_slow_places(std::span<const std::vector<PathTime>> rows,
                                                      const Ports& ports);

}  // namespace railgauge::diagnosis
