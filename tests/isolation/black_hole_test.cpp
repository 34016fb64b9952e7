#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "isolation/findings.hpp"
#include "isolation/planner.hpp"
#include "isolation/verdict.hpp"

// What loses all packets, of tests and of probes: a test fails for want of acknowledgements, too,
// and switches behind it, or whose answers pass it, seem silent.

namespace railgauge::isolation {
namespace {

/// Hosts of one rail below leaves, and spines. Switch numbers: leaves, then spines.
class BlackHoles {
 public:
  struct Shape {
    int hosts = 4;
    int leaves = 2;
    int spines = 4;
  };

  BlackHoles(const Shape& shape, std::vector<Component> planted, bool knows_direction = true)
      : shape_(shape), planted_(std::move(planted)), knows_direction_(knows_direction) {
    for (int host = 0; host < shape.hosts; ++host) {
      const std::string name = "host" + std::to_string(host);
      evidence_.nics.push_back({name, {.host = name, .device = "mlx5_0", .rail = 0}, 0});
    }
    for (int leaf = 0; leaf < shape.leaves; ++leaf)
      evidence_.switches.push_back("leaf" + std::to_string(leaf));
    for (int spine = 0; spine < shape.spines; ++spine)
      evidence_.switches.push_back("spine" + std::to_string(spine));
  }

  Verdict isolate(const Plan& plan) {
    Verdict verdict;
    int round = 0;
    do {
      for (const Pair& pair : matching(evidence_, round, plan)) {
        for (const std::uint16_t port : source_ports(round, plan)) {
          test(round, pair.first, pair.second, port);
          test(round, pair.second, pair.first, port);
        }
      }
      verdict = judge(evidence_);
    } while (!enough(verdict, ++round, plan));
    return verdict;
  }

  [[nodiscard]] Evidence& evidence() { return evidence_; }

 private:
  [[nodiscard]] int leaf_of(std::size_t nic) const {
    return static_cast<int>(nic) * shape_.leaves / shape_.hosts;
  }

  [[nodiscard]] std::vector<int> path(std::size_t from, std::size_t to, std::uint16_t port) const {
    if (leaf_of(from) == leaf_of(to)) return {leaf_of(from)};
    std::uint64_t hash = (from << 32U | to << 16U | port) * 0x9e3779b97f4a7c15U;
    hash = (hash ^ hash >> 29U) * 0xbf58476d1ce4e5b9U;
    const auto spine = static_cast<int>((hash >> 32U) % static_cast<unsigned>(shape_.spines));
    return {leaf_of(from), shape_.leaves + spine, leaf_of(to)};
  }

  [[nodiscard]] bool loses(const Component& one) const {
    return std::ranges::count(planted_, one) > 0;
  }
  [[nodiscard]] bool is_dead(int hop) const {
    return loses({Kind::leaf, hop, 0}) || loses({Kind::spine, hop, 0});
  }
  [[nodiscard]] bool passes_port(std::size_t nic, Kind direction) const {
    const int number = static_cast<int>(nic);
    return !loses({direction, number, 0}) && !loses({Kind::nic, number, 0}) &&
           !is_dead(leaf_of(nic));
  }
  [[nodiscard]] bool passes_link(int here, int next) const {
    const auto [first, second] = std::minmax(here, next);
    return !loses({Kind::link, here, next}) && !loses({Kind::cable, first, second}) &&
           !is_dead(here) && !is_dead(next);
  }
  /// As far as this hop.
  [[nodiscard]] bool passes(const std::vector<int>& hops, std::size_t last) const {
    for (std::size_t at = 0; at < last; ++at) {
      if (!passes_link(hops[at], hops[at + 1])) return false;
    }
    return true;
  }

  [[nodiscard]] bool carries(std::size_t from, std::size_t to, std::uint16_t port) const {
    const std::vector<int> hops = path(from, to, port);
    return passes_port(from, Kind::nic_transmit) && passes_port(to, Kind::nic_receive) &&
           passes(hops, hops.size() - 1);
  }

  /// Answers of the second leaf, as of the peer, come back by a path that their source chooses.
  [[nodiscard]] bool answers(std::size_t from, std::size_t to, const std::vector<int>& hops,
                             std::size_t at) const {
    if (!passes_port(from, Kind::nic_transmit) || !passes(hops, at) ||
        !passes_port(from, Kind::nic_receive))
      return false;
    if (at < 2) return at == 0 || passes_link(hops[1], hops[0]);
    const std::vector<int> back = path(to, from, 1);
    return passes(back, 2);
  }

