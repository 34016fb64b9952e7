#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "json/members.hpp"

namespace railgauge::results {

/// Of a few dozen durations.
struct Quantiles {
  double min_us = 0;
  double p10_us = 0;
  double p50_us = 0;
  double p90_us = 0;
  double max_us = 0;

  RAILGAUGE_FIELDS((min_us), (p10_us), (p50_us), (p90_us), (max_us))
};

/// Of nothing, nothing.
[[nodiscard]] inline std::optional<Quantiles> quantiles_of(std::vector<double> values_us) {
  if (values_us.empty()) return std::nullopt;
  std::ranges::sort(values_us);
  const auto at = [&](std::size_t tenths) {
    return values_us[(values_us.size() - 1) * tenths / 10];
  };
  return Quantiles{values_us.front(), at(1), at(5), at(9), values_us.back()};
}

/// How long single chunks of a row took on one connection: from one rank to another, on one plane
/// of a rail. The ring that a chunk is part of makes all ranks equally slow; this does not.
struct EdgeTimes {
  int from = 0;
  int to = 0;
  int rail = 0;  // of the sender
  int plane = 0;
  int to_rail = 0;  // of the receiver; another only where ranks drive rails of their own
  int to_plane = 0;
  std::uint64_t samples = 0;
  std::uint64_t bytes = 0;  // of a chunk, the median
  std::uint64_t most_bytes = 0;
  Quantiles round{};                 // from the post to the completion, at the sender
  std::optional<Quantiles> there{};  // from the post to the notification at the receiver; empty:
                                     // the two hosts' clocks cannot be compared
  std::optional<Quantiles> back{};   // from there to the completion

  RAILGAUGE_FIELDS((from), (to), (rail), plane, to_rail, to_plane, samples, bytes, most_bytes,
                   (round), there, back)
};

}  // namespace railgauge::results
