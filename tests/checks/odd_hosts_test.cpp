#include "checks/odd_hosts.hpp"

#include <gtest/gtest.h>

namespace railgauge::checks {
namespace {

using Sentences = std::vector<std::string>;

const std::set<int> kTwo{0, 1};
const std::set<int> kThree{0, 1, 2};

Sentences said_of(const RailsOfHosts& rails_of) {
  Sentences all;
  for (const finding::Finding& one : odd_hosts("pairs", rails_of)) all.push_back(sentence(one));
  return all;
}

TEST(OddHosts, AreThoseThatDifferFromMost) {
  EXPECT_EQ(said_of({{"host0", kTwo}, {"host1", kTwo}, {"host2", kThree}}),
            (Sentences{"host2 (rail 2): more NICs than the other hosts: 2 of 3 hosts lack this "
                       "rail"}));
  EXPECT_EQ(said_of({{"host0", kThree}, {"host1", kTwo}, {"host2", kThree}}),
            (Sentences{"host1 (rail 2): missing rail: 2 of 3 hosts have this rail; check whether a "
                       "port is down"}));
}

TEST(OddHosts, OfTwoIsTheOneThatLacksARail) {
  EXPECT_EQ(said_of({{"host0", kTwo}, {"host1", kThree}}),
            (Sentences{"host0 (rail 2): missing rail: 1 of 2 hosts have this rail; check whether a "
                       "port is down"}));
}

TEST(OddHosts, AreNotKnownWhereHalfOfThemDiffer) {
  const auto all = odd_hosts("pairs", {{"a", kTwo}, {"b", kTwo}, {"c", kThree}, {"d", kThree}});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].where.scope, finding::Scope::rail);
  EXPECT_EQ(sentence(all[0]),
            "rail 2: hosts have different rails: as many hosts have it as lack it: c has it, a "
            "lacks it; select the same rails on all hosts");
}

TEST(OddHosts, AreNoneWhereAllAreAlike) {
  EXPECT_TRUE(odd_hosts("pairs", {{"a", kTwo}, {"b", kTwo}, {"c", kTwo}}).empty());
  EXPECT_TRUE(odd_hosts("pairs", {{"a", kTwo}}).empty());
  EXPECT_TRUE(odd_hosts("pairs", {}).empty());
}

}  // namespace
}  // namespace railgauge::checks