  /// The place of the last hop that answers, from 1.
  [[nodiscard]] std::size_t last_heard(std::size_t from, std::size_t to, std::uint16_t port) const {
    const std::vector<int> hops = path(from, to, port);
    std::size_t last = 0;
    for (std::size_t at = 0; at < hops.size(); ++at)
      if (answers(from, to, hops, at)) last = at + 1;
    return last;
  }

  /// As far as any path answers, if the peer does not.
  [[nodiscard]] std::size_t places(std::size_t from, std::size_t to) const {
    std::size_t last = 0;
    for (std::uint16_t port = 3; port < 20; ++port)
      last = std::max(last, last_heard(from, to, port));
    return last;
  }

  void trace(std::size_t from, std::size_t to, std::uint16_t port, std::vector<int>& hops,
             std::size_t& heard) const {
    hops = path(from, to, port);
    const bool silent = !carries(from, to, 2) || !carries(to, from, 2);
    const std::vector<int> whole = hops;
    if (silent) hops.resize(places(from, to));
    for (std::size_t at = 0; at < hops.size(); ++at)
      if (!answers(from, to, whole, at)) hops[at] = kUnknownSwitch;
    const std::size_t last = last_heard(from, to, port);
    heard = last == hops.size() ? 0 : last;
    if (silent) hops.push_back(kUnknownSwitch);
    if (last == 0) hops.clear();
  }

  void test(int round, std::size_t from, std::size_t to, std::uint16_t port) {
    Observation seen;
    seen.from = from;
    seen.to = to;
    seen.source_port = port;
    seen.round = round;
    const bool there = carries(from, to, port);
    const bool back = carries(to, from, port);
    seen.outcome.failed = !there || !back;
    seen.outcome.lost_share = 0;
    if (knows_direction_ && there != back) seen.outcome.arrives = there;
    trace(from, to, port, seen.hops, seen.heard);
    if (seen.outcome.failed) trace(to, from, port, seen.hops_back, seen.heard_back);
    evidence_.tests.push_back(std::move(seen));
  }

  Shape shape_;
  std::vector<Component> planted_;
  bool knows_direction_;
  Evidence evidence_;
};

using DarkShape = BlackHoles::Shape;
constexpr DarkShape kTwoDarkLeaves{};
constexpr DarkShape kFourDarkLeaves{.hosts = 8, .leaves = 4, .spines = 4};

std::vector<Component> named_by(const Suspect& suspect) {
  std::vector<Component> all = suspect.alike;
  all.push_back(suspect.component);
  return all;
}

class BlackHole : public ::testing::TestWithParam<std::tuple<DarkShape, bool>> {
 protected:
  static constexpr unsigned kSeeds = 5;

  /// Whatever is named is that, perhaps with what no test tells from it.
  static void expect_named(const Component& planted) {
    const auto& [shape, knows_direction] = GetParam();
    for (unsigned seed = 1; seed <= kSeeds; ++seed) {
      BlackHoles fabric(shape, {planted}, knows_direction);
      const Verdict verdict = fabric.isolate({.most_rounds = 12, .seed = seed});
      EXPECT_EQ(verdict.state, State::found) << seed;
      for (const Suspect& one : verdict.suspects) {
        if (one.status != Status::named) continue;
        const auto all = named_by(one);
        EXPECT_EQ(std::ranges::count(all, planted), 1)
            << seed << " " << finding::in_words(location_of(one.component, fabric.evidence()));
      }
      EXPECT_EQ(verdict.unexplained_failures, 0U) << seed;
    }
  }

