#include "diagnosis/slow_rails.hpp"

#include <gtest/gtest.h>

#include "diagnosis/diagnosis.hpp"
#include "diagnosis/simulated_run.hpp"

namespace railgauge::diagnosis {
namespace {

using Ranks = std::vector<std::optional<double>>;
using results::CollectiveRow;

/// Of rails that carry a megabyte each, so long on each rank.
CollectiveRow row(const std::vector<Ranks>& us) {
  CollectiveRow made;
  auto& rails = made.out_of_place.emplace().rails;
  for (unsigned rail = 0; rail < us.size(); ++rail)
    rails.push_back({.rail = rail, .bytes = 1'000'000, .rank_us = us[rail]});
  return made;
}

TEST(SlowRails, IsTheOneThatIsLastOnEveryRank) {
  const std::vector<CollectiveRow> rows{row({{1000, 1100, 1050}, {1900, 2100, 2000}}),
                                        row({{2000, 2100, 2050}, {3900, 4000, 3950}}),
                                        row({{4000, 4100, 3900}, {7900, 7800, 8000}})};
  const auto found = find_slow_rail(rows);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rail, 1);
  EXPECT_EQ(found->rows, 3U);
  EXPECT_EQ(found->of_rows, 3U);
  EXPECT_NEAR(found->slower, 1.9, 0.05);
  EXPECT_NEAR(found->least, 1.9, 0.05);
}

TEST(SlowRails, IsComparedWithTheSlowestOther) {
  const std::vector<CollectiveRow> rows(3, row({{1000, 1000}, {2000, 2000}, {1900, 1900}}));
  EXPECT_FALSE(find_slow_rail(rows)) << "two rails of three are slow: which is usual is not known";
  const std::vector<CollectiveRow> one(3, row({{1000, 1000}, {2000, 2000}, {1100, 1100}}));
  ASSERT_TRUE(find_slow_rail(one));
  EXPECT_EQ(find_slow_rail(one)->rail, 1);
}

/// A machine that others load too makes the rail that is polled last 1.8 times as slow in two rows.
TEST(SlowRails, OfTwoRowsIsTwiceAsSlow) {
  EXPECT_FALSE(find_slow_rail(std::vector<CollectiveRow>(2, row({{1000, 1000}, {1800, 1800}}))));
  EXPECT_TRUE(find_slow_rail(std::vector<CollectiveRow>(3, row({{1000, 1000}, {1800, 1800}}))));
  EXPECT_TRUE(find_slow_rail(std::vector<CollectiveRow>(2, row({{1000, 1000}, {2500, 2500}}))));
}

/// Healthy twins, and what cannot be compared.
TEST(SlowRails, IsNoneWhere) {
  const CollectiveRow slow = row({{1000, 1000}, {2000, 2000}});
  const auto with = [&](const CollectiveRow& other) {
    return find_slow_rail({other, other, other}).has_value();
  };
  ASSERT_TRUE(with(slow));
  EXPECT_FALSE(with(row({{1000, 1000}, {1300, 1300}}))) << "polled last";
  EXPECT_FALSE(with(row({{1000, 1000}, {4000, 1100}}))) << "on one rank";
  EXPECT_FALSE(with(row({{10, 10}, {25, 25}}))) << "so short";
  EXPECT_FALSE(with(row({{1000, 1000}, {2000, std::nullopt}}))) << "a rank does not use it";
  EXPECT_FALSE(with(row({{2000, 2000}}))) << "one rail";
  EXPECT_FALSE(with(row({{}, {}}))) << "no ranks";
  EXPECT_FALSE(with(row({}))) << "no rails";
  EXPECT_FALSE(with(CollectiveRow{})) << "nothing was measured";
  CollectiveRow uneven = slow;
  uneven.out_of_place->rails[1].bytes = 2'000'000;
  EXPECT_FALSE(with(uneven)) << "it carries more";
  EXPECT_FALSE(find_slow_rail({slow})) << "one row";
  const CollectiveRow even = row({{1000, 1000}, {1000, 1000}});
  EXPECT_FALSE(find_slow_rail({slow, even, slow, even, even})) << "two rows of five";
  EXPECT_FALSE(find_slow_rail({}));
}

/// The slowest of its planes holds up a rail.
TEST(SlowRails, HasTheTimeOfItsSlowestPlane) {
  CollectiveRow made = row({{1000, 1000}, {1000, 1000}});
  made.out_of_place->rails.push_back(
      {.rail = 1, .bytes = 1'000'000, .rank_us = {2000, 2000}, .plane = 1});
  const auto found = find_slow_rail({made, made});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rail, 1);
}

class InADiagnosis : public ::testing::Test {
 protected:
  static std::vector<finding::Finding> found(const std::vector<results::Rank>& ranks) {
    return diagnose(ranks, std::vector<CollectiveRow>(3, row({{1000, 1000}, {2000, 2000}})));
  }
  SimulatedRun run_{SimulatedRun::Shape::ring, 2, 2, 1};
};

TEST_F(InADiagnosis, ASlowRailIsNamedWithItsEvidence) {
  const auto findings = found(run_.ranks());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(finding::headline(findings[0]),
            "rail 1: low bandwidth: its data take longest on every rank");
  EXPECT_EQ(findings[0].evidence.at(0).observed, 2);
  EXPECT_NE(finding::remedy_of(findings[0]).find("switches of rail 1"), std::string::npos);
}

/// A port that drops packets makes its rail slow for all: it is named, and the rail is not.
TEST_F(InADiagnosis, AFaultOnTheRailExplainsIt) {
  SimulatedRun lossy(SimulatedRun::Shape::ring, 2, 2, 1);
  auto rows = lossy.plant({.from = 0, .rail = 1, .loss = 0.05}).rows();
  for (CollectiveRow& one : rows) one.out_of_place = row({{1000, 1000}, {2000, 2000}}).out_of_place;
  const auto findings = diagnose(lossy.ranks(), rows);
  ASSERT_FALSE(findings.empty());
  for (const finding::Finding& one : findings)
    EXPECT_NE(one.detail, "low bandwidth: its data take longest on every rank");
}

TEST_F(InADiagnosis, ARailOfAnotherSpeedIsNoSurprise) {
  auto ranks = run_.ranks();
  for (results::Rank& rank : ranks) rank.rails.at(1).link_gigabits_per_second /= 2;
  if (ranks[0].rails[1].link_gigabits_per_second == 0) {
    for (results::Rank& rank : ranks) rank.rails.at(1).link_gigabits_per_second = 200;
  }
  EXPECT_TRUE(found(ranks).empty());
}

}  // namespace
}  // namespace railgauge::diagnosis
