#include "isolation/known_paths.hpp"

#include <gtest/gtest.h>

namespace railgauge::isolation {
namespace {

using Hops = std::vector<int>;

constexpr int kNobody = kUnknownSwitch;
// Two NICs below leaf 0, two below leaf 1; spines 2, 3 and 4.
constexpr int kSwitches = 5;

Observation traced(std::size_t from, std::size_t to, Hops hops) {
  Observation made;
  made.from = from;
  made.to = to;
  made.hops = std::move(hops);
  return made;
}

std::vector<Hops> completed(std::vector<Observation> tests) {
  Evidence evidence;
  evidence.nics.resize(4);
  evidence.switches.resize(kSwitches);
  evidence.tests = std::move(tests);
  std::vector<Hops> all;
  for (const Observation& one : with_known_paths(evidence).tests) all.push_back(one.hops);
  return all;
}

TEST(KnownPaths, EndWhereThePacketsOfTheReceiverBegin) {
  const auto hops = completed({traced(0, 2, {0, 2, 1, kNobody}), traced(2, 0, {1, 2, 0})});
  EXPECT_EQ(hops[0], (Hops{0, 2, 1}));
}

TEST(KnownPaths, AreAsLongAsOthersBetweenTheirLeaves) {
  const auto hops =
      completed({traced(0, 2, {0, kNobody, kNobody, kNobody}), traced(2, 0, {1, 2, 0}),
                 traced(1, 3, {0, 2, 1}), traced(3, 1, {1, 3, 0})});
  EXPECT_EQ(hops[0], (Hops{0, 3, 1})) << "the one spine that only the other direction passes";
}

TEST(KnownPaths, AreAsLongAsThoseOfTheOtherDirection) {
  const auto hops = completed({traced(0, 2, {0, kNobody, kNobody}), traced(2, 0, {1, 2, 0}),
                               traced(0, 2, {0, 3, kNobody}), traced(2, 0, {1, 3, 0})});
  EXPECT_EQ(hops[0], (Hops{0, 2, 1}));
  EXPECT_EQ(hops[2], (Hops{0, 3, 1}));
}

TEST(KnownPaths, HaveNoSwitchThatMayBeAnother) {
  const auto two = completed({traced(0, 2, {0, kNobody, 1}), traced(0, 2, {0, 2, 1}),
                              traced(2, 0, {1, 3, 0}), traced(2, 0, {1, 4, 0})});
  EXPECT_EQ(two[0], (Hops{0, kNobody, 1}));
  const auto silent = completed(
      {traced(0, 2, {0, kNobody, 1}), traced(2, 0, {1, 3, 0}), traced(2, 0, {1, kNobody, 0})});
  EXPECT_EQ(silent[0], (Hops{0, kNobody, 1})) << "a spine may be silent in both directions";
  const auto none =
      completed({traced(0, 2, {0, kNobody, 1}), traced(0, 2, {0, 3, 1}), traced(2, 0, {1, 3, 0})});
  EXPECT_EQ(none[0], (Hops{0, kNobody, 1}));
}

TEST(KnownPaths, OfSeveralLengthsOrLeavesStayUnknown) {
  const Hops ended{0, kNobody, kNobody};
  const auto lengths =
      completed({traced(0, 2, ended), traced(2, 0, {1, 2, 0}), traced(1, 3, {0, 2, 1}),
                 traced(3, 1, {1, 2, 0}), traced(1, 3, {0, 2, 3, 4, 1})});
  EXPECT_EQ(lengths[0], ended);
  const auto leaves =
      completed({traced(0, 2, ended), traced(2, 0, {1, 2, 0}), traced(2, 0, {3, 2, 0}),
                 traced(1, 3, {0, 2, 1}), traced(3, 1, {1, 2, 0})});
  EXPECT_EQ(leaves[0], ended);
}

/// Then what lies before the last switch that answered works.
TEST(KnownPaths, DoNotEndAtASwitchWithoutNics) {
  Evidence evidence;
  evidence.nics.resize(4);
  evidence.switches.resize(kSwitches);
  evidence.tests = {traced(0, 2, {0, 2, kNobody}), traced(0, 2, {0, kNobody}),
                    traced(0, 2, {0, 2, 1})};
  const std::vector<Observation> tests = with_known_paths(evidence).tests;
  EXPECT_EQ(tests[0].heard, 2U);
  EXPECT_EQ(tests[1].heard, 0U) << "NIC 2 may be below leaf 0";
  EXPECT_EQ(tests[2].heard, 0U);
}

TEST(KnownPaths, OfWhichNothingWasHeardStayUnknown) {
  EXPECT_EQ(completed({traced(0, 2, {}), traced(2, 0, {1, 2, 0})})[0], Hops{});
}

/// Of acknowledgements, too, which are the other direction.
TEST(KnownPaths, AreThoseOfAcknowledgements) {
  Evidence evidence;
  evidence.nics.resize(4);
  evidence.switches.resize(kSwitches);
  evidence.tests = {traced(2, 0, {1, 2, 0}), traced(0, 2, {0, 3, 1})};
  evidence.tests[0].hops_back = {0, 3, 1, kNobody};
  EXPECT_EQ(with_known_paths(evidence).tests[0].hops_back, (Hops{0, 3, 1}));
}

}  // namespace
}  // namespace railgauge::isolation
