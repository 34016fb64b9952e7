#include "isolation/incidence.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace railgauge::isolation {
namespace {

constexpr std::uint32_t kUnnumbered = ~std::uint32_t{0};

/// From one NIC to another.
struct Way {
  std::size_t from = 0;
  std::size_t to = 0;
  const std::vector<int>* hops = nullptr;
  std::size_t heard = 0;
  bool sprayed = false;
};

/// What may make a test bad: for one that failed it may be the path of its acknowledgements.
std::vector<Way> ways_of(const Observation& test) {
  const bool failed = test.outcome.failed;
  const std::optional<bool> arrives = failed ? test.outcome.arrives : std::nullopt;
  std::vector<Way> ways;
  if (!arrives.value_or(false))
    ways.push_back({test.from, test.to, &test.hops, failed ? test.heard : 0, test.sprayed});
  if (arrives.value_or(failed && !test.hops_back.empty()))
    ways.push_back({test.to, test.from, &test.hops_back, test.heard_back, test.sprayed});
  return ways;
}

/// The number of each component, given when it is first met.
class Numbers {
 public:
  Numbers(const Evidence& evidence, std::vector<Component>& components)
      : components_(components),
        host_of_(evidence.nics.size()),
        is_leaf_(evidence.switches.size(), false),
        of_nics_(kKindsOfNics * evidence.nics.size(), kUnnumbered),
        of_switches_(kKindsOfSwitches * evidence.switches.size(), kUnnumbered) {
    std::unordered_map<std::string, std::size_t> first_nic;
    for (std::size_t nic = 0; nic < evidence.nics.size(); ++nic) {
      host_of_[nic] = first_nic.try_emplace(evidence.nics[nic].host, nic).first->second;
    }
    for (const Observation& test : evidence.tests) {
      for (const Way& way : ways_of(test)) note(way);
    }
  }

  void add(const Observation& test, std::vector<std::uint32_t>& passed) {
    const std::size_t begin = passed.size();
    for (const Way& way : ways_of(test)) add(way, passed);
    std::sort(passed.begin() + static_cast<std::ptrdiff_t>(begin), passed.end());
    passed.erase(std::unique(passed.begin() + static_cast<std::ptrdiff_t>(begin), passed.end()),
                 passed.end());
  }

 private:
  static constexpr std::size_t kKindsOfNics = 4;
  static constexpr std::size_t kKindsOfSwitches = 3;

  static std::uint64_t link(int here, int next) {
    return std::uint64_t{static_cast<std::uint32_t>(here)} << 32U |
           static_cast<std::uint32_t>(next);
  }

  static std::vector<int> ends_of(const Way& way) {
    std::vector<int> ends;
    if (way.hops->empty()) return ends;
    for (const int end : {way.hops->front(), way.hops->back()}) {
      if (end != kUnknownSwitch) ends.push_back(end);
    }
    return ends;
  }

  void note(const Way& way) {
    for (const int end : ends_of(way)) is_leaf_[static_cast<std::size_t>(end)] = true;
    for (std::size_t at = 0; at + 1 < way.hops->size(); ++at)
      tested_.insert(link(hop(way, at), hop(way, at + 1)));
  }

  /// A switch on the path, of which a sprayed test knows only the first and the last.
  static int hop(const Way& way, std::size_t at) {
    const bool inner = at > 0 && at + 1 < way.hops->size();
    return way.sprayed && inner ? kUnknownSwitch : (*way.hops)[at];
  }

  /// What probes of the very path passed before they were lost is not why its packets are.
  void add(const Way& way, std::vector<std::uint32_t>& passed) {
    const bool ended = way.heard > 0 && way.heard < way.hops->size();
    if (!ended) add_end(Kind::nic_transmit, way.from, passed);
    add_end(Kind::nic_receive, way.to, passed);
    add_path(way, ended ? way.heard - 1 : 0, passed);
  }

  void add_end(Kind direction, std::size_t nic, std::vector<std::uint32_t>& passed) {
    passed.push_back(of_nic(direction, nic));
    passed.push_back(of_nic(Kind::nic, nic));
    passed.push_back(of_nic(Kind::host, host_of_[nic]));
  }

  void add_path(const Way& way, std::size_t first, std::vector<std::uint32_t>& passed) {
    const std::size_t hops = way.hops->size();
    bool all_known = hops > 0;
    for (std::size_t at = first; at < hops; ++at) {
      const int here = hop(way, at);
      if (here == kUnknownSwitch) {
        all_known = false;
        continue;
      }
      passed.push_back(of_switch(here));
      if (at + 1 < hops) add_step(here, hop(way, at + 1), at == 0, passed);
    }
    if (hops > 1 && hop(way, hops - 2) == kUnknownSwitch && hop(way, hops - 1) != kUnknownSwitch)
      passed.push_back(of_leaf(Kind::downlinks, hop(way, hops - 1)));
    if (!all_known) passed.push_back(number(core_, {Kind::core, 0, 0}));
  }

