// Programs that poll on one CPU, each in turn, in simulated time.

#include "softroce/engine/yielding.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace railgauge::softroce {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr nanoseconds kPoll = microseconds(3);

// As patient as it gets: next to a program that computes.
Yielding patient() {
  Yielding yielding;
  for (int i = 0; i < 20; ++i) yielding.came_back(nanoseconds{0}, milliseconds(3));
  return yielding;
}

nanoseconds turn(const Yielding& program) {
  return kPoll * program.patience();
}

// How long one of them waits for its next turn, after they took `rounds`.
nanoseconds away_among(std::vector<Yielding> programs, int rounds) {
  nanoseconds all{0};
  for (int round = 0; round < rounds; ++round) {
    for (Yielding& program : programs) {
      all = nanoseconds{0};
      for (const Yielding& other : programs) all += turn(other);
      program.came_back(turn(program), all - turn(program));
    }
  }
  return all;
}

TEST(Yielding, PollsForLongWhereNobodyElseIs) {
  Yielding alone;
  EXPECT_TRUE(alone.alone());
  alone.came_back(kPoll, nanoseconds(300));
  EXPECT_TRUE(alone.alone());
  EXPECT_EQ(alone.patience(), 64U);
}

TEST(Yielding, TakesTheShortestTurnsAmongOthersThatPoll) {
  Yielding among;
  among.came_back(kPoll, microseconds(40));
  EXPECT_FALSE(among.alone());
  EXPECT_EQ(among.patience(), 1U);
}

TEST(Yielding, IsPatientNextToAProgramThatComputes) {
  Yielding yielding = patient();
  nanoseconds polled{0};
  for (int i = 0; i < 100; ++i) {
    polled += turn(yielding);
    yielding.came_back(turn(yielding), milliseconds(3));
  }
  // Some of the other's time, but not as much as would make many of its kind patient.
  EXPECT_GT(polled / 100, microseconds(50));
  EXPECT_LT(polled / 100, microseconds(300));
}

// Each is away as long as with one that computes, only because the others are as patient.
TEST(Yielding, ManyThatPollDoNotKeepEachOtherPatient) {
  for (std::size_t count : {2U, 3U, 8U, 16U, 30U}) {
    const nanoseconds away = away_among(std::vector<Yielding>(count, patient()), 20);
    EXPECT_LE(away, kPoll * count) << count << " programs";
  }
}

}  // namespace
}  // namespace railgauge::softroce
