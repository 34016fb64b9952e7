#include "topology/recorded_board.hpp"

#include <array>
#include <cstdio>

namespace railgauge::topology {
namespace {

NetAddress net_address(const std::string& netdev, const std::string& text) {
  const std::size_t slash = text.find('/');
  return {netdev, parse_ip_address(text.substr(0, slash)).value(),
          std::stoi(text.substr(slash + 1))};
}

/// "::ffff:10.10.0.1", as good as the kernel's spelling.
std::string gid(const std::string& address) {
  const std::string bare = address.substr(0, address.find('/'));
  return bare.find(':') == std::string::npos ? "::ffff:" + bare : bare;
}

/// Of host and place: of "node517" and 0000:48:00.0 it is 0000:0205:a103:480.
std::string made_guid(const Board& board, const BoardNic& nic) {
  const std::size_t digits = board.name.find_last_not_of("0123456789") + 1;
  const int host = digits == board.name.size() ? 0 : std::stoi(board.name.substr(digits));
  const std::size_t colon = nic.pci.find(':');
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%s:%04x:%s%s%c", nic.pci.substr(0, colon).c_str(), host,
                "a103:", nic.pci.substr(colon + 1, 2).c_str(), nic.pci.back());
  return text.data();
}

void add_gids(Recording& recording, const BoardNic& nic, const std::string& port) {
  int index = 0;
  const auto add = [&](const std::string& address, const std::string& type,
                       const std::string& netdev) {
    const std::string number = std::to_string(index++);
    recording.files[port + "gids/" + number] = gid(address);
    recording.files[port + "gid_attrs/types/" + number] = type;
    if (!netdev.empty()) recording.files[port + "gid_attrs/ndevs/" + number] = netdev;
  };
  for (const char* type : {"IB/RoCE v1", "RoCE v2"}) {
    if (nic.version1 && std::string(type) == "RoCE v2") continue;
    add("fe80::e42:a1ff:fe03:1", type, nic.netdev);
  }
  for (const std::string& address : nic.without_gid)
    recording.addresses.push_back(net_address(nic.netdev, address));
  for (const std::string& address : nic.foreign) add(address, "RoCE v2", "");
  for (const std::string& address : nic.addresses) {
    add(address, "IB/RoCE v1", nic.netdev);
    if (!nic.version1) add(address, "RoCE v2", nic.netdev);
    recording.addresses.push_back(net_address(nic.netdev, address));
  }
}

void add_link(Recording& recording, const std::string& pci, const BoardNic& nic, int now,
              int most) {
  const std::string path = "bus/pci/devices/" + pci + "/";
  recording.files[path + "current_link_speed"] = nic.speed;
  recording.files[path + "current_link_width"] = std::to_string(now);
  recording.files[path + "max_link_speed"] = "32.0 GT/s PCIe";
  recording.files[path + "max_link_width"] = std::to_string(most);
}

std::string add_pci(Recording& recording, const BoardNic& nic) {
  std::string path = "devices/pci" + nic.pci.substr(0, nic.pci.rfind(':'));
  for (std::size_t i = 0; i < nic.bridges.size(); ++i) {
    const bool above_nic = i + 1 == nic.bridges.size();
    const int now = above_nic ? nic.lanes : nic.uplink_lanes;
    add_link(recording, nic.bridges[i], nic, now, above_nic ? nic.slot_lanes : 16);
    path += "/" + nic.bridges[i];
  }
  add_link(recording, nic.pci, nic, nic.lanes, nic.device_lanes);
  recording.files["bus/pci/devices/" + nic.pci + "/numa_node"] = std::to_string(nic.node);
  return path + "/" + nic.pci;
}

void add_port(Recording& recording, const BoardNic& nic, const std::string& port) {
  recording.files[port + "state"] = nic.state;
  recording.files[port + "link_layer"] = nic.link_layer;
  recording.files[port + "rate"] =
      std::to_string(static_cast<int>(nic.gigabits)) + " Gb/sec (4X NDR)";
  if (!nic.netdev.empty()) add_gids(recording, nic, port);
}

/// Each as if it were the device's only one.
void add_ports(Recording& recording, const BoardNic& nic, const std::string& path,
               const std::string& device) {
  for (const BoardPort& port : nic.ports) {
    BoardNic alone = nic;
    alone.addresses = port.addresses;
    alone.netdev = port.netdev;
    alone.state = port.state;
    add_port(recording, alone, path + "ports/" + std::to_string(port.number) + "/");
    if (port.netdev.empty()) continue;
    recording.files["class/net/" + port.netdev + "/mtu"] = std::to_string(nic.mtu);
    recording.links["class/net/" + port.netdev + "/device"] = device;
  }
}

void add_nic(Recording& recording, const Board& board, const BoardNic& nic) {
  const std::string path = "class/infiniband/" + nic.device + "/";
  const std::string guid = nic.guid.empty() ? made_guid(board, nic) : nic.guid;
  recording.files[path + "node_guid"] = guid;
  recording.files[path + "sys_image_guid"] = guid;
  recording.files[path + "fw_ver"] = nic.firmware;
  recording.files[path + "hca_type"] = nic.model;
  const std::string device = add_pci(recording, nic);
  recording.links[path + "device"] = device;
  if (!nic.ports.empty()) return add_ports(recording, nic, path, device);
  add_port(recording, nic, path + "ports/1/");
  recording.files["class/net/" + nic.netdev + "/mtu"] = std::to_string(nic.mtu);
  if (nic.netdev_megabits > 0)
    recording.files["class/net/" + nic.netdev + "/speed"] = std::to_string(nic.netdev_megabits);
  if (nic.members.empty()) recording.links["class/net/" + nic.netdev + "/device"] = device;
  for (const std::string& member : nic.members) {
    recording.links["class/net/" + member + "/device"] = device;
    recording.links["class/net/" + member + "/master"] = "devices/virtual/net/" + nic.netdev;
  }
}

}  // namespace

Recording recorded(const Board& board) {
  Recording recording{.host = board.name, .default_route = board.default_route};
  for (const BoardNic& nic : board.nics) add_nic(recording, board, nic);
  return recording;
}

}  // namespace railgauge::topology