  void add_step(int here, int next, bool up, std::vector<std::uint32_t>& passed) {
    if (next != kUnknownSwitch) {
      passed.push_back(number(links_.try_emplace(link(here, next), kUnnumbered).first->second,
                              {Kind::link, here, next}));
      // Of a cable that is tested in one direction only, that direction is all that is known.
      if (!tested_.contains(link(next, here))) return;
      const auto [first, second] = std::minmax(here, next);
      passed.push_back(number(cables_.try_emplace(link(first, second), kUnnumbered).first->second,
                              {Kind::cable, first, second}));
    } else if (up) {
      passed.push_back(of_leaf(Kind::uplinks, here));
    }
  }

  std::uint32_t of_nic(Kind kind, std::size_t nic) {
    const std::size_t place =
        static_cast<std::size_t>(kind) - static_cast<std::size_t>(Kind::nic_transmit);
    return number(of_nics_[kKindsOfNics * nic + place], {kind, static_cast<int>(nic), 0});
  }

  std::uint32_t of_switch(int index) {
    const auto at = static_cast<std::size_t>(index);
    return number(of_switches_[kKindsOfSwitches * at],
                  {is_leaf_[at] ? Kind::leaf : Kind::spine, index, 0});
  }

  std::uint32_t of_leaf(Kind kind, int index) {
    const std::size_t place = kind == Kind::uplinks ? 1 : 2;
    return number(of_switches_[kKindsOfSwitches * static_cast<std::size_t>(index) + place],
                  {kind, index, 0});
  }

  std::uint32_t number(std::uint32_t& known, const Component& component) {
    if (known == kUnnumbered) {
      known = static_cast<std::uint32_t>(components_.size());
      components_.push_back(component);
    }
    return known;
  }

  std::vector<Component>& components_;
  std::vector<std::size_t> host_of_;  // by NIC: the first NIC of its host
  std::vector<bool> is_leaf_;
  std::vector<std::uint32_t> of_nics_;
  std::vector<std::uint32_t> of_switches_;
  std::unordered_map<std::uint64_t, std::uint32_t> links_;
  std::unordered_map<std::uint64_t, std::uint32_t> cables_;
  std::unordered_set<std::uint64_t> tested_;  // links
  std::uint32_t core_ = kUnnumbered;
};

}  // namespace

Incidence::Incidence(const Evidence& evidence, const std::vector<bool>& silent) {
  constexpr std::size_t kUsualPassed = 12;
  of_tests_.reserve(kUsualPassed * evidence.tests.size());
  first_of_test_.reserve(evidence.tests.size() + 1);
  Numbers numbers(evidence, components_);
  std::vector<std::uint32_t> passed_by_silent;
  for (std::size_t test = 0; test < evidence.tests.size(); ++test) {
    const bool says_nothing = !silent.empty() && silent[test];
    if (!says_nothing) numbers.add(evidence.tests[test], of_tests_);
    first_of_test_.push_back(of_tests_.size());
    silent_ += says_nothing ? 1 : 0;
  }
  const std::size_t tested = components_.size();
  for (std::size_t test = 0; silent_ > 0 && test < silent.size(); ++test) {
    if (silent[test]) numbers.add(evidence.tests[test], passed_by_silent);
  }
  add_silent(std::move(passed_by_silent));
  untested_ = components_.size() - tested;
  components_.resize(tested);
  turn_round();
}

void Incidence::add_silent(std::vector<std::uint32_t> passed) {
  std::ranges::sort(passed);
  passed.erase(std::unique(passed.begin(), passed.end()), passed.end());
  for (const std::uint32_t one : passed) passed_by_silent_.push_back(components_[one]);
}

bool Incidence::passed_by_silent(const Component& component) const {
  return std::ranges::count(passed_by_silent_, component) > 0;
}

void Incidence::turn_round() {
  first_of_component_.assign(components_.size() + 1, 0);
  for (const std::uint32_t number : of_tests_) ++first_of_component_[number + 1];
  for (std::size_t i = 1; i < first_of_component_.size(); ++i)
    first_of_component_[i] += first_of_component_[i - 1];
  of_components_.resize(of_tests_.size());
  std::vector<std::size_t> next(first_of_component_.begin(), first_of_component_.end() - 1);
  for (std::size_t test = 0; test < tests(); ++test) {
    for (const std::uint32_t number : passed_by(test))
      of_components_[next[number]++] = static_cast<std::uint32_t>(test);
  }
}

bool Incidence::alike(std::size_t one, std::size_t other) const {
  return std::ranges::equal(through(one), through(other));
}

}  // namespace railgauge::isolation