  static int spine(int number) { return std::get<0>(GetParam()).leaves + number; }
};

TEST_P(BlackHole, OfACableIsNamed) {
  expect_named({Kind::cable, 0, spine(2)});
}

TEST_P(BlackHole, OfACableTowardsItsSpineIsNamed) {
  expect_named({Kind::link, 0, spine(2)});
}

TEST_P(BlackHole, OfACableFromItsSpineIsNamed) {
  expect_named({Kind::link, spine(2), 0});
}

TEST_P(BlackHole, OfAPortIsNamed) {
  expect_named({Kind::nic, 3, 0});
}

/// Nobody passed the spine, so nobody knows its name: it is on no known path, and between leaves.
TEST_P(BlackHole, OfASpineNamesNothingElse) {
  const auto& [shape, knows_direction] = GetParam();
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    BlackHoles fabric(shape, {{Kind::spine, spine(1), 0}}, knows_direction);
    const Verdict verdict = fabric.isolate({.most_rounds = 12, .seed = seed});
    EXPECT_EQ(verdict.state, State::path_unknown) << seed;
    EXPECT_EQ(verdict.unexplained_failures, 0U) << seed;
    ASSERT_FALSE(verdict.suspects.empty());
    for (const Suspect& one : verdict.suspects)
      EXPECT_TRUE(is_of_unknown_path(one.component) || one.status != Status::named) << seed;
    const finding::Report report = report_of(verdict, fabric.evidence());
    EXPECT_NE(sentence(report.findings[0]).find("probes end after leaf"), std::string::npos);
  }
}

TEST_P(BlackHole, OfAHealthyTwinIsNothing) {
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    BlackHoles fabric(std::get<0>(GetParam()), {});
    EXPECT_EQ(fabric.isolate({.most_rounds = 12, .seed = seed}).state, State::healthy) << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Fabrics, BlackHole,
                         ::testing::Combine(::testing::Values(kTwoDarkLeaves, kFourDarkLeaves),
                                            ::testing::Bool()));

/// What its acknowledgements are lost by is no reason to accuse what its data pass.
TEST(DeadDirection, OfAPortIsNamedWithIt) {
  for (const Kind direction : {Kind::nic_transmit, Kind::nic_receive}) {
    for (unsigned seed = 1; seed <= 5; ++seed) {
      BlackHoles fabric(kTwoDarkLeaves, {{direction, 3, 0}});
      const Verdict verdict = fabric.isolate({.most_rounds = 12, .seed = seed});
      ASSERT_EQ(verdict.suspects.size(), 1U) << seed;
      EXPECT_EQ(verdict.suspects[0].component, (Component{direction, 3, 0})) << seed;
      EXPECT_EQ(verdict.suspects[0].status, Status::named) << seed;
      EXPECT_TRUE(verdict.suspects[0].alike.empty()) << seed;
    }
  }
}

/// Tests in the other direction say nothing, as of a busy host.
TEST(DeadDirection, IsTestedAgainByFlowsWhoseAcknowledgementsPassIt) {
  BlackHoles fabric(kTwoDarkLeaves, {{Kind::nic_transmit, 3, 0}});
  (void)fabric.isolate({.most_rounds = 12});
  std::erase_if(fabric.evidence().tests, [](const Observation& one) { return one.from == 3; });
  const Verdict verdict = judge(fabric.evidence());
  ASSERT_EQ(verdict.suspects.size(), 1U);
  EXPECT_EQ(verdict.suspects[0].component, (Component{Kind::nic_transmit, 3, 0}));
  const std::vector<Flow> flows = retests(fabric.evidence(), verdict);
  EXPECT_EQ(std::ranges::count(flows, 3U, &Flow::to), 3);
}

/// Where no test knows which of the two is dead, the port is named.
TEST(DeadDirection, ThatIsNotKnownIsNotNamed) {
  BlackHoles fabric(kTwoDarkLeaves, {{Kind::nic_transmit, 3, 0}}, false);
  const Verdict verdict = fabric.isolate({.most_rounds = 12});
  ASSERT_EQ(verdict.suspects.size(), 1U);
  EXPECT_EQ(verdict.suspects[0].component, (Component{Kind::nic, 3, 0}));
  EXPECT_EQ(verdict.suspects[0].alike, (std::vector<Component>{{Kind::host, 3, 0}}));
}

/// Each of the ports below a dead leaf is as dead as the leaf, of which nobody knows the name.
TEST(DeadLeaf, IsNoPortAlone) {
  for (const DarkShape& shape : {kTwoDarkLeaves, kFourDarkLeaves}) {
    BlackHoles fabric(shape, {{Kind::leaf, 1, 0}});
    const Verdict verdict = fabric.isolate({.most_rounds = 12});
    EXPECT_EQ(verdict.state, State::path_unknown) << shape.leaves;
    EXPECT_EQ(verdict.unexplained_failures, 0U) << shape.leaves;
    for (const Suspect& one : verdict.suspects)
      EXPECT_TRUE(is_of_unknown_path(one.component) || one.status != Status::named);
  }
}

}  // namespace
}  // namespace railgauge::isolation
