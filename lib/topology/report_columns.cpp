#include "topology/report_columns.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <tuple>
#include <utility>

namespace railgauge::topology {
namespace {

std::string gigabits(double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%g Gb/s ", value);
  return text.data();
}

int rail_of(const HostReport& host, const std::string& device, int port) {
  const auto found = std::ranges::find_if(
      host.rails, [&](const Nic& nic) { return nic.device == device && nic.port == port; });
  return found == host.rails.end() ? -1 : static_cast<int>(found - host.rails.begin());
}

}  // namespace

std::vector<Group> groups_of(const HostReport& host) {
  std::map<int, Group> groups;
  for (const NumaNode& node : host.map.nodes) groups[node.number].node = &node;
  for (const RdmaDevice& device : host.map.devices) {
    auto& columns = groups[device.locality.numa_node].columns;
    if (device.ports.empty()) columns.push_back({&device, nullptr, -1});
    for (const RdmaPort& port : device.ports) {
      columns.push_back({&device, &port, rail_of(host, device.name, port.number)});
    }
  }
  for (std::size_t rank = 0; rank < host.ranks.size(); ++rank) {
    groups[host.ranks[rank].numa_node].ranks.push_back(rank);
  }
  std::vector<Group> all;
  for (auto& [number, group] : groups) {
    std::ranges::stable_sort(group.columns, {}, [](const Column& column) {
      return std::tuple(column.rail < 0, column.rail, column.device->pci.address);
    });
    all.push_back(std::move(group));
  }
  return all;
}

std::string name_of(const Column& column) {
  const std::string port = column.port == nullptr ? "" : ":" + std::to_string(column.port->number);
  return column.device->name + port;
}

std::vector<std::string> lines_of(const Column& column) {
  const PciFunction& pci = column.device->pci;
  std::vector<std::string> lines{pci.address.empty() ? "not on PCI" : pci.address};
  if (pci.link.known()) {
    lines.push_back(to_string(pci.link) + (pci.degraded() ? " of " + to_string(pci.most()) : ""));
  }
  if (column.port == nullptr) return lines;
  lines.push_back(gigabits(column.port->gigabits_per_second) + column.port->state);
  if (const RdmaGid* gid = chosen_gid(*column.port)) {
    lines.push_back(gid->netdev);
    lines.push_back(to_string(gid->gid));
  }
  return lines;
}

std::string gibibytes(std::uint64_t bytes) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.0f GiB",
                static_cast<double>(bytes) / static_cast<double>(1U << 30U));
  return text.data();
}

}  // namespace railgauge::topology
