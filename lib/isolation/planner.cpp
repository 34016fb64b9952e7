#include "isolation/planner.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "isolation/incidence.hpp"
#include "isolation/known_paths.hpp"

namespace railgauge::isolation {
namespace {

constexpr std::uint32_t kFirstPort = 0xc000;  // as of queue pairs
constexpr std::uint32_t kPorts = 0x4000;
constexpr std::size_t kMostSuspects = 3;  // to test again in a turn
constexpr std::size_t kRetests = 3;
constexpr std::size_t kControls = 1;

/// Below `count`; the same everywhere, which the standard's distributions are not.
std::size_t below(std::mt19937_64& random, std::size_t count) {
  return random() % count;
}

void shuffle(std::vector<std::size_t>& values, std::mt19937_64& random) {
  for (std::size_t left = values.size(); left > 1; --left)
    std::swap(values[left - 1], values[below(random, left)]);
}

/// Who is near whom.
class Places {
 public:
  explicit Places(const Evidence& evidence)
      : nics_(evidence.nics), leaves_(evidence.nics.size(), kUnknownSwitch) {
    for (const Observation& test : evidence.tests) {
      if (test.hops.empty()) continue;
      leaves_[test.from] = test.hops.front();
      leaves_[test.to] = test.hops.back();
    }
  }

  [[nodiscard]] bool same_host(const Pair& pair) const {
    return nics_[pair.first].host == nics_[pair.second].host;
  }
  /// As far as it is known.
  [[nodiscard]] bool same_leaf(const Pair& pair) const {
    return leaves_[pair.first] != kUnknownSwitch && leaves_[pair.first] == leaves_[pair.second];
  }

 private:
  const std::vector<Nic>& nics_;
  std::vector<int> leaves_;
};

/// Exchanges partners of pairs that are too near with other pairs.
template <class IsNear>
void part(std::vector<Pair>& pairs, IsNear is_near) {
  for (Pair& pair : pairs) {
    if (!is_near(pair)) continue;
    const auto other = std::ranges::find_if(pairs, [&](const Pair& one) {
      return !is_near({pair.first, one.second}) && !is_near({one.first, pair.second});
    });
    if (other != pairs.end()) std::swap(pair.second, other->second);
  }
}

/// Tests below one leaf say nothing of links between switches.
void part(std::vector<Pair>& pairs, const Places& places) {
  part(pairs, [&](const Pair& pair) { return places.same_host(pair) || places.same_leaf(pair); });
  part(pairs, [&](const Pair& pair) { return places.same_host(pair); });
  std::erase_if(pairs, [&](const Pair& pair) { return places.same_host(pair); });
}

/// Whom a NIC failed with since it worked with anybody.
struct Failures {
  bool works = false;           // or did, ever
  bool since_it_worked = true;  // all tests that were looked at so far, from the latest on, failed
  std::size_t tests = 0;
  std::set<std::size_t> with{};

  void add(bool failed, std::size_t other) {
    works = works || !failed;
    since_it_worked = since_it_worked && failed;
    if (!since_it_worked) return;
    ++tests;
    with.insert(other);
  }
};

/// [nic]
std::vector<bool> dead_nics(const Evidence& evidence) {
  std::vector<Failures> failures(evidence.nics.size());
  for (std::size_t at = evidence.tests.size(); at > 0; --at) {
    const Observation& test = evidence.tests[at - 1];
    if (test.earlier) continue;
    failures[test.from].add(test.outcome.failed, test.to);
    failures[test.to].add(test.outcome.failed, test.from);
  }
  constexpr std::size_t kEnough = 4;  // to be found by
  std::vector<bool> dead;
  dead.reserve(failures.size());
  for (const Failures& one : failures) {
    const bool is_alone_in_it =
        std::ranges::any_of(one.with, [&](std::size_t other) { return failures[other].works; });
    dead.push_back(one.tests >= kEnough && one.with.size() >= 2 && is_alone_in_it);
  }
  return dead;
}

std::vector<Pair> pairs_of(const std::vector<std::size_t>& nics) {
  std::vector<Pair> pairs;
  pairs.reserve(nics.size() / 2);
  for (std::size_t at = 0; at + 1 < nics.size(); at += 2) pairs.push_back({nics[at], nics[at + 1]});
  return pairs;
}

/// Whether tests that a component explains pass it, asked flow by flow.
class Through {
 public:
  Through(const Incidence& incidence, const Component& component) : incidence_(incidence) {
    for (std::uint32_t one = 0; one < incidence.components(); ++one) {
      if (incidence.component(one) == component) number_ = one;
    }
  }

  [[nodiscard]] bool passes(std::size_t test) const {
    return number_ && std::ranges::binary_search(incidence_.passed_by(test), *number_);
  }
  [[nodiscard]] std::span<const std::uint32_t> tests() const {
    return number_ ? incidence_.through(*number_) : std::span<const std::uint32_t>();
  }

