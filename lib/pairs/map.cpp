#include "pairs/map.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "finding/words.hpp"
#include "pairs/speed.hpp"

namespace railgauge::pairs {
namespace {

using Cell = Map::Cell;
using normal::Cohorts;
using results::Endpoint;
using results::PairRow;

std::string figures_of(const PairRow& row) {
  const auto& figures = row.figures;
  if (is_connect(row.mode) && figures.gigabytes_per_second && figures.time)
    return finding::printed("%.3g GB/s, %.3g us", *figures.gigabytes_per_second,
                            figures.time->p50_us);
  if (figures.gigabytes_per_second)
    return finding::printed("%.3g GB/s", *figures.gigabytes_per_second);
  if (!figures.time) return "nothing was measured";
  return finding::printed("%.3g us, p99.9 %.3g us", figures.time->p50_us, figures.time->p999_us);
}

Cell cell_of(const PairRow& row, const Cohorts& cohorts) {
  const double median = cohorts.median_for(sample_of(row));
  if (!row.figures.reason.empty() || median == 0) return {.text = row.figures.reason};
  return {.works = true, .share = speed_of(row) / median, .text = figures_of(row)};
}

using Key = std::tuple<std::string, int, int>;  // host, rail, plane

/// The ends of rows in order: of NICs, or of hosts.
class Ends {
 public:
  Ends(const std::vector<const PairRow*>& rows, bool by_host) : by_host_(by_host) {
    for (const PairRow* row : rows) {
      for (const Endpoint* end : {&row->from, &row->to}) add(*end);
    }
    for (auto& [key, entry] : entries_) entry.first = order_++;
  }

  [[nodiscard]] std::size_t of(const Endpoint& end) const { return entries_.at(key(end)).first; }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] std::vector<Endpoint> nics() const {
    std::vector<Endpoint> nics;
    nics.reserve(entries_.size());
    for (const auto& [key, entry] : entries_) nics.push_back(entry.second);
    return nics;
  }

 private:
  [[nodiscard]] Key key(const Endpoint& end) const {
    return by_host_ ? Key{end.host, 0, 0} : Key{end.host, end.rail, end.plane};
  }
  void add(const Endpoint& end) {
    entries_[key(end)].second = by_host_ ? Endpoint{.host = end.host} : end;
  }

  bool by_host_;
  std::size_t order_ = 0;
  std::map<Key, std::pair<std::size_t, Endpoint>> entries_;
};

Map every_nic(const std::vector<const PairRow*>& rows, const Ends& ends, const Cohorts& cohorts) {
  Map map(ends.nics());
  for (const PairRow* row : rows) {
    if (!lacks_answers(*row)) map.set(ends.of(row->from), ends.of(row->to), cell_of(*row, cohorts));
  }
  return map;
}

/// Of two hosts the worst path.
using Cells = std::map<std::pair<std::size_t, std::size_t>, Cell>;

bool is_worse(const Cell& one, const Cell& other) {
  if (one.works != other.works) return other.works;
  return one.share < other.share;
}

Cells worst_paths(const std::vector<const PairRow*>& rows, const Ends& hosts,
                  const Cohorts& cohorts) {
  Cells cells;
  for (const PairRow* row : rows) {
    if (lacks_answers(*row)) continue;
    const Cell cell = cell_of(*row, cohorts);
    const auto [entry, is_new] = cells.try_emplace({hosts.of(row->from), hosts.of(row->to)}, cell);
    if (!is_new && is_worse(cell, entry->second)) entry->second = cell;
  }
  return cells;
}

/// Hosts by how many paths of theirs fail, then by the slowest, of which the first are shown: whom
/// a dead NIC does not reach is no worse than others.
std::vector<std::size_t> worst_hosts(const Cells& cells, std::size_t hosts, std::size_t most) {
  std::vector<std::pair<int, double>> badness(hosts, {0, 1e9});  // less is worse
  for (const auto& [ends, cell] : cells) {
    for (const std::size_t host : {ends.first, ends.second}) {
      if (!cell.works) --badness[host].first;
      if (cell.works) badness[host].second = std::min(badness[host].second, cell.share);
    }
  }
  std::vector<std::size_t> order(hosts);
  for (std::size_t host = 0; host < hosts; ++host) order[host] = host;
  if (hosts <= most) return order;
  std::ranges::stable_sort(order, {}, [&](std::size_t host) { return badness[host]; });
  order.resize(most);
  return order;
}

Map by_host(const std::vector<const PairRow*>& rows, const Cohorts& cohorts, std::size_t most) {
  const Ends hosts(rows, true);
  const Cells cells = worst_paths(rows, hosts, cohorts);
  const std::vector<std::size_t> shown = worst_hosts(cells, hosts.size(), most);
  const std::vector<Endpoint> names = hosts.nics();
  std::vector<Endpoint> nics;
  nics.reserve(shown.size());
  for (const std::size_t host : shown) nics.push_back(names[host]);
  Map map(nics);
  for (std::size_t from = 0; from < shown.size(); ++from) {
    for (std::size_t to = 0; to < shown.size(); ++to) {
      const auto cell = cells.find({shown[from], shown[to]});
      if (cell != cells.end()) map.set(from, to, cell->second);
    }
  }
  return map;
}

}  // namespace

Map::Map(std::vector<Endpoint> nics)
    : nics_(std::move(nics)), cells_(nics_.size() * nics_.size()) {}

bool Map::has_planes() const {
  return std::ranges::any_of(nics_, [](const Endpoint& nic) { return nic.plane > 0; });
}

std::optional<Map> map_of(const std::vector<PairRow>& rows, const std::string& mode,
                          std::size_t most) {
  std::vector<const PairRow*> of_mode;
  for (const PairRow& row : rows) {
    if (row.mode == mode) of_mode.push_back(&row);
  }
  if (of_mode.empty()) return std::nullopt;
  const Ends nics(of_mode, false);
  const Cohorts cohorts = cohorts_of(rows);
  return nics.size() <= most ? every_nic(of_mode, nics, cohorts) : by_host(of_mode, cohorts, most);
}

std::vector<std::string> modes_of(const std::vector<PairRow>& rows) {
  std::vector<std::string> modes;
  for (const PairRow& row : rows) {
    if (std::ranges::find(modes, row.mode) == modes.end()) modes.push_back(row.mode);
  }
  return modes;
}

std::vector<const PairRow*> worst_of(const std::vector<PairRow>& rows, std::size_t most) {
  const Cohorts cohorts = cohorts_of(rows);
  const auto badness = [&](const PairRow* row) {
    const double median = cohorts.median_for(sample_of(*row));
    const bool failed = row->verdict == results::PairVerdict::fail;
    const bool doubt = row->verdict == results::PairVerdict::unknown;
    return std::pair(failed ? 0 : doubt ? 1 : 2, median > 0 ? speed_of(*row) / median : 0);
  };
  std::vector<std::pair<std::pair<int, double>, const PairRow*>> all;
  all.reserve(rows.size());
  for (const PairRow& row : rows) all.emplace_back(badness(&row), &row);
  std::ranges::stable_sort(all, {}, [](const auto& one) { return one.first; });
  std::vector<const PairRow*> worst;
  for (std::size_t at = 0; at < std::min(most, all.size()); ++at) worst.push_back(all[at].second);
  return worst;
}

}  // namespace railgauge::pairs
