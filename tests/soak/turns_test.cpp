#include "soak/turns.hpp"

#include <gtest/gtest.h>

namespace railgauge::soak {
namespace {

using namespace std::chrono_literals;

const Turns::Time kStart = Turns::Time() + 1h;

TEST(TurnsTest, EachPhaseHasAnEqualPartOfTheWindow) {
  Turns turns(4, 60s);
  turns.begin_window(kStart);
  EXPECT_EQ(turns.next(kStart), 0U);
  EXPECT_EQ(turns.end(), kStart + 15s);
  EXPECT_EQ(turns.next(kStart + 15s), 1U);
  EXPECT_EQ(turns.end(), kStart + 30s);
  EXPECT_EQ(turns.next(kStart + 31s), 2U);
  EXPECT_EQ(turns.end(), kStart + 45s) << "what was late is not handed on";
  EXPECT_EQ(turns.next(kStart + 45s), 3U);
  EXPECT_EQ(turns.next(kStart + 60s), std::nullopt);
}

TEST(TurnsTest, APhaseThatHadToWaitIsTheNextWindowsFirst) {
  Turns turns(4, 60s);
  turns.begin_window(kStart);
  EXPECT_EQ(turns.next(kStart), 0U);
  EXPECT_EQ(turns.next(kStart + 50s), 1U) << "the turn before took longer than its part";
  EXPECT_EQ(turns.end(), kStart + 60s);
  EXPECT_EQ(turns.next(kStart + 61s), std::nullopt);
  turns.begin_window(kStart + 61s);
  EXPECT_EQ(turns.next(kStart + 61s), 2U);
}

TEST(TurnsTest, OnePhaseHasTheWholeWindow) {
  Turns turns(1, 1s);
  turns.begin_window(kStart);
  EXPECT_EQ(turns.next(kStart), 0U);
  EXPECT_EQ(turns.end(), kStart + 1s);
}

}  // namespace
}  // namespace railgauge::soak
