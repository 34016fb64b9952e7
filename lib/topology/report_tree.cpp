// as_tree() of report.hpp.

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "topology/report.hpp"

namespace railgauge::topology {
namespace {

struct Branch {
  std::string name{};
  std::vector<Branch> branches{};
};

/// The branch of that name; made if there is none yet.
Branch& branch(Branch& of, const std::string& name) {
  const auto found = std::ranges::find(of.branches, name, &Branch::name);
  return found != of.branches.end() ? *found : of.branches.emplace_back(Branch{name, {}});
}

std::string node_name(const NumaNode& node) {
  return "NUMA node " + std::to_string(node.number) + ": cpus " + cpu_list(node.cpus);
}

std::string device_name(const RdmaDevice& device) {
  std::string name = device.name;
  if (!device.pci.address.empty())
    name += (device.software ? " over " : " at ") + device.pci.address;
  if (device.pci.link.known()) name += ", " + to_string(device.pci.link);
  if (!device.pci.physical_function.empty()) {
    name += ", a virtual function of " + device.pci.physical_function;
  }
  return name;
}

std::string port_name(const HostReport& host, const RdmaDevice& device, const RdmaPort& port) {
  const auto same = [&](const auto& one) {
    return one.device == device.name && one.port == port.number;
  };
  const std::string name = "port " + std::to_string(port.number) + ", " + port.rate + ": ";
  const auto rail = std::ranges::find_if(host.rails, same);
  if (rail != host.rails.end()) {
    return name + "rail " + std::to_string(rail - host.rails.begin()) + ", " + rail->netdev + " " +
           rail->address + "/" + std::to_string(rail->prefix_length);
  }
  const auto left_out = std::ranges::find_if(host.left_out, same);
  return name + (left_out == host.left_out.end() ? "no rail" : left_out->reason);
}

void add_device(const HostReport& host, const RdmaDevice& device, Branch& root) {
  const NumaNode* const node = find_node(host.map, device.locality.numa_node);
  Branch* at = &branch(root, node == nullptr ? "no NUMA node is known" : node_name(*node));
  for (const std::string& bridge : device.pci.bridges) at = &branch(*at, bridge);
  Branch& leaf = branch(*at, device_name(device));
  for (const RdmaPort& port : device.ports) branch(leaf, port_name(host, device, port));
}

std::string drawn(const Branch& of, const std::string& indent) {
  std::string text;
  for (const Branch& one : of.branches) {
    const bool last = &one == &of.branches.back();
    text += indent + (last ? "`- " : "|- ") + one.name + "\n";
    text += drawn(one, indent + (last ? "   " : "|  "));
  }
  return text;
}

}  // namespace

std::string as_tree(const Report& report) {
  std::string text;
  for (const HostReport& host : report.hosts) {
    Branch root{host.map.host, {}};
    for (const NumaNode& node : host.map.nodes) branch(root, node_name(node));
    for (const RdmaDevice& device : host.map.devices) add_device(host, device, root);
    text += root.name + "\n" + drawn(root, "");
  }
  return text;
}

}  // namespace railgauge::topology
