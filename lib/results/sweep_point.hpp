#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "json/members.hpp"

namespace railgauge::results {

/// Where a collective's data are: in memory of the host, or of each rank's GPU.
enum class MemoryKind : std::uint8_t { host, gpu };

/// "host", "gpu".
[[nodiscard]] std::string_view word(MemoryKind memory);

/// What a sweep varies besides type, operator, algorithm and size: how ranks are connected, and
/// whose data it is. Figures of different points are figures of different things. The defaults are
/// what was in force before there was an option.
struct SweepPoint {
  std::vector<unsigned> rails{};
  bool own_rails = false;         // each rank drove only those of them that it is local to
  unsigned queue_pairs = 1;       // to each peer on each rail
  std::uint32_t chunk_bytes = 0;  // 0: not known
  std::uint8_t traffic_class = 0;
  int root = -1;  // -1: the collective has none
  /// What had to be combined only moved (--reduce none): a load, whose result is worthless.
  bool unreduced = false;
  MemoryKind memory = MemoryKind::host;
  /// The groups of ranks that ran at the same time (--split); empty: all ranks were one.
  std::string split{};

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a 0 in what the compiler writes
  friend auto operator<=>(const SweepPoint&, const SweepPoint&) = default;

  RAILGAUGE_FIELDS(root, (rails), own_rails, queue_pairs, chunk_bytes, traffic_class, unreduced,
                   memory, split)
};

/// "0+1".
[[nodiscard]] std::string joined(const std::vector<unsigned>& rails);
/// The point's rails, or "own".
[[nodiscard]] std::string rails_of(const SweepPoint& point);

/// Of an unreduced point, for people.
inline constexpr const char* kUnreduced = "UNVERIFIED: moved, not reduced";

/// "rail 0, 2 queue pairs": of a point that in which `all` differ; empty if they are the same. That
/// it is unreduced is always said.
[[nodiscard]] std::string in_words(const SweepPoint& point, const std::vector<SweepPoint>& all);

}  // namespace railgauge::results
