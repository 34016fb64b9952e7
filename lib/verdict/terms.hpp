#pragma once

#include <cstdint>
#include <optional>

namespace railgauge::verdict {

/// Sizes up to this one are small: their time hardly grows with size.
constexpr std::uint64_t kSmallBytes = 4096;

/// Both ends included.
struct SizeRange {
  std::uint64_t from_bytes = 0;
  std::uint64_t to_bytes = UINT64_MAX;

  [[nodiscard]] bool holds(std::uint64_t size_bytes) const {
    return from_bytes <= size_bytes && size_bytes <= to_bytes;
  }

  friend bool operator==(const SizeRange&, const SizeRange&) = default;
};

/// Which sizes decide, where a policy says so: what is found of others is a note.
struct CountedSizes {
  SizeRange latency{0, kSmallBytes};
  SizeRange bandwidth{kSmallBytes + 1, UINT64_MAX};

  [[nodiscard]] bool holds(std::uint64_t size_bytes) const {
    return latency.holds(size_bytes) || bandwidth.holds(size_bytes);
  }

  friend bool operator==(const CountedSizes&, const CountedSizes&) = default;
};

/// How two sides are compared.
struct Terms {
  double tolerance = 0.05;                // 0.05: what is up to 5 % worse passes
  bool interpolate = false;               // sizes that the other side lacks
  bool absolute = false;                  // compare GB/s, whatever the NICs
  std::optional<CountedSizes> counted{};  // empty: all decide
};

}  // namespace railgauge::verdict
