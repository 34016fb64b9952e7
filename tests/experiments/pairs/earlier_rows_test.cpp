#include "experiments/pairs/all_nics.hpp"

#include <gtest/gtest.h>

#include "experiments/pairs/pairs_plan.hpp"
#include "job/failure.hpp"

namespace railgauge::runner {
namespace {

/// So many ranks of a host with so many software devices, whose addresses end with `first` and
/// more.
AllNics nics(int ranks, int rails, int first) {
  std::vector<results::Rank> all;
  for (int rank = 0; rank < ranks; ++rank) {
    results::Rank one{.rank = rank, .host = "node"};
    for (int rail = 0; rail < rails; ++rail) {
      one.rails.push_back(
          {.rail = rail,
           .device = "soft" + std::to_string(rail),
           .address = "10.0." + std::to_string(rail) + "." + std::to_string(first)});
    }
    ++first;
    all.push_back(one);
  }
  return nics_of(all);
}

EarlierRows measured(const AllNics& all) {
  EarlierRows earlier;
  for (const pairs::Nic& nic : all.nics) earlier.nics.push_back(endpoint_of(nic));
  earlier.rows.push_back(
      {.from = earlier.nics.front(), .to = earlier.nics.back(), .mode = "bandwidth"});
  return earlier;
}

std::string refusal(const AllNics& before, const AllNics& now) {
  try {
    (void)rows_of_same_nics(measured(before), now);
  } catch (const job::RunFailure& failure) {
    return failure.what();
  }
  return "";
}

TEST(EarlierRows, AreOfTheSameNicsWhateverTheirAddresses) {
  const AllNics now = nics(3, 2, 41);
  const auto rows = rows_of_same_nics(measured(nics(3, 2, 1)), now);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].from, endpoint_of(now.nics.front()));
  EXPECT_EQ(rows[0].to, endpoint_of(now.nics.back()));
}

TEST(EarlierRows, OfANicThatIsNotThereAreRefused) {
  EXPECT_NE(
      refusal(nics(3, 1, 1), nics(2, 1, 1))
          .find("the result has node rank 2 rail 0 (soft0, 10.0.0.3), which does not take part"),
      std::string::npos);
  EXPECT_NE(refusal(nics(2, 2, 1), nics(2, 1, 1)).find("the result has node rank 0 rail 1 (soft1"),
            std::string::npos);
}

TEST(EarlierRows, WithoutANicThatIsThereAreRefused) {
  EXPECT_NE(refusal(nics(2, 1, 1), nics(3, 1, 1))
                .find("node rank 2 rail 0 (soft0, 10.0.0.3) takes part now, and the result does"),
            std::string::npos);
}

/// As if the host had been one only.
TEST(EarlierRows, OfAnotherNumberOfRanksAreOfOtherNics) {
  auto earlier = measured(nics(2, 1, 1));
  earlier.rows[0].from.host = "node";
  EXPECT_THROW((void)rows_of_same_nics(earlier, nics(2, 1, 1)), job::RunFailure);
}

/// It was stopped before it knew its hosts.
TEST(EarlierRows, OfARunThatHadNotBegunAreNone) {
  EXPECT_TRUE(rows_of_same_nics({}, nics(2, 1, 1)).empty());
}

}  // namespace
}  // namespace railgauge::runner
