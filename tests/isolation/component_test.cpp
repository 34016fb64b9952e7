#include "isolation/component.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "isolation/incidence.hpp"

namespace railgauge::isolation {
namespace {

Nic nic(const std::string& host, int rail) {
  return {host, {.host = host, .device = "mlx5_" + std::to_string(rail), .rail = rail}, rail};
}

Evidence evidence(const std::vector<int>& hops, bool sprayed = false) {
  Evidence one;
  one.nics = {nic("host0", 0), nic("host0", 1), nic("host1", 0)};
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
    names.push_back(finding::in_words(location_of(incidence.component(one), evidence)));
  std::ranges::sort(names);
  return names;
}

using Names = std::vector<std::string>;

/// The two ends of the test, and what is between them.
Names with(const Names& middle) {
  Names all{"host0",
            "host1",
            "host0 mlx5_1 (rail 1)",
            "host0 mlx5_1 (rail 1) TX",
            "host1 mlx5_0 (rail 0)",
            "host1 mlx5_0 (rail 0) RX"};
  all.insert(all.end(), middle.begin(), middle.end());
  std::ranges::sort(all);
  return all;
}

TEST(Components, OfAKnownPath) {
  EXPECT_EQ(passed(evidence({0, 2, 1})), with({"link leaf0 -> spine0", "link spine0 -> leaf1",
                                               "switch leaf0", "switch leaf1", "switch spine0"}));
}

TEST(Components, WithinALeaf) {
  EXPECT_EQ(passed(evidence({0})), with({"switch leaf0"}));
}

TEST(Components, OfAPathThatIsPartlyKnown) {
  const Names middle{"switch leaf0", "switch leaf1", "fabric", "link ? -> leaf1",
                     "link leaf0 -> ?"};
  EXPECT_EQ(passed(evidence({0, kUnknownSwitch, 1})), with(middle));
  EXPECT_EQ(passed(evidence({0, 2, 1}, true)), with(middle)) << "sprayed";
}

TEST(Components, OfAPathOfWhichNothingIsKnown) {
  EXPECT_EQ(passed(evidence({})), with({"fabric"}));
}

/// A test that failed, whose acknowledgements come back over another spine.
Evidence failed(std::optional<bool> arrives, std::size_t heard = 0) {
  Evidence one = evidence({0, 2, 1});
  one.switches.emplace_back("spine1");
  Observation& test = one.tests.front();
  test.outcome.failed = true;
  test.outcome.arrives = arrives;
  test.heard = heard;
  test.hops_back = {1, 3, 0};
  return one;
}

bool has(const Names& names, const std::string& name) {
  return std::ranges::count(names, name) > 0;
}

TEST(Components, OfAFailureAreThoseOfItsAcknowledgements) {
  const Names either = passed(failed({}));
  const Names back = passed(failed(true));
  const Names there = passed(failed(false));
  for (const Names& names : {either, there}) {
    EXPECT_TRUE(has(names, "link leaf0 -> spine0"));
    EXPECT_TRUE(has(names, "host0 mlx5_1 (rail 1) TX"));
  }
  for (const Names& names : {either, back}) {
    EXPECT_TRUE(has(names, "link leaf1 -> spine1"));
    EXPECT_TRUE(has(names, "host0 mlx5_1 (rail 1) RX"));
  }
  EXPECT_FALSE(has(back, "link leaf0 -> spine0"));
  EXPECT_FALSE(has(there, "link leaf1 -> spine1"));
}

TEST(Components, OfATestThatWorkedAreNotThoseOfItsAcknowledgements) {
  Evidence one = failed({});
  one.tests.front().outcome.failed = false;
  EXPECT_FALSE(has(passed(one), "link leaf1 -> spine1"));
}

TEST(Components, OfAFailureAreThoseBehindTheLastAnswer) {
  const Names names = passed(failed(false, 2));
  EXPECT_EQ(names, (Names{"host1", "host1 mlx5_0 (rail 0)", "host1 mlx5_0 (rail 0) RX",
                          "link spine0 -> leaf1", "switch leaf1", "switch spine0"}));
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

TEST(Components, AllHaveAPlaceAndARemedy) {
  const Evidence one = evidence({0, 2, 1});
  for (const Kind kind : {Kind::link, Kind::nic_transmit, Kind::nic_receive, Kind::nic, Kind::host,
                          Kind::leaf, Kind::spine, Kind::uplinks, Kind::downlinks, Kind::core}) {
    EXPECT_FALSE(remedy_at({kind, 0, 2}, one).empty());
    EXPECT_FALSE(finding::in_words(location_of({kind, 0, 2}, one)).empty());
  }
}

/// Two ranks of one host drive devices of their own, as hosts do.
TEST(Components, OfRanksOfOneHostAreToldApart) {
  Evidence one;
  for (const int rank : {0, 1})
    one.nics.push_back({"vm rank " + std::to_string(rank),
                        {.host = "vm", .device = "soft0", .rail = 0, .ranks = {rank}},
                        0});
  EXPECT_EQ(finding::in_words(location_of({Kind::nic_transmit, 1, 0}, one)),
            "vm soft0 (rail 0, rank 1) TX");
  EXPECT_EQ(finding::in_words(location_of({Kind::host, 1, 0}, one)), "vm rank 1");
}

}  // namespace
}  // namespace railgauge::isolation
