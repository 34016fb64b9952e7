#include "topology/report.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "topology/accusation.hpp"
#include "topology/text_layout.hpp"

namespace railgauge::topology {
namespace {

std::string number(int value) {
  return value < 0 ? "-" : std::to_string(value);
}

std::string or_dash(const std::string& text) {
  return text.empty() ? "-" : text;
}

std::string listed_or_dash(const std::set<int>& numbers) {
  return or_dash(cpu_list(numbers));
}

/// "HBM beside 0-55"
std::string cpus_of(const NumaNode& node) {
  if (!node.cpus.empty()) return cpu_list(node.cpus);
  if (node.near_cpus.empty()) return or_dash(node.kind);
  return (node.kind.empty() ? "memory" : node.kind) + " beside " + cpu_list(node.near_cpus);
}

std::string nodes_of(const HostMap& map) {
  std::vector<TextRow> rows{{"NUMA node", "memory", "cores", "cpus", "allowed"}};
  bool all = true;
  for (const NumaNode& node : map.nodes) {
    const CpuSet allowed = common(node.cpus, map.allowed);
    all = all && allowed == node.cpus;
    rows.push_back({std::to_string(node.number), gibibytes(node.memory_bytes),
                    std::to_string(node.cores.size()), cpus_of(node), listed_or_dash(allowed)});
  }
  if (all) {
    for (TextRow& row : rows) row.pop_back();
  }
  return table_text(rows);
}

/// "x8 32 GT/s of x16 32 GT/s", if it could be more.
std::string link_of(const PciFunction& pci) {
  if (pci.link.known()) {
    const PciLink most = pci.most();
    const bool less = most.known() && to_string(most) != to_string(pci.link);
    return to_string(pci.link) + (less ? " of " + to_string(most) : "");
  }
  if (pci.hwloc_gigabits_per_second <= 0) return "-";
  return speed_text(std::round(pci.hwloc_gigabits_per_second)) + " Gb/s";
}

/// The NUMA node, or those that it may be.
std::string node_of(const HostMap& map, const RdmaDevice& device) {
  if (device.locality.numa_node >= 0) return std::to_string(device.locality.numa_node);
  const std::set<int> near = nodes_of(device.locality.cpus, map.nodes);
  return near == nodes_of(map.allowed, map.nodes) ? "-" : listed_or_dash(near);
}

TextRow rail_row(const HostMap& map, const Nic& nic) {
  const RdmaDevice& device = *find_device(map, nic.device);
  const auto port = std::ranges::find(device.ports, nic.port, &RdmaPort::number);
  const RdmaGid* const gid = chosen_gid(map, *port);
  const std::string plane = nic.planes > 1 ? ":" + std::to_string(nic.plane) : "";
  return {number(nic.rail) + plane,   nic.device + ":" + std::to_string(nic.port),
          or_dash(nic.netdev),        nic.address + "/" + std::to_string(nic.prefix_length),
          std::to_string(gid->index), speed_text(nic.gigabits_per_second),
          node_of(map, device),       or_dash(device.pci.address),
          link_of(device.pci)};
}

TextRow device_row(const HostMap& map, const RdmaDevice& device) {
  std::string netdevs;
  for (const Netdev& one : map.netdevs) {
    if (!one.pci.empty() && one.pci == device.pci.address) {
      netdevs += (netdevs.empty() ? "" : ",") + one.name;
    }
  }
  std::string bridges;
  for (const std::string& one : device.pci.bridges) bridges += (bridges.empty() ? "" : ",") + one;
  return {device.name,         or_dash(netdevs), node_of(map, device), or_dash(device.pci.address),
          link_of(device.pci), or_dash(bridges)};
}

/// What hwloc's XML says of RDMA devices, and what it does not.
std::string devices_of(const HostMap& map) {
  if (map.devices.empty()) return "\nhwloc's XML lists no RDMA device.\n";
  std::vector<TextRow> rows{{"device", "netdev", "node", "PCI", "PCI link", "bridges above it"}};
  for (const RdmaDevice& device : map.devices) rows.push_back(device_row(map, device));
  return "\n" + table_text(rows);
}

std::string rails_of(const HostReport& host) {
  if (host.map.xml_alone) return devices_of(host.map);
  if (host.map.devices.empty()) {
    return "\nThis host has no RDMA device (/sys/class/infiniband is empty), and so no rails.\n";
  }
  if (host.rails.empty()) return "\nNone of this host's ports is a rail.\n";
  const bool planes =
      std::ranges::any_of(host.rails, [](const Nic& nic) { return nic.planes > 1; });
  std::vector<TextRow> rows{{planes ? "rail:plane" : "rail", "port", "netdev", "address", "GID",
                             "Gb/s", "node", "PCI", "PCI link"}};
  for (const Nic& nic : host.rails) rows.push_back(rail_row(host.map, nic));
  constexpr std::size_t kRailAndPort = 2;
  constexpr std::size_t kNode = 6;
  return "\n" + table_text(rows, kRailAndPort, kNode);
}

std::string section(const std::string& title, const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += sentence_text(sentence);
  return text.empty() ? "" : "\n" + title + "\n" + text;
}

/// Ports of a device that are left out for one reason are a line.
std::vector<std::string> left_out_of(const HostReport& host) {
  std::vector<std::string> sentences;
  if (host.map.xml_alone) return sentences;  // a remark says it of all
  const LeftOut* before = nullptr;
  for (const LeftOut& one : host.left_out) {
    if (before != nullptr && before->device == one.device && before->reason == one.reason) {
      sentences.back().insert(sentences.back().rfind(": " + one.reason),
                              "," + std::to_string(one.port));
      continue;
    }
    sentences.push_back(one.device + ":" + std::to_string(one.port) + ": " + one.reason);
    before = &one;
  }
  return sentences;
}

/// What falls short of the rule, once for all the ranks of which it does.
std::vector<std::string> remarks_on_ranks(const HostReport& host) {
  std::map<std::string, std::set<int>> ranks;
  for (std::size_t rank = 0; rank < host.ranks.size(); ++rank) {
    ranks[host.ranks[rank].remark].insert(static_cast<int>(rank));
  }
  std::vector<std::string> sentences;
  for (const auto& [remark, who] : ranks) {
    if (remark.empty()) continue;
    sentences.push_back((who.size() == 1 ? "rank " : "ranks ") + cpu_list(who) + ": " + remark);
  }
  return sentences;
}

std::string ranks_of(const HostReport& host) {
  if (host.ranks.empty()) return "";
  std::vector<TextRow> rows{{"rank of host", "rails", "NUMA node", "memory of", "cpus"}};
  for (std::size_t rank = 0; rank < host.ranks.size(); ++rank) {
    const Placement& placed = host.ranks[rank];
    rows.push_back({std::to_string(rank), listed_or_dash(rails_of(host, placed)),
                    number(placed.numa_node), number(placed.memory_node),
                    placed.cpus.empty() ? "any" : cpu_list(placed.cpus)});
  }
  return "\n" + table_text(rows) + section("remarks on ranks", remarks_on_ranks(host));
}

std::vector<std::string> fabrics_of(const Report& report) {
  std::vector<std::string> sentences;
  for (const OtherFabric& one : report.fabrics) {
    sentences.push_back(one.name + ": " + listed(one.ports) + " on " + std::to_string(one.hosts) +
                        (one.hosts == 1 ? " host" : " hosts") + " (" + one.reason + "); --fabric " +
                        one.name + " chooses it");
  }
  return sentences;
}

std::string numbering(const Report& report) {
  const bool any =
      std::ranges::any_of(report.hosts, [](const HostReport& host) { return !host.rails.empty(); });
  if (!any) return "";
  return section("numbering", {"rails are numbered by " + std::string(words(report.rule)) +
                               (report.reason.empty() ? "" : ": " + report.reason)});
}

}  // namespace

std::string as_table(const Report& report) {
  std::string text;
  for (const HostReport& host : report.hosts) {
    text += (text.empty() ? "" : "\n") + host.map.host + "\n" + nodes_of(host.map) +
            rails_of(host) + section("left out", left_out_of(host)) + ranks_of(host) +
            section("remarks", host.remarks);
  }
  return text + numbering(report) + section("other fabrics", fabrics_of(report)) +
         section("notes", report.notes) + section("warnings", report.warnings) +
         section("wrong", report.wrong);
}

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
  return "NUMA node " + std::to_string(node.number) + (node.cpus.empty() ? ": " : ": cpus ") +
         cpus_of(node);
}

std::string device_name(const RdmaDevice& device) {
  std::string name = device.name;
  if (!device.pci.address.empty())
    name += (device.software ? " over " : " at ") + device.pci.address;
  if (const std::string link = link_of(device.pci); link != "-") name += ", " + link;
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
    return name + rail_text(rail_plane_of(*rail)) + ", " + rail->netdev + " " + rail->address +
           "/" + std::to_string(rail->prefix_length);
  }
  const auto left_out = std::ranges::find_if(host.left_out, same);
  return name + (left_out == host.left_out.end() ? "not a rail" : left_out->reason);
}

void add_device(const HostReport& host, const RdmaDevice& device, Branch& root) {
  const NumaNode* const node = find_node(host.map, device.locality.numa_node);
  const std::string several = node_of(host.map, device);
  const std::string unknown = several == "-" ? "unknown NUMA node" : "one of NUMA nodes " + several;
  Branch* at = &branch(root, node == nullptr ? unknown : node_name(*node));
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
