#include "pairs/losses.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "finding/words.hpp"

namespace railgauge::pairs {
namespace {

using finding::Finding;
using finding::Location;
using finding::Scope;
using results::Endpoint;

/// Fewer are sent again when a connection starts, or after a time-out although they had arrived.
constexpr std::int64_t kFewest = 3;
/// Where pairs lose so few, some may lose none: then nearly all are enough. Of a mean of 10 fewer
/// than 3 are 0.3 %.
constexpr double kFew = 10;
constexpr double kNearlyAll = 0.8;
constexpr std::size_t kMostPairs = 3;
constexpr std::size_t kMostPlaces = 8;

bool is_lossy(const PairLoss& pair) {
  return pair.packets >= kFewest;
}

/// Ports, hosts and rails of its ends.
std::set<Location> places_of(const PairLoss& pair) {
  std::set<Location> places;
  for (const Endpoint& end : {pair.one, pair.other}) {
    places.insert({.scope = Scope::port, .at = results::place_of(end)});
    places.insert({.scope = Scope::host, .at = {.host = end.host}});
    places.insert({.scope = Scope::rail, .at = {.rail = end.rail}});
  }
  return places;
}

using Lossy = std::vector<const PairLoss*>;

double packets_of(const Lossy& pairs) {
  double packets = 0;
  for (const PairLoss* pair : pairs) packets += static_cast<double>(pair->packets);
  return packets;
}

/// Pairs of a place.
struct Counts {
  std::size_t all = 0;
  Lossy lossy{};
  std::size_t open = 0;  // of these, what no other place explains

  [[nodiscard]] bool explains() const {
    if (open < 2 || lossy.size() == all) return open > 1;
    const double share = static_cast<double>(lossy.size()) / static_cast<double>(all);
    return share >= kNearlyAll && packets_of(lossy) < kFew * static_cast<double>(lossy.size());
  }
};

class Search {
 public:
  Search(const std::vector<PairLoss>& pairs, finding::Cause cause) : pairs_(pairs), cause_(cause) {
    for (const PairLoss& pair : pairs) {
      if (is_lossy(pair)) open_.insert(&pair);
    }
  }

  std::vector<Finding> findings() {
    if (open_.empty() && !pairs_.empty()) return {of_many(with_any())};
    while (found_.size() < kMostPlaces && tell_most()) {
    }
    const Lossy left(open_.begin(), open_.end());
    if (left.size() > kMostPairs) {
      found_.push_back(of_many(left));
    } else {
      for (const PairLoss* pair : left) found_.push_back(of_pair(*pair));
    }
    return std::move(found_);
  }

 private:
  [[nodiscard]] std::map<Location, Counts> counts() const {
    std::map<Location, Counts> places;
    for (const PairLoss& pair : pairs_) {
      for (const Location& place : places_of(pair)) {
        Counts& counts = places[place];
        ++counts.all;
        if (is_lossy(pair)) counts.lossy.push_back(&pair);
        counts.open += open_.count(&pair);
      }
    }
    return places;
  }

  /// The place that explains most; of those that explain the same the smallest. False if there is
  /// none.
  bool tell_most() {
    const std::map<Location, Counts> all = counts();
    const auto merit = [](const auto& place) {
      const auto& [where, counts] = place;
      return std::pair(counts.explains() ? counts.open : 0, where.scope);
    };
    const auto best = std::ranges::max_element(all, {}, merit);
    if (best == all.end() || !best->second.explains()) return false;
    found_.push_back(made(best->first, best->second.lossy, best->second.all));
    for (const PairLoss* pair : best->second.lossy) open_.erase(pair);
    return true;
  }

  [[nodiscard]] Lossy with_any() const {
    Lossy some;
    for (const PairLoss& pair : pairs_) {
      if (pair.packets > 0) some.push_back(&pair);
    }
    return some;
  }

  [[nodiscard]] Finding made(Location where, const Lossy& lossy, std::size_t of) const {
    Finding finding = finding::found("pairs", cause_, std::move(where));
    finding.certainty = finding::Certainty::confirmed;
    finding.evidence.push_back({.metric = "packets missed or sent again",
                                .observed = packets_of(lossy),
                                .against = lossy.size(),
                                .of = of,
                                .counted = "pairs"});
    return finding;
  }

  [[nodiscard]] Finding of_pair(const PairLoss& pair) const {
    return made({.scope = Scope::path,
                 .at = results::place_of(pair.one),
                 .peer = results::place_of(pair.other)},
                {&pair}, 1);
  }

  [[nodiscard]] Finding of_many(Lossy left) const {
    std::ranges::stable_sort(left, std::ranges::greater{}, &PairLoss::packets);
    Finding finding = made({}, left, pairs_.size());
    std::vector<std::string> names;
    for (const PairLoss* pair : left)
      names.push_back(in_words(results::place_of(pair->one)) + " - " +
                      in_words(results::place_of(pair->other)));
    if (!names.empty())
      finding.evidence.front().text = "most: " + finding::first_of(std::move(names), kMostPairs);
    finding.remedy = "run isolate_perf: it finds the link that these pairs have in common";
    return finding;
  }

  const std::vector<PairLoss>& pairs_;
  finding::Cause cause_;
  std::set<const PairLoss*> open_{};  // lossy, and not explained; in the order of pairs_
  std::vector<Finding> found_{};
};

}  // namespace

std::vector<Finding> findings_of_losses(const std::vector<PairLoss>& pairs, finding::Cause cause) {
  return Search(pairs, cause).findings();
}

}  // namespace railgauge::pairs
