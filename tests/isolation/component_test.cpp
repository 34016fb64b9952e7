#include "isolation/component.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "isolation/incidence.hpp"

namespace railgauge::isolation {
namespace {

Evidence evidence(const std::vector<int>& hops, bool sprayed = false) {
  Evidence one;
  one.nics = {{"host0", "mlx5_0", 0}, {"host0", "mlx5_1", 1}, {"host1", "mlx5_0", 0}};
  one.switches = {"leaf0", "leaf1", "spine0"};
  Observation test;
  test.from = 1;
  test.to = 2;
  test.hops = hops;
  test.sprayed = sprayed;
  one.tests = {test};
  return one;
}

std::vector<std::string> passed(const Evidence& evidence) {
  const Incidence incidence(evidence);
  std::vector<std::string> names;
  for (const std::uint32_t one : incidence.passed_by(0))
    names.push_back(in_words(incidence.component(one), evidence));
  std::ranges::sort(names);
  return names;
}

using Names = std::vector<std::string>;

TEST(Components, OfAKnownPath) {
  EXPECT_EQ(passed(evidence({0, 2, 1})),
            (Names{"NIC host0 mlx5_1", "NIC host1 mlx5_0", "host host0", "host host1", "leaf leaf0",
                   "leaf leaf1", "link leaf0 -> spine0", "link spine0 -> leaf1", "spine spine0",
                   "what host0 mlx5_1 sends", "what host1 mlx5_0 receives"}));
}

const Names kOfEnds{"NIC host0 mlx5_1", "NIC host1 mlx5_0", "host host0", "host host1"};
const Names kOfDirections{"what host0 mlx5_1 sends", "what host1 mlx5_0 receives"};

Names with(const Names& middle) {
  Names all = kOfEnds;
  all.insert(all.end(), middle.begin(), middle.end());
  all.insert(all.end(), kOfDirections.begin(), kOfDirections.end());
  std::ranges::sort(all);
  return all;
}

TEST(Components, WithinALeaf) {
  EXPECT_EQ(passed(evidence({0})), with({"leaf leaf0"}));
}

TEST(Components, OfAPathThatIsPartlyKnown) {
  const Names middle{"leaf leaf0", "leaf leaf1", "somewhere between the NICs (path not known)",
                     "somewhere before leaf leaf1, on the way down (path not known)",
                     "somewhere beyond leaf leaf0, on the way up (path not known)"};
  EXPECT_EQ(passed(evidence({0, kUnknownSwitch, 1})), with(middle));
  EXPECT_EQ(passed(evidence({0, 2, 1}, true)), with(middle)) << "sprayed";
}

TEST(Components, OfAPathOfWhichNothingIsKnown) {
  EXPECT_EQ(passed(evidence({})), with({"somewhere between the NICs (path not known)"}));
}

TEST(Components, ThatTheSameTestsPassAreAlike) {
  Evidence one = evidence({0, 2, 1});
  Observation within;
  within.from = 0;
  within.to = 2;
  within.hops = {0};
  one.tests.push_back(within);
  const Incidence incidence(one);
  const auto number = [&](const Component& component) {
    std::size_t at = 0;
    while (!(incidence.component(at) == component)) ++at;
    return at;
  };
  const std::size_t up = number({Kind::link, 0, 2});
  EXPECT_TRUE(incidence.alike(up, number({Kind::link, 2, 1})));
  EXPECT_FALSE(incidence.alike(up, number({Kind::leaf, 0, 0})));
  EXPECT_EQ(incidence.through(number({Kind::leaf, 0, 0})).size(), 2U);
}

TEST(Components, AllHaveAdvice) {
  const Evidence one = evidence({0, 2, 1});
  for (const Kind kind : {Kind::link, Kind::nic_sends, Kind::nic_receives, Kind::nic, Kind::host,
                          Kind::leaf, Kind::spine, Kind::uplinks, Kind::downlinks, Kind::core}) {
    EXPECT_FALSE(advice({kind, 0, 2}, one).empty());
    EXPECT_FALSE(in_words(Component{kind, 0, 2}, one).empty());
  }
}

}  // namespace
}  // namespace railgauge::isolation
