#include "workload/expression.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>

namespace railgauge::workload {
namespace {

std::int64_t worth(std::string_view text) {
  Scope scope;
  scope.set("ranks", 12);
  scope.set("tp", 4);
  return evaluate(text, scope);
}

std::string mistake_in(std::string_view text) {
  try {
    return "is " + std::to_string(worth(text));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(Expression, HasThePrecedenceOfC) {
  EXPECT_EQ(worth("1 + 2 * 3 - 4 / 2"), 5);
  EXPECT_EQ(worth("(1+2)*3"), 9);
  EXPECT_EQ(worth("-2 * -3 + !0 + !5"), 7);
  EXPECT_EQ(worth("1 < 2 == 1 && 3 != 4 || 1 / 1 > 5"), 1);
  EXPECT_EQ(worth("ranks >= 12 ? tp : 0"), 4);
  EXPECT_EQ(worth("0 ? 1 : 0 ? 2 : 3"), 3);
  EXPECT_EQ(worth("10 - 3 - 2"), 5);
}

TEST(Expression, RoundsDown) {
  EXPECT_EQ(worth("7 / 2"), 3);
  EXPECT_EQ(worth("-7 / 2"), -4);
  EXPECT_EQ(worth("-7 % 4"), 1);
  EXPECT_EQ(worth("-8 / 4 * 10 + -8 % 4"), -20);
  EXPECT_EQ(worth("ceil(7, 2)"), 4);
  EXPECT_EQ(worth("ceil(8, 2) + min(1, 2) + max(1, 2)"), 7);
}

TEST(Expression, RoundsDownWhateverTheNumbersAre) {
  const std::string most = "9223372036854775807";
  const std::string least = "(-" + most + " - 1)";
  EXPECT_EQ(worth("5000000000000000000 % 9000000000000000000"), 5'000'000'000'000'000'000);
  EXPECT_EQ(worth("-1 % " + most), std::numeric_limits<std::int64_t>::max() - 1);
  EXPECT_EQ(worth(most + " % " + most + " + " + most + " / " + most), 1);
  EXPECT_EQ(worth(least + " / 3"), -3'074'457'345'618'258'603);
  EXPECT_EQ(worth(least + " % 3"), 1);
  EXPECT_EQ(worth(least + " / 1"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(worth(least + " / " + most), -2);
  EXPECT_EQ(worth("ceil(" + least + ", " + most + ")"), -1);
}

TEST(Expression, DoesNotEvaluateWhatIsDecided) {
  EXPECT_EQ(worth("tp > 0 || 1 / 0"), 1);
  EXPECT_EQ(worth("tp < 0 && 1 / 0"), 0);
  EXPECT_EQ(worth("tp ? 7 : 1 / 0"), 7);
}

TEST(Expression, SharesEverything) {
  for (const int of : {1, 2, 3, 5, 6, 7, 8, 12, 13}) {
    for (const int alpha : {0, 500, 1000, 2000}) {
      std::int64_t all = 0;
      std::int64_t most = 0;
      for (int i = 0; i < of; ++i) {
        const std::int64_t own = worth("zipf(1024, " + std::to_string(i) + ", " +
                                       std::to_string(of) + ", " + std::to_string(alpha) + ", 7)");
        EXPECT_GE(own, 0);
        all += own;
        most = std::max(most, own);
      }
      EXPECT_EQ(all, 1024) << of << " " << alpha;
      if (alpha == 0) {
        EXPECT_LE(most, 1024 / of + 1);
      } else if (alpha == 2000) {
        EXPECT_GT(most, 1024 / 2);
      }
    }
  }
  EXPECT_EQ(worth("share(7, 0, 3) * 100 + share(7, 1, 3) * 10 + share(7, 2, 3)"), 322);
}

TEST(Expression, OfZipfIsMadeOfTheSeed) {
  // 1, 1/2, 1/3, 1/4 of the first one's, rounded where the sums of 12, 18, 22 and 25 25ths end.
  const auto of = [](int i, int seed) {
    return worth("zipf(100, " + std::to_string(i) + ", 4, 1000, " + std::to_string(seed) + ")");
  };
  std::multiset<std::int64_t> found;
  for (int i = 0; i < 4; ++i) found.insert(of(i, 3));
  EXPECT_EQ(found, (std::multiset<std::int64_t>{12, 16, 24, 48}));
  bool differs = false;
  for (int seed = 4; seed < 20; ++seed) differs = differs || of(0, seed) != of(0, 3);
  EXPECT_TRUE(differs);
}

/// Gaps of an exponential distribution: as long on average as their deviation, a third of them
/// (1/e) longer.
TEST(Expression, OfPoissonIsMadeOfTheSeed) {
  constexpr int kEvents = 10'000;
  constexpr double kGap = 1'000'000;
  const auto at = [](int i, int seed) {
    return worth("poisson(" + std::to_string(i) + ", 1000000, " + std::to_string(seed) + ")");
  };
  std::int64_t before = 0;
  int longer = 0;
  double squares = 0;
  for (int i = 0; i < kEvents; ++i) {
    const auto gap = static_cast<double>(at(i, 3) - before);
    EXPECT_GE(gap, 0);
    squares += gap * gap / kGap / kGap;
    if (gap > kGap) ++longer;
    before = at(i, 3);
  }
  EXPECT_NEAR(static_cast<double>(before) / kGap, kEvents, 300);
  EXPECT_NEAR(squares / kEvents, 2, 0.2);
  EXPECT_NEAR(longer, kEvents / 2.71828, 150);
  const std::int64_t last = before;
  EXPECT_NE(at(kEvents - 1, 4), last);
  EXPECT_EQ(at(kEvents - 1, 3), last) << "after another seed, too";
  EXPECT_EQ(worth("poisson(9, 0, 1)"), 0);
  EXPECT_NE(mistake_in("poisson(0 - 1, 5, 1)").find("poisson has events"), std::string::npos);
}

TEST(Expression, SaysWhereItIsWrong) {
  EXPECT_EQ(mistake_in("1 +"),
            "'1 +', at character 4: it ends where there should be a number, a name or '('");
  EXPECT_EQ(mistake_in("(1"), "'(1', at character 3: it ends where there should be ')'");
  EXPECT_EQ(mistake_in("1 2"),
            "'1 2', at character 3: '2' where there should be an operator or the end");
  EXPECT_EQ(mistake_in("rank"),
            "'rank', at character 1: 'rank' is not known here: there are ranks and tp; did you "
            "mean ranks?");
  EXPECT_EQ(mistake_in("1 / (tp - 4)"),
            "'1 / (tp - 4)', at character 13: the divisor is 0; it has to be above 0");
  EXPECT_EQ(mistake_in("64K"), "'64K', at character 1: numbers are whole, without units");
  EXPECT_EQ(mistake_in("0.5"), "'0.5', at character 1: numbers are whole, without units");
  EXPECT_EQ(mistake_in("2 + log(2)"),
            "'2 + log(2)', at character 5: there is no function 'log': expected min, max, ceil, "
            "share, zipf or poisson");
  EXPECT_EQ(mistake_in("min(1)"), "'min(1)', at character 1: min has 2 arguments, not 1");
  EXPECT_NE(mistake_in("share(7, 3, 3)").find("there is no 3 of 3"), std::string::npos);
  EXPECT_NE(mistake_in("9223372036854775807 + 1").find("64 bits"), std::string::npos);
  EXPECT_NE(mistake_in("92233720368547758070").find("64 bits"), std::string::npos);
  EXPECT_NE(mistake_in(std::string(1000, '(')).find("nested too deeply"), std::string::npos);
  EXPECT_NE(mistake_in(std::string(1000, '-') + "1").find("nested too deeply"), std::string::npos);
  EXPECT_NE(mistake_in("").find("it ends"), std::string::npos);
}

TEST(Expression, HasASyntaxWithoutNames) {
  EXPECT_NO_THROW(check_syntax("a * b ? min(c, 1 / 0) : 2"));
  EXPECT_THROW(check_syntax("a b"), std::invalid_argument);
}

}  // namespace
}  // namespace railgauge::workload
