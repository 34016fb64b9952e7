// as_table() of report.hpp.

#include <algorithm>
#include <array>
#include <cstdio>

#include "topology/report.hpp"
#include "topology/report_columns.hpp"

namespace railgauge::topology {
namespace {

using Row = std::vector<std::string>;

std::string decimal(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g", value);
  return text.data();
}

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

Row rail_row(const HostMap& map, const Nic& nic, std::size_t rail) {
  const RdmaDevice& device = *find_device(map, nic.device);
  const auto port = std::ranges::find(device.ports, nic.port, &RdmaPort::number);
  const RdmaGid* const gid = chosen_gid(*port);
  return {std::to_string(rail),
          nic.device + ":" + std::to_string(nic.port),
          or_dash(nic.netdev),
          nic.address + "/" + std::to_string(nic.prefix_length),
          std::to_string(gid->index),
          decimal(nic.gigabits_per_second),
          port->state,
          number(device.locality.numa_node),
          or_dash(device.pci.address),
          link_of(device.pci),
          cpu_list(device.locality.cpus)};
}

std::string rails_of(const HostReport& host) {
  if (host.map.devices.empty()) {
    return "\nThis host has no RDMA device (/sys/class/infiniband shows none), so it has no "
           "rails.\n";
  }
  if (host.rails.empty()) return "\nNone of this host's ports is a rail.\n";
  std::vector<Row> rows{{"rail", "port", "netdev", "address", "GID", "Gb/s", "state", "node", "PCI",
                         "PCI link", "cpus"}};
  for (std::size_t rail = 0; rail < host.rails.size(); ++rail) {
    rows.push_back(rail_row(host.map, host.rails[rail], rail));
  }
  return "\n" + aligned(rows);
}

std::string left_out_of(const HostReport& host) {
  std::string text;
  for (const LeftOut& one : host.left_out) {
    text += "  " + one.device + ":" + std::to_string(one.port) + ": " + one.reason + "\n";
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

std::string listed(const char* title, const std::vector<std::string>& sentences) {
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
            listed("\nremarks\n", host.remarks);
  }
  const bool any =
      std::ranges::any_of(report.hosts, [](const HostReport& host) { return !host.rails.empty(); });
  if (any) {
    text += "\nrails are numbered by " + std::string(words(report.rule)) +
            (report.reason.empty() ? "" : ": " + report.reason) + "\n";
  }
  return text + listed("\nwrong\n", report.wrong);
}

}  // namespace railgauge::topology
