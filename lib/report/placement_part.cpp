#include <algorithm>
#include <map>

#include "report/html.hpp"
#include "report/parts.hpp"
#include "results/rail_name.hpp"

namespace railgauge::report {
namespace {

using results::Rank;
using results::RankRail;

std::string numa_name(int node) {
  return node < 0 ? "unknown" : std::to_string(node);
}

bool is_far(const Rank& rank, const RankRail& rail) {
  return rank.numa_node >= 0 && rail.numa_node >= 0 && rank.numa_node != rail.numa_node;
}

std::vector<Cell> line(const Rank& rank, const RankRail& rail) {
  const bool far = is_far(rank, rail);
  return {{rank.host, ""},
          {numa_name(rank.numa_node), ""},
          {std::to_string(rank.rank), ""},
          {results::rail_name(rail, rank.rails).substr(5), ""},
          {rail.device + "/" + std::to_string(rail.port), ""},
          {numa_name(rail.numa_node) + (far ? ", not the rank's" : ""), far ? "warn" : ""},
          {rail.netdev, ""},
          {rail.address, ""},
          {number_text(rail.link_gigabits_per_second), ""},
          {std::to_string(rail.mtu_bytes), ""},
          {std::string(word(rail.kind)), ""},
          {rail.firmware, ""}};
}

using Names = std::vector<std::string>;  // without repetitions, in the order of the document

struct Node {
  Names ranks{};
  Names nics{};
};

using Host = std::map<int, Node>;  // by NUMA node; -1: not known

void add(Names& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

void add(Host& host, const Rank& rank) {
  add(host[rank.numa_node].ranks, "rank " + std::to_string(rank.rank));
  for (const RankRail& rail : rank.rails) {
    add(host[rail.numa_node].nics, results::rail_name(rail, rank.rails) + ": " + rail.device);
  }
}

std::string box(const std::string& style_class, const std::string& inner) {
  return "<div class=\"" + style_class + "\">" + inner + "</div>";
}

std::string boxes(const std::string& style_class, const Names& names) {
  std::string html;
  for (const std::string& name : names) html += box(style_class, escaped(name));
  return html;
}

std::string drawn(const Host& host) {
  std::string html;
  for (const auto& [number, node] : host) {
    const std::string name =
        number < 0 ? "NUMA node not known" : "NUMA node " + std::to_string(number);
    html +=
        box("node", element("small", name) + boxes("rank", node.ranks) + boxes("nic", node.nics));
  }
  return html;
}

/// Hosts as boxes, in them their NUMA nodes, in these the ranks that ran there and the NICs that
/// are attached: the page's style draws them.
std::string picture_of(const std::vector<Rank>& ranks) {
  std::map<std::string, Host> hosts;
  for (const Rank& rank : ranks) add(hosts[rank.host], rank);
  std::string html;
  for (const auto& [name, host] : hosts) {
    html += box("host", element("strong", escaped(name)) + drawn(host));
  }
  return box("picture", html) + "\n";
}

}  // namespace

std::string placement_part(const results::Document& document) {
  std::vector<std::vector<Cell>> rows;
  for (const Rank& rank : document.ranks) {
    for (const RankRail& rail : rank.rails) rows.push_back(line(rank, rail));
  }
  if (rows.empty()) return "";
  return section("Placement",
                 picture_of(document.ranks) +
                     table({"host", "NUMA node", "rank", "rail", "port", "its NUMA node", "netdev",
                            "address", "Gb/s", "MTU", "kind", "firmware"},
                           rows));
}

}  // namespace railgauge::report
