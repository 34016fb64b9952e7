#include "verbs/port.hpp"

#include <algorithm>
#include <fstream>
#include <system_error>

#include "verbs/device.hpp"
#include "verbs/error.hpp"
#include "verbs/link.hpp"

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

/// The kernel tells a program that knows no newer code "NDR" for whatever is faster; sysfs is not
/// capped so, and wins then.
double read_gbps(const std::string& device, int port, const ibv_port_attr& attributes) {
  const std::string folder = "/sys/class/infiniband/" + device + "/ports/" + std::to_string(port);
  std::ifstream file(folder + "/rate");
  std::string rate;
  std::getline(file, rate);
  return std::max(link_gbps(rate), link_gbps(speed_code(attributes), attributes.active_width));
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
  ibv_device_attr attributes{};
  succeeded(ibv_query_device(context.get(), &attributes), "ibv_query_device", device);
  std::vector<Port> ports;
  for (int number = 1; number <= attributes.phys_port_cnt; ++number) {
    ports.push_back(read_port(*context, number, gid_index));
    ports.back().firmware = attributes.fw_ver;
    ports.back().software = is_software(attributes.vendor_id, attributes.fw_ver);
  }
  return ports;
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
  // rdma_rxe's vendor is none: RXE_VENDOR_ID (Linux, drivers/infiniband/sw/rxe/rxe_param.h, since
  // 5.9), where others have the OUI of their company.
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

}  // namespace railgauge::verbs
