#include "topology/report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "finding/words.hpp"
#include "manual/layout.hpp"

namespace railgauge::topology {
namespace {

using manual::section_text;
using manual::table_text;
using manual::TextRow;

std::string number(int value) {
  return value < 0 ? "-" : std::to_string(value);
}

std::string or_dash(const std::string& text) {
  return text.empty() ? "-" : text;
}

std::string listed_or_dash(const std::set<int>& numbers) {
  return or_dash(cpu_list(numbers));
}

/// "HBM next to 0-55"
std::string cpus_of(const NumaNode& node) {
  if (!node.cpus.empty()) return cpu_list(node.cpus);
  if (node.near_cpus.empty()) return or_dash(node.kind);
  return (node.kind.empty() ? "memory" : node.kind) + " next to " + cpu_list(node.near_cpus);
}

/// "64 GiB", of a node's memory.
std::string gibibytes(std::uint64_t bytes) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.0f GiB",
                static_cast<double>(bytes) / static_cast<double>(1U << 30U));
  return text.data();
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
  return {device.name,          or_dash(netdevs),
          node_of(map, device), or_dash(device.pci.address),
          link_of(device.pci),  or_dash(finding::joined(device.pci.bridges, ","))};
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
  return "\n" + table_text(rows);
}

/// The RDMA devices that are that near to a GPU.
std::string devices_at(const HostMap& map, const Gpu& gpu, Nearness wanted) {
  std::vector<std::string> names;
  for (const RdmaDevice& device : map.devices) {
    if (nearness(gpu, device.pci, device.locality) == wanted) names.push_back(device.name);
  }
  return or_dash(finding::joined(names, ","));
}

std::string gpus_of(const HostMap& map) {
  if (map.gpus.empty()) return "";
  constexpr std::array kShown{Nearness::same_switch, Nearness::same_root, Nearness::across};
  std::vector<TextRow> rows{{"GPU", "node"}};
  for (const Nearness one : kShown) rows[0].emplace_back(word(one));
  for (const Gpu& gpu : map.gpus) {
    rows.push_back({gpu.address, number(gpu.locality.numa_node)});
    for (const Nearness one : kShown) rows.back().push_back(devices_at(map, gpu, one));
  }
  return "\n" + table_text(rows);
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
  return "\n" + table_text(rows) + section_text("remarks on ranks", remarks_on_ranks(host));
}

std::vector<std::string> fabrics_of(const Report& report) {
  std::vector<std::string> sentences;
  for (const OtherFabric& one : report.fabrics) {
    sentences.push_back(one.name + ": " + finding::listed(one.ports) + " on " +
                        std::to_string(one.hosts) + (one.hosts == 1 ? " host" : " hosts") + " (" +
                        one.reason + "); --fabric " + one.name + " chooses it");
  }
  return sentences;
}

std::string numbering(const Report& report) {
  const bool any =
      std::ranges::any_of(report.hosts, [](const HostReport& host) { return !host.rails.empty(); });
  if (!any) return "";
  return section_text("numbering",
                      {"rails are numbered by " + std::string(words(report.found.rule)) +
                       (report.found.reason.empty() ? "" : ": " + report.found.reason)});
}

}  // namespace

std::string as_table(const Report& report) {
  std::string text;
  for (const HostReport& host : report.hosts) {
    text += (text.empty() ? "" : "\n") + host.map.host + "\n" + nodes_of(host.map) +
            rails_of(host) + section_text("left out", left_out_of(host)) + gpus_of(host.map) +
            ranks_of(host) + section_text("remarks", host.remarks);
  }
  return text + numbering(report) + section_text("other fabrics", fabrics_of(report)) +
         section_text("options", report.notes);
}

namespace {

using Sentences = std::vector<std::string>;

/// Of devices that are rails, a finding says it.
std::string remark_on_link(const RdmaDevice& device, const Host& host) {
  const std::string degraded = degraded_clause(device.pci);
  const bool rail = std::ranges::find(host.rails, device.name, &Nic::device) != host.rails.end();
  return degraded.empty() || rail ? "" : device.name + ": " + degraded;
}

Sentences remarks_on(const HostMap& map, const Host& host) {
  Sentences remarks;
  if (map.xml_alone) {
    remarks.push_back(
        "rails are unknown: hwloc's XML has no ports, addresses, link speeds or maximum PCI "
        "speeds; "
        "record the host with `railgauge topo --record`");
  }
  for (const RdmaDevice& device : map.devices) {
    const std::string& place = device.locality.remark;
    for (const std::string& one :
         {place.empty() ? "" : device.name + ": " + place, remark_on_link(device, host)}) {
      if (!one.empty()) remarks.push_back(one);
    }
  }
  return remarks;
}

}  // namespace

Report report_on(std::vector<HostMap> maps, const NicWishes& wishes) {
  std::vector<Host> hosts;
  hosts.reserve(maps.size());
  for (const HostMap& map : maps) hosts.push_back(choose_nics(map, wishes));
  Fabrics fabrics = separate_fabrics(std::move(hosts), wishes);
  Report report{.found = find_rails(std::move(fabrics.hosts), wishes.said()),
                .fabrics = std::move(fabrics.others)};
  for (std::size_t i = 0; i < maps.size(); ++i) {
    const Host& host = report.found.hosts[i];
    Sentences remarks = remarks_on(maps[i], host);
    report.hosts.push_back({std::move(maps[i]), host.rails, host.left_out, {}, std::move(remarks)});
  }
  return report;
}

