#include <algorithm>
#include <map>
#include <set>

#include "reachability/heat_map.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"

namespace railgauge::report {
namespace {

using results::Endpoint;

using results::ReachabilityBody;
using results::ReachabilityRow;

/// The ends as rows have them, each with its place: those that send first, in the order of rows,
/// then any other.
class Places {
 public:
  explicit Places(const ReachabilityBody& body) {
    for (const ReachabilityRow& row : body.rows) add(row.from);
    for (const ReachabilityRow& row : body.rows) add(row.to);
  }

  [[nodiscard]] const std::vector<reachability::Nic>& nics() const { return nics_; }
  [[nodiscard]] std::size_t of(const Endpoint& end) const {
    return places_.at({end.host, end.rail, end.plane});
  }

 private:
  void add(const Endpoint& end) {
    if (!places_.try_emplace({end.host, end.rail, end.plane}, nics_.size()).second) return;
    nics_.push_back({.host = end.host,
                     .rail = end.rail,
                     .plane = end.plane,
                     .device = end.device,
                     .port = end.port,
                     .address = end.address});
  }

  std::map<std::tuple<std::string, int, int>, std::size_t> places_;
  std::vector<reachability::Nic> nics_;
};

std::string picture_of(const ReachabilityBody& body, const Places& places) {
  reachability::Matrix matrix(places.nics());
  for (const ReachabilityRow& row : body.rows) {
    matrix.add(places.of(row.from), places.of(row.to),
               {.reached = row.reached,
                .latency_us = row.latency_us.value_or(0),
                .gigabytes_per_second = row.gigabytes_per_second.value_or(0),
                .reason = row.reason});
  }
  return reachability::picture(matrix);
}

double median_of(const ReachabilityBody& body, bool same_rail) {
  for (const results::ReachabilitySummary& kind : body.summary) {
    if (kind.same_rail == same_rail) return kind.median_gigabytes_per_second;
  }
  return 0;
}

/// How many times slower than the median of its kind a pair is; huge if one does not reach the
/// other, empty if nothing is known of it.
std::optional<double> slowness(const ReachabilityBody& body, const ReachabilityRow& row) {
  constexpr double kUnreached = 1e6;
  if (!row.reached) return kUnreached;
  const double median = median_of(body, row.from.rail == row.to.rail);
  const double speed = row.gigabytes_per_second.value_or(0);
  if (median <= 0 || speed <= 0) return std::nullopt;
  return median / speed;
}

/// What was seen of a NIC in all its pairs.
struct Seen {
  int tested = 0;
  int reached = 0;
  double slowest = 0;
};

struct HostSeen {
  std::string host{};
  std::map<int, Seen> rails{};
};

double badness(const HostSeen& host) {
  constexpr double kUnreached = 1000;
  double sum = 0;
  for (const auto& [rail, seen] : host.rails) {
    sum += kUnreached * (seen.tested - seen.reached) + seen.slowest;
  }
  return sum;
}

using EndOf = Endpoint ReachabilityRow::*;

/// The NICs of which no pair works: whoever is at the other end of one is not to blame.
std::set<std::pair<std::string, int>> cut_off(const ReachabilityBody& body, EndOf end) {
  std::set<std::pair<std::string, int>> cut;
  for (const ReachabilityRow& row : body.rows) cut.insert({(row.*end).host, (row.*end).rail});
  for (const ReachabilityRow& row : body.rows) {
    if (row.reached) cut.erase({(row.*end).host, (row.*end).rail});
  }
  return cut;
}

std::vector<HostSeen> hosts_of(const ReachabilityBody& body, EndOf end, EndOf other) {
  const auto blamed = cut_off(body, other);
  std::map<std::string, HostSeen> hosts;
  for (const ReachabilityRow& row : body.rows) {
    const Endpoint& one = row.*end;
    if (blamed.contains({(row.*other).host, (row.*other).rail})) continue;
    HostSeen& host = hosts[one.host];
    host.host = one.host;
    Seen& seen = host.rails[one.rail];
    ++seen.tested;
    seen.reached += row.reached ? 1 : 0;
    if (row.reached) seen.slowest = std::max(seen.slowest, slowness(body, row).value_or(0));
  }
  std::vector<HostSeen> all;
  all.reserve(hosts.size());
  for (auto& [name, host] : hosts) all.push_back(std::move(host));
  std::ranges::stable_sort(all, std::greater{}, badness);
  return all;
}

Cell cell_of(const Seen& seen) {
  if (seen.reached < seen.tested) {
    return {std::to_string(seen.reached) + " of " + std::to_string(seen.tested), "bad"};
  }
  return seen.slowest > 0 ? Cell{number_text(seen.slowest), heat(seen.slowest)} : Cell{"-", ""};
}

/// Of many NICs: a line for each host, its rails in columns, worst first.
std::string by_host(const ReachabilityBody& body, const std::string& corner, EndOf end,
                    EndOf other) {
  const std::vector<HostSeen> hosts = hosts_of(body, end, other);
  std::set<int> rails;
  for (const HostSeen& host : hosts) {
    for (const auto& [rail, seen] : host.rails) rails.insert(rail);
  }
  std::vector<std::string> head{corner};
  for (const int rail : rails) head.push_back("rail " + std::to_string(rail));
  std::vector<std::vector<Cell>> rows;
  for (const HostSeen& host : hosts) {
    rows.push_back({{host.host, ""}});
    for (const int rail : rails) {
      const auto seen = host.rails.find(rail);
      rows.back().push_back(seen == host.rails.end() ? Cell{} : cell_of(seen->second));
    }
  }
  return element("div", ranked_table(head, rows, "hosts"));
}

std::string maps_of(const ReachabilityBody& body) {
  return "<p>How many times slower than the median of its kind (same rail, other rails) a NIC's "
         "slowest pair is; or how many of its pairs work, if not all do. Pairs with a NIC of "
         "which none works count for that one only.</p>\n"
         "<div class=\"maps\">" +
         by_host(body, "sends", &ReachabilityRow::from, &ReachabilityRow::to) +
         by_host(body, "receives", &ReachabilityRow::to, &ReachabilityRow::from) + "</div>\n";
}

std::string summary_of(const results::ReachabilityBody& body) {
  std::vector<std::vector<Cell>> rows;
  for (const results::ReachabilitySummary& summary : body.summary) {
    const bool all = summary.reached == summary.tested;
    rows.push_back({{summary.same_rail ? "same rail" : "different rails", ""},
                    {std::to_string(summary.tested), ""},
                    {std::to_string(summary.reached), all ? "" : "warn"},
                    {number_text(summary.median_gigabytes_per_second), ""}});
  }
  return table({"pairs", "tested", "reached", "median, GB/s"}, rows);
}

std::string name_of(const Endpoint& end) {
  return end.host + " rail " + std::to_string(end.rail) + " (" + end.device + ")";
}

std::vector<Cell> line(const ReachabilityRow& row) {
  const auto figure = [](const std::optional<double>& value) {
    return Cell{value ? number_text(*value) : "", ""};
  };
  return {{name_of(row.from), ""},
          {name_of(row.to), ""},
          {row.reached ? "yes" : "no", row.reached ? "" : "bad"},
          figure(row.latency_us),
          figure(row.gigabytes_per_second),
          {row.reason, ""}};
}

/// As they were tested, or if they are many the worst first.
std::string pairs_of(const ReachabilityBody& body) {
  constexpr std::size_t kOnAScreen = 16;
  std::vector<const ReachabilityRow*> pairs;
  pairs.reserve(body.rows.size());
  for (const ReachabilityRow& row : body.rows) pairs.push_back(&row);
  if (pairs.size() > kOnAScreen) {
    std::ranges::stable_sort(pairs, std::greater{}, [&](const ReachabilityRow* row) {
      return slowness(body, *row).value_or(0);
    });
  }
  constexpr std::size_t kMost = kMostFolded;
  std::vector<std::vector<Cell>> rows;
  for (const ReachabilityRow* pair : pairs) {
    if (rows.size() < kMost) rows.push_back(line(*pair));
  }
  const std::string head = pairs.size() > kOnAScreen ? "All pairs, worst first" : "All pairs";
  return folded(head, ranked_table({"from", "to", "reached", "latency, µs", "GB/s", "reason"}, rows,
                                   "pairs") +
                          left_out(pairs.size() - rows.size(), "pairs"));
}

}  // namespace

std::string reachability_part(const ReachabilityBody& body) {
  constexpr std::size_t kMostNics = 40;  // in a picture
  if (body.rows.empty()) return "";
  const Places places(body);
  const bool few = places.nics().size() <= kMostNics;
  return section(
      "Reachability",
      summary_of(body) + (few ? picture_of(body, places) : maps_of(body)) + pairs_of(body));
}

}  // namespace railgauge::report
