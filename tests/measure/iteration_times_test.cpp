#include "measure/iteration_times.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

namespace railgauge::measure {
namespace {

using std::chrono::nanoseconds;

std::vector<double> recorded(const IterationTimes& times) {
  const auto microseconds = times.microseconds();
  return {microseconds.begin(), microseconds.end()};
}

TEST(IterationTimes, KeepsOrderAndFractionsOfAMicrosecond) {
  IterationTimes times(3);
  times.record(nanoseconds(2500));
  times.record(nanoseconds(1));
  EXPECT_EQ(recorded(times), (std::vector<double>{2.5, 0.001}));
}

TEST(IterationTimes, IsFilledToItsCapacityWithoutMoving) {
  IterationTimes times(2);
  times.record(nanoseconds(1000));
  const double* const memory = times.microseconds().data();
  times.record(nanoseconds(2000));
  EXPECT_EQ(times.microseconds().data(), memory);
  EXPECT_EQ(recorded(times), (std::vector<double>{1, 2}));
}

TEST(IterationTimes, IsReusedAfterClear) {
  IterationTimes times(1);
  times.record(nanoseconds(1000));
  times.clear();
  EXPECT_TRUE(times.microseconds().empty());
  times.record(nanoseconds(3000));
  EXPECT_EQ(recorded(times), (std::vector<double>{3}));
}

TEST(IterationTimesDeathTest, EndsTheProgramRatherThanDropAnIteration) {
  IterationTimes times(1);
  times.record(nanoseconds(1));
  EXPECT_DEATH(times.record(nanoseconds(1)), "more iterations");
}

}  // namespace
}  // namespace railgauge::measure