std::set<int> rails_of(const HostReport& host, const Placement& rank) {
  const std::vector<const Nic*> nics = first_of_rails(host.rails);
  std::set<int> numbers;
  for (const int place : rank.rails) {
    const auto at = static_cast<std::size_t>(place);
    const int rail = at < nics.size() ? nics[at]->rail : -1;
    numbers.insert(rail < 0 ? place : rail);
  }
  return numbers;
}

namespace {

using Json = nlohmann::ordered_json;

template <class T, class AsJson>
Json array(const std::vector<T>& all, AsJson as_json) {
  Json list = Json::array();
  for (const T& one : all) list.push_back(as_json(one));
  return list;
}

Json node(const NumaNode& one) {
  return {{"number", one.number},
          {"cpus", cpu_list(one.cpus)},
          {"cores", array(one.cores, cpu_list)},
          {"memory_bytes", one.memory_bytes},
          {"kind", one.kind}};
}

Json link(const PciLink& one) {
  if (!one.known()) return nullptr;
  return {{"gigatransfers_per_second", one.gigatransfers_per_second}, {"lanes", one.lanes}};
}

Json pci(const PciFunction& one) {
  if (one.address.empty()) return nullptr;
  return {{"address", one.address},
          {"bridges", one.bridges},
          {"link", link(one.link)},
          {"hwloc_gigabits_per_second", one.hwloc_gigabits_per_second},
          {"device_most", link(one.device_most)},
          {"slot_most", link(one.slot_most)},
          {"driver", one.driver},
          {"physical_function", one.physical_function}};
}

Json gid(const RdmaGid& one) {
  return {{"index", one.index},
          {"gid", to_string(one.gid)},
          {"type", one.type},
          {"netdev", one.netdev}};
}

Json port(const RdmaPort& one) {
  return {{"number", one.number},
          {"state", one.state},
          {"link_layer", one.link_layer},
          {"rate", one.rate},
          {"gigabits_per_second", one.gigabits_per_second},
          {"gids", array(one.gids, gid)}};
}

Json device(const RdmaDevice& one) {
  return {{"name", one.name},
          {"model", one.model},
          {"firmware", one.firmware},
          {"node_guid", one.node_guid},
          {"system_guid", one.system_guid},
          {"software", one.software},
          {"numa_node", one.locality.numa_node},
          {"cpus", cpu_list(one.locality.cpus)},
          {"remark", one.locality.remark},
          {"pci", pci(one.pci)},
          {"ports", array(one.ports, port)}};
}

Json netdev(const Netdev& one) {
  return {{"name", one.name},
          {"pci", one.pci},
          {"master", one.master},
          {"mtu_bytes", one.mtu_bytes},
          {"addresses", array(one.addresses, [](const NetAddress& address) {
             return to_string(address.address) + "/" + std::to_string(address.prefix_length);
           })}};
}

Json gpus(const HostMap& map) {
  Json list = Json::array();
  for (const Gpu& gpu : map.gpus) {
    list.push_back(
        {{"address", gpu.address},
         {"bridges", gpu.bridges},
         {"numa_node", gpu.locality.numa_node},
         {"devices", array(map.devices, [&](const RdmaDevice& nic) -> Json {
            return {{"name", nic.name}, {"nearness", word(nearness(gpu, nic.pci, nic.locality))}};
          })}});
  }
  return list;
}

Json rails(const std::vector<Nic>& nics) {
  Json list = Json::array();
  for (const Nic& nic : nics) {
    list.push_back({{"rail", nic.rail},
                    {"plane", nic.plane},
                    {"device", nic.device},
                    {"port", nic.port},
                    {"netdev", nic.netdev},
                    {"address", nic.address},
                    {"prefix_length", nic.prefix_length},
                    {"gigabits_per_second", nic.gigabits_per_second}});
  }
  return list;
}

Json left_out(const LeftOut& one) {
  return {
      {"device", one.device}, {"port", one.port}, {"reason", one.reason}, {"remedy", one.remedy}};
}

Json fabric(const OtherFabric& one) {
  return {{"name", one.name}, {"reason", one.reason}, {"ports", one.ports}, {"hosts", one.hosts}};
}

Json ranks(const HostReport& host) {
  Json list = Json::array();
  for (const Placement& one : host.ranks) {
    list.push_back({{"rank_of_host", list.size()},
                    {"rails", rails_of(host, one)},
                    {"cpus", cpu_list(one.cpus)},
                    {"numa_node", one.numa_node},
                    {"memory_node", one.memory_node},
                    {"remark", one.remark}});
  }
  return list;
}

Json host(const HostReport& one) {
  return {{"host", one.map.host},
          {"allowed_cpus", cpu_list(one.map.allowed)},
          {"default_route", one.map.default_route},
          {"numa_nodes", array(one.map.nodes, node)},
          {"devices", array(one.map.devices, device)},
          {"netdevs", array(one.map.netdevs, netdev)},
          {"gpus", gpus(one.map)},
          {"rails", rails(one.rails)},
          {"left_out", array(one.left_out, left_out)},
          {"ranks", ranks(one)},
          {"remarks", one.remarks}};
}

}  // namespace

Json as_json(const Report& report) {
  return {{"schema", "railgauge/topology/2"},
          {"rail_rule", words(report.found.rule)},
          {"rail_reason", report.found.reason},
          {"fabrics", array(report.fabrics, fabric)},
          {"notes", report.notes},
          {"hosts", array(report.hosts, host)}};
}

}  // namespace railgauge::topology
