#include <algorithm>
#include <map>

#include "report/html.hpp"
#include "report/lists.hpp"
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

void add(Host& host, const Rank& rank, const std::string& name) {
  add(host[rank.numa_node].ranks, name);
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

std::string box_of(const std::string& name, const Host& host) {
  return box("host", element("strong", escaped(name)) + drawn(host));
}

/// Hosts as boxes, in them their NUMA nodes, in these the ranks that ran there and the NICs that
/// are attached: the page's style draws them.
std::string picture_of(const Ranks& ranks) {
  std::map<std::string, Host> hosts;
  for (const Rank& rank : ranks) add(hosts[rank.host], rank, "rank " + std::to_string(rank.rank));
  std::string html;
  for (const auto& [name, host] : hosts) html += box_of(name, host);
  return box("picture", html) + "\n";
}

/// Of many hosts a box for all that look alike, the rarest first. Their ranks are counted on the
/// host.
std::string picture_of_kinds(const Ranks& ranks) {
  constexpr std::size_t kMostKinds = 8;
  std::map<std::string, Host> hosts;
  std::map<std::string, int> counts;
  for (const Rank& rank : ranks) {
    add(hosts[rank.host], rank, "its rank " + std::to_string(counts[rank.host]++));
  }
  std::map<std::string, Names> alike;  // by what is drawn of them
  for (const auto& [name, host] : hosts) alike[drawn(host)].push_back(name);
  std::vector<std::pair<Names, std::string>> kinds;
  kinds.reserve(alike.size());
  for (const auto& [inner, names] : alike) kinds.emplace_back(names, inner);
  std::ranges::stable_sort(kinds, {}, [](const auto& kind) { return kind.first.size(); });
  std::string html;
  for (std::size_t at = 0; at < std::min(kinds.size(), kMostKinds); ++at) {
    html += box("host", element("strong", escaped(listed(kinds[at].first))) + kinds[at].second);
  }
  const std::size_t left = kinds.size() - std::min(kinds.size(), kMostKinds);
  return box("picture", html) + "\n" + left_out(left, "kinds of hosts");
}

/// A port as it is on some hosts: all that two of them may differ in.
struct PortKind {
  Names hosts{};
  int far_ranks = 0;  // whose NUMA node is another
  int ranks = 0;
};

using Columns = std::vector<std::string>;

Columns columns_of(const RankRail& rail) {
  return {std::to_string(rail.rail),
          rail.device + "/" + std::to_string(rail.port),
          numa_name(rail.numa_node),
          rail.netdev,
          number_text(rail.link_gigabits_per_second),
          std::to_string(rail.mtu_bytes),
          std::string(word(rail.kind)),
          rail.firmware};
}

std::vector<Cell> line(const Columns& columns, const PortKind& kind) {
  std::vector<Cell> cells{{listed(kind.hosts), ""}, {std::to_string(kind.hosts.size()), ""}};
  for (const std::string& column : columns) cells.push_back({column, ""});
  cells.push_back({kind.far_ranks == 0
                       ? ""
                       : std::to_string(kind.far_ranks) + " of " + std::to_string(kind.ranks),
                   kind.far_ranks == 0 ? "" : "warn"});
  return cells;
}

/// Of many hosts: ports that are alike in a line, those of the fewest hosts first, since what is
/// rare is what somebody looks for.
std::string kinds_of_ports(const Ranks& ranks) {
  std::map<Columns, PortKind> kinds;
  for (const Rank& rank : ranks) {
    for (const RankRail& rail : rank.rails) {
      PortKind& kind = kinds[columns_of(rail)];
      if (kind.hosts.empty() || kind.hosts.back() != rank.host) add(kind.hosts, rank.host);
      kind.far_ranks += is_far(rank, rail) ? 1 : 0;
      ++kind.ranks;
    }
  }
  std::vector<std::pair<Columns, PortKind>> all(kinds.begin(), kinds.end());
  std::ranges::stable_sort(all, {}, [](const auto& one) { return one.second.hosts.size(); });
  std::vector<std::vector<Cell>> rows;
  rows.reserve(all.size());
  for (const auto& [columns, kind] : all) rows.push_back(line(columns, kind));
  return ranked_table({"hosts", "number", "rail", "port", "NUMA node", "netdev", "Gb/s", "MTU",
                       "kind", "firmware", "ranks on other nodes"},
                      rows, "kinds of ports");
}

std::string table_of_ports(const Ranks& ranks) {
  std::vector<std::vector<Cell>> rows;
  for (const Rank& rank : ranks) {
    for (const RankRail& rail : rank.rails) rows.push_back(line(rank, rail));
  }
  return table({"host", "NUMA node", "rank", "rail", "port", "its NUMA node", "netdev", "address",
                "Gb/s", "MTU", "kind", "firmware"},
               rows);
}

std::size_t lines_of(const Ranks& ranks) {
  std::size_t lines = 0;
  for (const Rank& rank : ranks) lines += rank.rails.size();
  return lines;
}

}  // namespace

std::string placement_part(const results::Document& document) {
  constexpr std::size_t kMostLines = 32;
  const std::size_t lines = lines_of(document.ranks);
  if (lines == 0) return "";
  const bool few = lines <= kMostLines;
  return section("Placement",
                 few ? picture_of(document.ranks) + table_of_ports(document.ranks)
                     : picture_of_kinds(document.ranks) + kinds_of_ports(document.ranks));
}

}  // namespace railgauge::report
