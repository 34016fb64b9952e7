#include "topology/report.hpp"

#include <algorithm>
#include <utility>

#include "topology/accusation.hpp"

namespace railgauge::topology {
namespace {

using Row = std::vector<std::string>;

std::string number(int value) {
  return value < 0 ? "-" : std::to_string(value);
}

std::string or_dash(const std::string& text) {
  return text.empty() ? "-" : text;
}

/// Columns aligned to the left, two blanks between them.
std::string aligned(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i] + std::string(widths[i] - row[i].size() + 2, ' ');
    }
    line.resize(line.find_last_not_of(' ') + 1);
    text += "  " + line + "\n";
  }
  return text;
}

std::string nodes_of(const HostMap& map) {
  std::vector<Row> rows{{"NUMA node", "memory", "cores", "cpus", "allowed"}};
  for (const NumaNode& node : map.nodes) {
    rows.push_back({std::to_string(node.number), gibibytes(node.memory_bytes),
                    std::to_string(node.cores.size()), or_dash(cpu_list(node.cpus)),
                    or_dash(cpu_list(common(node.cpus, map.allowed)))});
  }
  return aligned(rows);
}

std::string link_of(const PciFunction& pci) {
  if (!pci.link.known()) return "-";
  return to_string(pci.link) + (pci.most().known() ? " of " + to_string(pci.most()) : "");
}

Row rail_row(const HostMap& map, const Nic& nic) {
  const RdmaDevice& device = *find_device(map, nic.device);
  const auto port = std::ranges::find(device.ports, nic.port, &RdmaPort::number);
  const RdmaGid* const gid = chosen_gid(map, *port);
  const std::string plane = nic.planes > 1 ? ":" + std::to_string(nic.plane) : "";
  return {number(nic.rail) + plane,
          nic.device + ":" + std::to_string(nic.port),
          or_dash(nic.netdev),
          nic.address + "/" + std::to_string(nic.prefix_length),
          std::to_string(gid->index),
          speed_text(nic.gigabits_per_second),
          port->state,
          number(device.locality.numa_node),
          or_dash(device.pci.address),
          link_of(device.pci),
          cpu_list(device.locality.cpus)};
}

std::string rails_of(const HostReport& host) {
  if (host.map.devices.empty()) {
    return "\nThis host has no RDMA device (/sys/class/infiniband is empty), and so no rails.\n";
  }
  if (host.rails.empty()) return "\nNone of this host's ports is a rail.\n";
  const bool planes =
      std::ranges::any_of(host.rails, [](const Nic& nic) { return nic.planes > 1; });
  std::vector<Row> rows{{planes ? "rail:plane" : "rail", "port", "netdev", "address", "GID", "Gb/s",
                         "state", "node", "PCI", "PCI link", "cpus"}};
  for (const Nic& nic : host.rails) rows.push_back(rail_row(host.map, nic));
  return "\n" + aligned(rows);
}

/// Ports of a device that are left out for one reason are a line.
std::string left_out_of(const HostReport& host) {
  std::string text;
  const LeftOut* before = nullptr;
  for (const LeftOut& one : host.left_out) {
    if (before != nullptr && before->device == one.device && before->reason == one.reason) {
      text.insert(text.rfind(": " + one.reason), "," + std::to_string(one.port));
      continue;
    }
    text += "  " + one.device + ":" + std::to_string(one.port) + ": " + one.reason + "\n";
    before = &one;
  }
  return text.empty() ? "" : "\nleft out\n" + text;
}

std::string ranks_of(const HostReport& host) {
  if (host.ranks.empty()) return "";
  std::vector<Row> rows{{"rank of host", "rails", "NUMA node", "memory of", "cpus", ""}};
  for (std::size_t rank = 0; rank < host.ranks.size(); ++rank) {
    const Placement& placed = host.ranks[rank];
    rows.push_back({std::to_string(rank),
                    or_dash(cpu_list({placed.rails.begin(), placed.rails.end()})),
                    number(placed.numa_node), number(placed.memory_node),
                    placed.cpus.empty() ? "any" : cpu_list(placed.cpus), placed.remark});
  }
  return "\n" + aligned(rows);
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

std::string section(const char* title, const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += "  " + sentence + "\n";
  return text.empty() ? "" : title + text;
}

}  // namespace

std::string as_table(const Report& report) {
  std::string text;
  for (const HostReport& host : report.hosts) {
    text += (text.empty() ? "" : "\n") + host.map.host + "\n" + nodes_of(host.map) +
            rails_of(host) + left_out_of(host) + ranks_of(host) +
            section("\nremarks\n", host.remarks);
  }
  const bool any =
      std::ranges::any_of(report.hosts, [](const HostReport& host) { return !host.rails.empty(); });
  if (any) {
    text += "\nrails are numbered by " + std::string(words(report.rule)) +
            (report.reason.empty() ? "" : ": " + report.reason) + "\n";
  }
  return text + section("\nother fabrics\n", fabrics_of(report)) +
         section("\nnotes\n", report.notes) + section("\nwarnings\n", report.warnings) +
         section("\nwrong\n", report.wrong);
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
    return name + rail_text(rail_plane_of(*rail)) + ", " + rail->netdev + " " + rail->address +
           "/" + std::to_string(rail->prefix_length);
  }
  const auto left_out = std::ranges::find_if(host.left_out, same);
  return name + (left_out == host.left_out.end() ? "not a rail" : left_out->reason);
}

void add_device(const HostReport& host, const RdmaDevice& device, Branch& root) {
  const NumaNode* const node = find_node(host.map, device.locality.numa_node);
  Branch* at = &branch(root, node == nullptr ? "unknown NUMA node" : node_name(*node));
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
