#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "verbs/gid.hpp"

namespace railgauge::verbs {

/// One port of one device, as it was when it was read. Plain data.
struct Port {
  std::string device{};      ///< "mlx5_0"
  int number = 1;            ///< counted from 1, as verbs does
  std::string state{};       ///< in words: "active", "down"
  std::string link_layer{};  ///< "Ethernet", "InfiniBand"
  int mtu_bytes = 0;         ///< active MTU: payload bytes per packet
  double gbps = 0;           ///< link speed in Gb/s, as the port negotiated it; 0 when unknown
  std::string firmware{};
  bool software = false;          ///< there is no hardware: softroce, or the kernel's rdma_rxe
  std::vector<GidEntry> gids{};   ///< the whole table
  std::optional<GidEntry> gid{};  ///< the one chosen
  std::string unusable{};         ///< why it cannot be used, in one sentence; empty when it can

  bool usable() const { return unusable.empty(); }
  /// Whether data between processes of one host may take a way without packets (softroce's
  /// same-host shortcut, which its firmware version then tells).
  bool has_shortcut() const { return firmware.find("shortcut") != std::string::npos; }
  /// The network interface of the chosen GID; empty without one.
  std::string netdev() const { return gid ? gid->netdev : std::string{}; }
  /// The IP address of the chosen GID; empty without one.
  std::string address() const { return gid ? to_text(gid->gid) : std::string{}; }
};

/// Why `port` cannot be used: not Ethernet, not active, or `gid_reason`, why no GID
/// was chosen; empty when it
/// can.
std::string why_unusable(const Port& port, const std::string& gid_reason);

/// Whether a device that describes itself so is made of software alone.
bool is_software(std::uint32_t vendor, std::string_view firmware);

/// Every port of every device, usable or not, in natural order of device names. `gid_index`
/// overrides the choice of GID (gid.hpp). Devices that are not among `only` are not even opened;
/// without names, all are. Never throws for what a device or the kernel lacks.
std::vector<Port> find_ports(std::optional<int> gid_index = {},
                             std::span<const std::string> only = {});

/// The text for "no RDMA port can be used": what was looked at, then each of `ports` and why it is
/// unusable, a line each. The caller adds what to do about it.
std::string explain_no_usable_port(std::span<const Port> ports);

}  // namespace railgauge::verbs
