#pragma once

#include <compare>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace railgauge::results {

/// What a sweep varies besides type, operator, algorithm and size: how ranks are connected, and
/// whose data it is. Figures of different points are figures of different things. The defaults are
/// what was in force before there was an option.
struct SweepPoint {
  std::vector<unsigned> rails{};
  bool own_rails = false;         // each rank drove only those of them that it is local to
  unsigned queue_pairs = 1;       // to each peer on each rail
  std::uint32_t chunk_bytes = 0;  // 0: not known
  unsigned traffic_class = 0;
  int root = -1;  // -1: the collective has none

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a 0 in what the compiler writes
  friend auto operator<=>(const SweepPoint&, const SweepPoint&) = default;
};

/// "0+1".
[[nodiscard]] std::string joined(const std::vector<unsigned>& rails);
/// The point's rails, or "own".
[[nodiscard]] std::string rails_of(const SweepPoint& point);

}  // namespace railgauge::results
