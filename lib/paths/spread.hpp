#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "paths/trace.hpp"

namespace railgauge::paths {

/// The paths that source ports take, numbered in the order of their first port.
struct DistinctPaths {
  /// The source ports of each path, in the order of the trace.
  std::vector<std::vector<std::uint16_t>> ports{};
  /// Ports of which a switch did not answer that others heard of: their path is not known.
  std::vector<std::uint16_t> incomplete{};
  /// Of these, those that every switch up to one has answered and none behind it, by that switch.
  std::map<topology::IpAddress, std::vector<std::uint16_t>> cut_off{};

  /// Empty for a port whose path is not known.
  [[nodiscard]] std::optional<std::size_t> path_of(std::uint16_t port) const;
};

/// A switch that answers nobody is on no path and on all: it tells none apart.
[[nodiscard]] DistinctPaths distinct_paths(const Trace& trace);

/// Source ports for so many queue pairs, on as many paths as there are, and as evenly as they go.
/// Fewer if there are no ports left. Empty if no path is known.
[[nodiscard]] std::vector<std::uint16_t> spread(const DistinctPaths& paths,
                                                std::size_t queue_pairs);

/// One source port of each path, in the order of the paths' addresses: whoever traces between the
/// same switches has the same order, so that senders can take turns.
[[nodiscard]] std::vector<std::uint16_t> port_of_each_path(const Trace& trace);

/// Source ports that begin with `first` and are `step` apart, as programs have them that count.
struct PortSeries {
  std::uint16_t first = 0;
  std::uint16_t step = 1;
  std::size_t paths = 0;  ///< so many distinct ones
};

/// The series from 49152 on, as UCX's mlx5 transports count, on the most paths with the smallest
/// step. Empty if no such series was traced as a whole.
[[nodiscard]] std::optional<PortSeries> series_from_first_port(const DistinctPaths& paths,
                                                               std::size_t queue_pairs);

/// The series of consecutive ports on the most paths.
[[nodiscard]] std::optional<PortSeries> consecutive_ports(const DistinctPaths& paths,
                                                          std::size_t queue_pairs);

}  // namespace railgauge::paths