 private:
  const Incidence& incidence_;
  std::optional<std::uint32_t> number_{};
};

/// The same tests as if nothing failed for want of acknowledgements: a flow whose data pass what is
/// suspected tells more than one whose acknowledgements do.
Evidence without_ways_back(Evidence evidence) {
  for (Observation& test : evidence.tests) {
    test.outcome.arrives.reset();
    test.hops_back.clear();
    test.heard = 0;
  }
  return evidence;
}

Flow flow_of(const Observation& test, bool control) {
  return {test.from, test.to, test.source_port, control};
}

/// Those that may be chosen, of which those between NICs that were tested alone with each other
/// least come first.
void add_retests(const Evidence& evidence, const Through& through,
                 const std::function<bool(std::uint32_t test)>& may_be_chosen,
                 std::vector<Flow>& flows) {
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> used;
  std::vector<const Observation*> tests;
  for (const std::uint32_t test : through.tests()) {
    const Observation& one = evidence.tests[test];
    if (one.earlier) continue;
    if (one.alone) {
      ++used[{one.from, one.to}];
    } else if (may_be_chosen(test)) {
      tests.push_back(&one);
    }
  }
  const auto use = [&](const Observation* one) { return used[{one->from, one->to}]; };
  for (std::size_t count = 0; count < kRetests && !tests.empty(); ++count) {
    const auto least = std::ranges::min_element(tests, {}, use);
    flows.push_back(flow_of(**least, false));
    ++used[{(*least)->from, (*least)->to}];
    tests.erase(least);
  }
}

void add_controls(const Evidence& evidence, const Through& through, std::size_t first,
                  std::vector<Flow>& flows) {
  std::set<std::size_t> senders;
  for (std::size_t at = first; at < flows.size(); ++at) senders.insert(flows[at].from);
  std::size_t count = 0;
  for (std::size_t test = 0; test < evidence.tests.size() && count < kControls; ++test) {
    const Observation& one = evidence.tests[test];
    if (one.alone || through.passes(test) || senders.erase(one.from) == 0) continue;
    flows.push_back(flow_of(one, true));
    ++count;
  }
}

bool is_decided(const Suspect& suspect) {
  return suspect.status == Status::named ||
         (is_of_unknown_path(suspect.component) && suspect.log_odds > kDecisiveLogOdds);
}

}  // namespace

std::vector<Pair> matching(const Evidence& evidence, int round, const Plan& plan) {
  const std::vector<Nic>& nics = evidence.nics;
  const Places places(evidence);
  const std::vector<bool> dead = dead_nics(evidence);
  std::map<int, std::vector<std::size_t>> by_rail;
  for (std::size_t nic = 0; nic < nics.size(); ++nic) {
    if (!dead[nic]) by_rail[plan.cross_rail ? 0 : nics[nic].rail].push_back(nic);
  }
  std::seed_seq seed{static_cast<std::uint32_t>(plan.seed),
                     static_cast<std::uint32_t>(plan.seed >> 32U),
                     static_cast<std::uint32_t>(round)};
  std::mt19937_64 random(seed);
  std::vector<Pair> all;
  for (auto& [rail, of_rail] : by_rail) {
    shuffle(of_rail, random);
    std::vector<Pair> pairs = pairs_of(of_rail);
    part(pairs, places);
    all.insert(all.end(), pairs.begin(), pairs.end());
  }
  return all;
}

std::vector<std::uint16_t> source_ports(int round, const Plan& plan) {
  constexpr std::uint32_t kStep = 4099;  // odd: it comes to every port
  std::vector<std::uint16_t> ports;
  ports.reserve(static_cast<std::size_t>(plan.ports));
  for (int port = 0; port < plan.ports; ++port) {
    const auto turn = static_cast<std::uint32_t>(round * plan.ports + port);
    const auto offset = static_cast<std::uint32_t>(plan.seed);
    ports.push_back(static_cast<std::uint16_t>(kFirstPort + (turn * kStep + offset) % kPorts));
  }
  return ports;
}

bool enough(const Verdict& verdict, int rounds, const Plan& plan) {
  if (rounds >= plan.most_rounds) return true;
  return rounds >= 2 && all_covered(verdict) && verdict.unexplained_failures == 0 &&
         std::ranges::all_of(verdict.suspects, is_decided);
}

std::vector<Flow> retests(const Evidence& evidence, const Verdict& verdict) {
  const Evidence known = with_known_paths(evidence);
  const Incidence data(without_ways_back(known));
  const Incidence any(known);
  const std::vector<Symptoms> symptoms = symptoms_of(evidence, {});
  std::vector<Flow> flows;
  std::size_t open = 0;
  for (const Suspect& suspect : verdict.suspects) {
    if (!is_open(suspect) || open++ == kMostSuspects) continue;
    const Through through(data, suspect.component);
    const std::size_t first = flows.size();
    const auto may_be_chosen = [&](std::uint32_t test) {
      return !suspect.of_part || symptoms[test].any();
    };
    add_retests(evidence, through, may_be_chosen, flows);
    if (flows.size() == first)
      add_retests(evidence, Through(any, suspect.component), may_be_chosen, flows);
    add_controls(evidence, through, first, flows);
  }
  return flows;
}

}  // namespace railgauge::isolation
