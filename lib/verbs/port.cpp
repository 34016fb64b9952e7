#include "verbs/port.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <system_error>

#include "verbs/device.hpp"
#include "verbs/error.hpp"

namespace railgauge::verbs {
namespace {

/// Later rdma-core has a wider field, for speeds from XDR on; Debian 12's has not.
template <class Attributes>
int speed_code(const Attributes& attributes) {
  if constexpr (requires { attributes.active_speed_ex; }) {
    if (attributes.active_speed_ex != 0) return static_cast<int>(attributes.active_speed_ex);
  }
  return attributes.active_speed;
}

/// To a program that knows no newer code the kernel reports "NDR" for anything faster. sysfs has no
/// such cap, and then wins; and below 2.5 Gb/s, the least that codes can say.
double read_gbps(const std::string& device, int port, const ibv_port_attr& attributes) {
  const std::string folder = "/sys/class/infiniband/" + device + "/ports/" + std::to_string(port);
  std::ifstream file(folder + "/rate");
  std::string rate;
  std::getline(file, rate);
  constexpr double kLeastCode = 2.5;
  const double told = link_gbps(rate);
  if (told > 0 && told < kLeastCode) return told;
  return std::max(told, link_gbps(speed_code(attributes), attributes.active_width));
}

Port read_port(ibv_context& context, int number, std::optional<int> gid_index) {
  Port port{.device = device_name(context), .number = number};
  ibv_port_attr attributes{};
  succeeded(ibv_query_port(&context, static_cast<std::uint8_t>(number), &attributes),
            "ibv_query_port", port.device);
  port.state = words(attributes.state);
  port.link_layer = link_layer_words(attributes.link_layer);
  port.mtu_bytes = mtu_bytes(attributes.active_mtu);
  port.gbps = read_gbps(port.device, number, attributes);
  port.gids = read_gid_table(context, number);
  GidChoice choice = choose_gid(port.gids, gid_index);
  port.gid = std::move(choice.entry);
  port.unusable = why_unusable(port, choice.reason);
  return port;
}

std::vector<Port> read_ports(const std::string& device, std::optional<int> gid_index) {
  const Context context = open_device(device);
  const ibv_device_attr attributes = limits_of(*context);
  std::vector<Port> ports;
  for (int number = 1; number <= attributes.phys_port_cnt; ++number) {
    ports.push_back(read_port(*context, number, gid_index));
    ports.back().firmware = attributes.fw_ver;
    ports.back().software = is_software(attributes.vendor_id, attributes.fw_ver);
  }
  return ports;
}

double lane_gbps(int speed_code) {
  switch (speed_code) {
    case 1: return 2.5;       // SDR
    case 2: return 5;         // DDR
    case 4: return 10;        // QDR
    case 8: return 10.3125;   // FDR10
    case 16: return 14.0625;  // FDR
    case 32: return 25;       // EDR
    case 64: return 50;       // HDR
    case 128: return 100;     // NDR
    case 256: return 200;     // XDR
    default: return 0;
  }
}

int lanes(int width_code) {
  switch (width_code) {
    case 1: return 1;
    case 2: return 4;
    case 4: return 8;
    case 8: return 12;
    case 16: return 2;
    default: return 0;
  }
}

}  // namespace

std::string why_unusable(const Port& port, const std::string& gid_reason) {
  if (port.link_layer != "Ethernet") {
    return "its link layer is " + port.link_layer + ", not Ethernet: only RoCE v2 is measured";
  }
  if (port.state != "active") {
    return "it is " + port.state + ", not active: look at cable, switch port and `ip link`";
  }
  return gid_reason;
}

bool is_software(std::uint32_t vendor, std::string_view firmware) {
  // rdma_rxe has RXE_VENDOR_ID (Linux 5.9, drivers/infiniband/sw/rxe/rxe_param.h) where hardware
  // has the OUI of its vendor.
  constexpr std::uint32_t kNoVendor = 0xffffff;
  return vendor == kNoVendor || firmware.starts_with("softroce");
}

std::vector<Port> find_ports(std::optional<int> gid_index, std::span<const std::string> only) {
  std::vector<Port> ports;
  for (const std::string& device : search_devices().names) {
    if (!only.empty() && std::find(only.begin(), only.end(), device) == only.end()) continue;
    try {
      std::vector<Port> more = read_ports(device, gid_index);
      std::move(more.begin(), more.end(), std::back_inserter(ports));
    } catch (const std::system_error& error) {
      ports.push_back(
          {.device = device, .unusable = std::string("cannot be opened: ") + error.what()});
    }
  }
  return ports;
}

std::string explain_no_usable_port(std::span<const Port> ports) {
  std::string text = "no usable RDMA port. Looked at: " + search_devices().looked_at + ".";
  for (const Port& port : ports) {
    text += "\n  " + port.device + " port " + std::to_string(port.number) + ": ";
    text += port.usable() ? "usable" : port.unusable;
  }
  return text;
}

std::string_view words(ibv_port_state state) {
  switch (state) {
    case IBV_PORT_NOP: return "no change";
    case IBV_PORT_DOWN: return "down";
    case IBV_PORT_INIT: return "initialising";
    case IBV_PORT_ARMED: return "armed, not active";
    case IBV_PORT_ACTIVE: return "active";
    case IBV_PORT_ACTIVE_DEFER: return "active, deferred";
  }
  return "in an unknown state";
}

std::string_view link_layer_words(int link_layer) {
  if (link_layer == IBV_LINK_LAYER_ETHERNET) return "Ethernet";
  if (link_layer == IBV_LINK_LAYER_INFINIBAND) return "InfiniBand";
  return "unspecified";
}

int mtu_bytes(ibv_mtu mtu) {
  const bool known = mtu >= IBV_MTU_256 && mtu <= IBV_MTU_4096;
  return known ? 128 << static_cast<int>(mtu) : 0;
}

ibv_mtu mtu_code(int bytes) {
  for (const ibv_mtu mtu : {IBV_MTU_4096, IBV_MTU_2048, IBV_MTU_1024, IBV_MTU_512}) {
    if (mtu_bytes(mtu) <= bytes) return mtu;
  }
  return IBV_MTU_256;
}

double link_gbps(int speed_code, int width_code) {
  return lane_gbps(speed_code) * lanes(width_code);
}

double link_gbps(std::string_view sysfs_rate) {
  double rate = 0;
  const auto end = sysfs_rate.data() + sysfs_rate.size();
  const auto [rest, error] = std::from_chars(sysfs_rate.data(), end, rate);
  const bool is_rate = error == std::errc{} && std::string_view(rest, end).starts_with(" Gb/sec");
  return is_rate ? rate : 0;
}

}  // namespace railgauge::verbs
