#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace railgauge::topology {

/// One name of a list of ports, as NCCL 2.30 has them in NCCL_IB_HCA:
/// <device>[:<port>[:<rail>[:<plane>]]]. A part that is empty, or left out, is not said:
/// mlx5_0::0:1 is all ports of mlx5_0, on plane 1 of rail 0.
struct PortName {
  std::string device{};
  std::optional<int> port{};
  std::optional<int> rail{};
  std::optional<int> plane{};

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
  /// Whether names are whole names.
  [[nodiscard]] bool exact() const { return exact_; }
  /// Whether its names say the rails of their ports.
  [[nodiscard]] bool says_rails() const { return !names_.empty() && names_.front().rail; }

 private:
  void check_rails() const;

  std::string text_;
  bool negated_ = false;
  bool exact_ = false;
  std::vector<PortName> names_;
};

/// What NCCL_IB_HCA says in the environment, and what is to be said of that. Pure: `value` is what
/// getenv() returns. Nothing of either if it is not set, or empty.
struct NcclPorts {
  std::optional<PortPattern> ports{};  // empty, with a note, if it cannot be read
  std::string note{};
};
NcclPorts nccl_ports(const char* value);

}  // namespace railgauge::topology
