#pragma once

#include <infiniband/verbs.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "verbs/gid.hpp"

namespace railgauge::verbs {

/// A snapshot of one port of one device. Plain data.
struct Port {
  std::string device{};      ///< "mlx5_0"
  int number = 1;            ///< counted from 1, as verbs does
  std::string state{};       ///< in words: "active", "down"
  std::string link_layer{};  ///< "Ethernet", "InfiniBand"
  int mtu_bytes = 0;         ///< active MTU: payload bytes per packet
  double gbps = 0;           ///< link speed in Gb/s, as negotiated; 0 if unknown
  std::string firmware{};
  bool software = false;          ///< no hardware: softroce, or the kernel's rdma_rxe
  std::vector<GidEntry> gids{};   ///< the whole table
  std::optional<GidEntry> gid{};  ///< the one chosen
  /// Of the connections made from it: the 802.1p priority (PCP) on a VLAN, where switches trust
  /// that.
  std::uint8_t service_level = 0;
  std::string unusable{};  ///< why it cannot be used, in one sentence; empty if it can

  bool usable() const { return unusable.empty(); }
  /// Whether data between processes of one host may bypass the packet path (softroce's same-host
  /// shortcut, which its firmware version then reports).
  bool has_shortcut() const { return firmware.find("shortcut") != std::string::npos; }
  /// The network interface of the chosen GID; empty without one.
  std::string netdev() const { return gid ? gid->netdev : std::string{}; }
  /// The IP address of the chosen GID; empty without one.
  std::string address() const { return gid ? to_text(gid->gid) : std::string{}; }
};

/// Why `port` cannot be used: not Ethernet, not active, or `gid_reason`, the reason why no GID was
/// chosen. Empty if it can be used.
std::string why_unusable(const Port& port, const std::string& gid_reason);

/// Whether a device with this vendor id and firmware version is pure software.
bool is_software(std::uint32_t vendor, std::string_view firmware);

/// Every port of every device, usable or not, in natural order of device names. `gid_index`
/// overrides the choice of GID (gid.hpp). If `only` names devices, no others are opened.
/// Does not throw for anything that a device or the kernel lacks.
std::vector<Port> find_ports(std::optional<int> gid_index = {},
                             std::span<const std::string> only = {});

/// The message for "no usable RDMA port": what was looked at, then one line for each of `ports`
/// with the reason why it is unusable. The caller adds what to do about it.
std::string explain_no_usable_port(std::span<const Port> ports);

/// A port's state in words: "active", "down", "initialising" ...
std::string_view words(ibv_port_state state);

/// "Ethernet", "InfiniBand" or "unspecified", from ibv_port_attr::link_layer.
std::string_view link_layer_words(int link_layer);

/// Bytes of payload per packet: IBV_MTU_4096 is 4096. 0 for an unknown code.
int mtu_bytes(ibv_mtu mtu);

/// The largest verbs MTU of at most `bytes`, but at least 256, the smallest there is.
ibv_mtu mtu_code(int bytes);

/// Link speed in Gb/s from the codes of ibv_port_attr::active_speed and active_width (ib_verbs.h of
/// the kernel, enums ib_port_speed and ib_port_width). 0 for an unknown code.
double link_gbps(int speed_code, int width_code);

/// Link speed from the text of /sys/class/infiniband/<device>/ports/<n>/rate, "400 Gb/sec (4X
/// NDR)". 0 for any other text.
double link_gbps(std::string_view sysfs_rate);

}  // namespace railgauge::verbs
