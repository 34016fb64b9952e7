#include "isolation/known_paths.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace railgauge::isolation {
namespace {

using Hops = std::vector<int>;
using Ends = std::pair<int, int>;  // switches

bool is_known(int hop) {
  return hop != kUnknownSwitch;
}

bool has_unknown(const Evidence& evidence) {
  return std::ranges::any_of(evidence.tests, [](const Observation& test) {
    return std::ranges::count(test.hops, kUnknownSwitch) > 0 ||
           std::ranges::count(test.hops_back, kUnknownSwitch) > 0;
  });
}

class Paths {
 public:
  explicit Paths(Evidence& evidence) : evidence_(evidence) {}

  void complete() {
    each([&](std::size_t from, std::size_t, const Hops& hops) { note_leaf(from, hops); });
    each([&](std::size_t, std::size_t to, Hops& hops) { end_at_leaf(to, hops); });
    each([&](std::size_t, std::size_t to, const Hops& hops) { note_length(to, hops); });
    each([&](std::size_t, std::size_t to, Hops& hops) { reach_leaf(to, hops); });
    for (Observation& test : evidence_.tests) {
      end_before_leaf(test.hops, test.heard);
      end_before_leaf(test.hops_back, test.heard_back);
    }
    each([&](std::size_t, std::size_t, const Hops& hops) { note_middles(hops); });
    each([&](std::size_t, std::size_t, Hops& hops) { fill_middles(hops); });
  }

 private:
  template <class Each>
  void each(Each each) {
    for (Observation& test : evidence_.tests) {
      each(test.from, test.to, test.hops);
      each(test.to, test.from, test.hops_back);
    }
  }

  /// Where a NIC's packets begin; unknown if it is at several switches.
  void note_leaf(std::size_t nic, const Hops& hops) {
    if (hops.empty() || !is_known(hops.front())) return;
    int& leaf = leaves_.try_emplace(nic, hops.front()).first->second;
    if (leaf != hops.front()) leaf = kUnknownSwitch;
  }

  [[nodiscard]] int leaf_of(std::size_t nic) const {
    const auto found = leaves_.find(nic);
    return found == leaves_.end() ? kUnknownSwitch : found->second;
  }

  /// What a silent peer seems to be behind.
  void end_at_leaf(std::size_t to, Hops& hops) const {
    const int leaf = leaf_of(to);
    if (hops.size() > 1 && is_known(leaf) && !is_known(hops.back()) &&
        hops[hops.size() - 2] == leaf)
      hops.pop_back();
  }

  void note_length(std::size_t to, const Hops& hops) {
    if (!hops.empty() && is_known(hops.front()) && is_known(hops.back()) &&
        hops.back() == leaf_of(to))
      lengths_[std::minmax(hops.front(), hops.back())].insert(hops.size());
  }

  void reach_leaf(std::size_t to, Hops& hops) const {
    if (hops.empty() || !is_known(hops.front()) || is_known(hops.back())) return;
    const auto found = lengths_.find(Ends(std::minmax(hops.front(), leaf_of(to))));
    if (found == lengths_.end() || found->second.size() > 1) return;
    const auto known = std::ranges::find_if(hops.rbegin(), hops.rend(), is_known);
    const std::size_t length = *found->second.begin();
    if (static_cast<std::size_t>(hops.rend() - known) >= length) return;
    hops.resize(length, kUnknownSwitch);
    hops.back() = leaf_of(to);
  }

  [[nodiscard]] bool is_leaf(int hop) const {
    return std::ranges::any_of(leaves_, [&](const auto& nic) { return nic.second == hop; });
  }

  /// Behind a switch at which no NIC's packets begin there is another.
  void end_before_leaf(const Hops& hops, std::size_t& heard) const {
    if (heard > 0 || hops.empty() || is_known(hops.back())) return;
    const auto known = std::ranges::find_if(hops.rbegin(), hops.rend(), is_known);
    if (known != hops.rend() && !is_leaf(*known))
      heard = static_cast<std::size_t>(hops.rend() - known);
  }

  template <class Some, class Each>
  static void each_middle(Some& hops, Each each) {
    for (std::size_t at = 1; at + 1 < hops.size(); ++at) {
      if (is_known(hops[at - 1]) && is_known(hops[at + 1]))
        each(Ends(hops[at - 1], hops[at + 1]), hops[at]);
    }
  }

  void note_middles(const Hops& hops) {
    each_middle(hops, [&](const Ends& ends, int middle) { middles_[ends].insert(middle); });
  }

  /// Where the other direction has silent switches, too, there may be more than are known.
  void fill_middles(Hops& hops) const {
    each_middle(hops, [&](const Ends& ends, int& middle) {
      const auto back = middles_.find({ends.second, ends.first});
      if (is_known(middle) || back == middles_.end() || back->second.contains(kUnknownSwitch))
        return;
      const std::set<int>& passed = middles_.at(ends);
      Hops missing;
      std::ranges::set_difference(back->second, passed, std::back_inserter(missing));
      if (missing.size() == 1) middle = missing.front();
    });
  }

  Evidence& evidence_;
  std::map<std::size_t, int> leaves_;              // by NIC
  std::map<Ends, std::set<std::size_t>> lengths_;  // of whole paths between two leaves
  std::map<Ends, std::set<int>> middles_;          // between two neighbours of theirs
};

}  // namespace

Evidence with_known_paths(Evidence evidence) {
  if (has_unknown(evidence)) Paths(evidence).complete();
  return evidence;
}

}  // namespace railgauge::isolation
