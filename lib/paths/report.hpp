#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "paths/trace.hpp"

namespace railgauge::paths {

/// A pair of addresses, and what was found between them.
struct PathReport {
  topology::IpAddress from{};
  topology::IpAddress to{};
  std::uint8_t traffic_class = 0;
  std::size_t queue_pairs = 4;  ///< to be spread over paths
  /// The source ports are those that queue pairs have already: how they are spread is asked.
  bool ports_are_in_use = false;
  std::optional<std::uint32_t> queue_pair{};  ///< that probes were sent to
  Trace trace{};
};

/// What came of it.
enum class Told : std::uint8_t {
  paths,    ///< which source port takes which path
  none,     ///< a source port has no path of its own: sprayed, by queue pair, or only bridged
  unknown,  ///< nobody answered who could have told, or only at the beginning of the way
};
[[nodiscard]] Told told(const PathReport& report);

/// What is to be known about it, a sentence each: how many paths, whether to rely on them, what is
/// missing and why, what to do. Never empty.
[[nodiscard]] std::vector<std::string> remarks(const PathReport& report);

/// How to have queue pairs take these source ports, a line for each program that can be told; and
/// which cannot. Empty if no paths are told.
[[nodiscard]] std::vector<std::string> settings_of_programs(const PathReport& report);

[[nodiscard]] std::string as_text(const std::vector<PathReport>& reports);
/// railgauge/paths/1.
[[nodiscard]] std::string as_json(const std::vector<PathReport>& reports);

}  // namespace railgauge::paths
