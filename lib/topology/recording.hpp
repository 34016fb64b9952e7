#pragma once

#include <filesystem>
#include <istream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "topology/cpu_set.hpp"
#include "topology/netdev.hpp"

namespace railgauge::topology {

/// All that is read of a host to understand it, and nothing else. A host is always looked at
/// through its recording, this one too (record.hpp), so one from elsewhere is as good.
///
/// As text, a file a host, to be read by a person before it is sent to anybody:
///
///     railgauge host 1
///     host: node7
///     allowed: 0-63
///     default-route: eth0
///     address: eth1 10.10.0.8/24
///     class/infiniband/mlx5_0/ports/1/state: 4: ACTIVE
///     class/infiniband/mlx5_0/device -> devices/pci0000:15/0000:15:01.0/0000:16:00.0
///     hwloc:
///     <?xml ...                                    hwloc's XML, to the end
///
/// Files and links are those of /sys, of which only the first line counts. Empty lines and lines
/// that begin with # say nothing.
struct Recording {
  std::string host{};
  CpuSet allowed{};             // where this process may run; none: wherever hwloc's XML says
  std::string default_route{};  // the network device that the default route leaves by
  std::vector<NetAddress> addresses{};
  std::map<std::string, std::string> files{};  // path below /sys: first line
  std::map<std::string, std::string> links{};  // path below /sys: target, below /sys too
  std::string hwloc_xml{};

  /// A file's line; "" if it was not recorded.
  [[nodiscard]] std::string line(const std::string& path) const;
  /// Where a link leads to; "" if it was not recorded.
  [[nodiscard]] std::string target(const std::string& path) const;
  /// What is in a folder, in natural order (mlx5_2 before mlx5_10).
  [[nodiscard]] std::vector<std::string> names(const std::string& folder) const;
};

/// Throws std::invalid_argument that names the line if the text is no recording.
Recording parse_recording(std::istream& text);

/// Reads a file: a recording, or hwloc's XML alone (`lstopo host.xml`), which knows no ports, rates
/// or addresses. Throws std::invalid_argument that names the file.
Recording load_recording(const std::filesystem::path& file);

std::string to_text(const Recording& recording);

}  // namespace railgauge::topology
