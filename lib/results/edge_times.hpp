#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace railgauge::results {

/// Of a few dozen durations.
struct Quantiles {
  double min_us = 0;
  double p10_us = 0;
  double p50_us = 0;
  double p90_us = 0;
  double max_us = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("min_us", self.min_us);
    visit.required("p10_us", self.p10_us);
    visit.required("p50_us", self.p50_us);
    visit.required("p90_us", self.p90_us);
    visit.required("max_us", self.max_us);
  }
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

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("from", self.from);
    visit.required("to", self.to);
    visit.required("rail", self.rail);
    visit("plane", self.plane);
    visit("to_rail", self.to_rail);
    visit("to_plane", self.to_plane);
    visit("samples", self.samples);
    visit("bytes", self.bytes);
    visit("most_bytes", self.most_bytes);
    visit.required("round", self.round);
    visit("there", self.there);
    visit("back", self.back);
  }
};

}  // namespace railgauge::results
