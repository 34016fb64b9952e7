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

Row line(const Rank& rank, const RankRail& rail) {
  const bool far = is_far(rank, rail);
  return {rank.host,
          numa_name(rank.numa_node),
          rank.rank,
          results::rail_name(rail, rank.rails).substr(5),
          rail.device + "/" + std::to_string(rail.port),
          {numa_name(rail.numa_node) + (far ? ", not the rank's" : ""), far ? "warn" : ""},
          rail.netdev,
          rail.address,
          rail.link_gigabits_per_second,
          rail.mtu_bytes,
          word(rail.kind),
          rail.firmware};
}

/// A port as it is on some hosts: all that two of them may differ in.
struct PortKind {
  std::vector<std::string> hosts{};
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

Row line(const Columns& columns, const PortKind& kind) {
  Row cells{listed(kind.hosts), kind.hosts.size()};
  cells.insert(cells.end(), columns.begin(), columns.end());
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
      add_once(kind.hosts, rank.host);
      kind.far_ranks += is_far(rank, rail) ? 1 : 0;
      ++kind.ranks;
    }
  }
  std::vector<std::pair<Columns, PortKind>> all(kinds.begin(), kinds.end());
  std::ranges::stable_sort(all, {}, [](const auto& one) { return one.second.hosts.size(); });
  const auto rows = rows_of(all, [](const auto& one) { return line(one.first, one.second); });
  return ranked_table({"hosts", "number", "rail", "port", "NUMA node", "netdev", "Gb/s", "MTU",
                       "kind", "firmware", "ranks on other nodes"},
                      rows, "kinds of ports");
}

std::string table_of_ports(const Ranks& ranks) {
  std::vector<Row> rows;
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
                 few ? table_of_ports(document.ranks) : kinds_of_ports(document.ranks));
}

}  // namespace railgauge::report
