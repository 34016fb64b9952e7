#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/rail.hpp"

namespace railgauge::topology {

/// One name of a list of ports, as NCCL 2.30 has them in NCCL_IB_HCA:
/// <device>[:<port>[:<rail>[:<plane>]]]. A part that is empty, or left out, is not said:
/// mlx5_0::0:1 is all ports of mlx5_0, on plane 1 of rail 0.
struct PortName {
  std::string device{};
  std::optional<int> port{};
  std::optional<int> rail{};
  std::optional<int> plane{};  // not said: ports of a rail are planes in their order
  bool prefix = false;         // the device's name only begins so

  [[nodiscard]] bool matches(const std::string& name, int number) const;

  friend bool operator==(const PortName&, const PortName&) = default;
};

/// Throws std::invalid_argument for no device, more than four parts, a port that is not a number
/// above 0, a rail or plane that is not a number, and a plane without its rail.
PortName parse_port_name(std::string_view text);

/// Ports by name, written as for NCCL_IB_HCA (docs/userguide/source/env.rst of NCCL): "mlx5" is all
/// devices whose names begin so, "mlx5_0:1,mlx5_1:1" two ports, "=mlx5_1" that device and not
/// mlx5_10, "^mlx5_3" and "^=mlx5_3" all but those. ^ and = precede the whole list. As in NCCL a
/// name may say rail and plane of its ports, the first name that matches a port counts, and an
/// empty name between two commas is none.
class PortPattern {
 public:
  /// Throws std::invalid_argument for a list without names, what parse_port_name() refuses, names
  /// of which only some say their rail, and rails of ports that are left out (^).
  explicit PortPattern(std::string_view text);

  [[nodiscard]] bool matches(const std::string& device, int port) const;
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const std::vector<PortName>& names() const { return names_; }
  /// Whether its names say the rails of their ports.
  [[nodiscard]] bool says_rails() const { return !names_.empty() && names_.front().rail; }

 private:
  void check_rails() const;

  std::string text_;
  bool negated_ = false;
  std::vector<PortName> names_;
};

/// What NCCL_IB_HCA says in the environment, and what is to be said of that. Pure: `value` is what
/// getenv() returns. Nothing of either if it is not set, or empty.
struct NcclPorts {
  std::optional<PortPattern> ports{};  // empty, with a note, if it cannot be read
  std::string note{};
};
NcclPorts nccl_ports(const char* value);

/// Where a user says that ports of devices are: names with their rails, of which the first that
/// matches a port counts.
using RailMap = std::vector<PortName>;

/// Reads either
/// - "mlx5_0=0,mlx5_1=1", or with ports and planes "mlx5_0:2=0:1"; line ends and blanks separate as
///   commas do, and # begins a comment to the end of its line; a port that is named goes before
///   all ports of its device;
/// - or NCCL_IB_HCA's words, "=mlx5_0:1:0:0,mlx5_1:1:0:1".
/// Throws std::invalid_argument unless all entries are of one of these forms, the rails are 0, 1, 2
/// and so on, and no place is given twice. Two entries of one rail have to say their planes.
RailMap parse_rail_map(const std::string& text);

/// From a command line: the map itself if it contains a = or, without a /, a :; else the file that
/// holds it. Throws std::invalid_argument.
RailMap load_rail_map(const std::string& text_or_file);

/// The map that a pattern says; empty if it says no rails. Throws as parse_rail_map().
RailMap rail_map_of(const PortPattern& pattern);

/// The map of devices that are named in order (--devices): one rail each, or as they say in NCCL's
/// words. Throws as parse_rail_map(), and for a name that is there twice.
RailMap rail_map_of_devices(const std::vector<std::string>& devices);

/// Where a map says that a port is; empty if it says nothing of it.
std::optional<RailPlane> mapped_place(const RailMap& map, const std::string& device, int port);

/// "mlx5_0:2"
std::string text_of(const PortName& port);

}  // namespace railgauge::topology
