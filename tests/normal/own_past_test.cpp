#include "normal/own_past.hpp"

#include <gtest/gtest.h>

#include <random>

namespace railgauge::normal {
namespace {

/// Windows 1 to `count` at a level with some noise.
void feed(StepDetector& steps, std::uint64_t& window, int count, double level, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> noise(-1, 1);
  for (int at = 0; at < count; ++at) {
    EXPECT_FALSE(steps.take(++window, level + noise(random), 5)) << window;
  }
}

TEST(StepDetector, FindsWhereAStepBegan) {
  StepDetector steps;
  std::uint64_t window = 0;
  feed(steps, window, 20, 100);
  EXPECT_FALSE(steps.take(21, 110, 5));
  EXPECT_FALSE(steps.take(22, 111, 5));
  const auto step = steps.take(23, 109, 5);
  ASSERT_TRUE(step);
  EXPECT_EQ(step->first_window, 21U);
  EXPECT_NEAR(step->by, 10, 1);
  EXPECT_TRUE(steps.is_raised());
}

TEST(StepDetector, TellsAStepOnce) {
  StepDetector steps;
  std::uint64_t window = 0;
  feed(steps, window, 20, 100);
  int found = 0;
  for (int at = 0; at < 10; ++at) found += steps.take(++window, 120, 5) ? 1 : 0;
  EXPECT_EQ(found, 1);
  feed(steps, window, 10, 100);
  EXPECT_FALSE(steps.is_raised());
}

TEST(StepDetector, IsSilentWithoutAPast) {
  StepDetector steps;
  for (std::uint64_t window = 1; window <= StepDetector::kEnough; ++window) {
    EXPECT_FALSE(steps.take(window, window > 5 ? 100 : 0, 5));
  }
}

TEST(StepDetector, OneHighWindowIsNoStep) {
  StepDetector steps;
  std::uint64_t window = 0;
  feed(steps, window, 20, 100);
  EXPECT_FALSE(steps.take(++window, 1000, 5));
  feed(steps, window, 20, 100);
  EXPECT_FALSE(steps.take(++window, 1000, 5));
  EXPECT_FALSE(steps.take(++window, 1000, 5));
  feed(steps, window, 20, 100);
}

TEST(StepDetector, WhatThePastDidTooIsNoStep) {
  StepDetector steps;
  std::uint64_t window = 0;
  feed(steps, window, 5, 100);
  feed(steps, window, 4, 200);  // before there is a past to tell it from
  feed(steps, window, 20, 100);
  feed(steps, window, 3, 195);
}

TEST(StepDetector, ALevelThatStaysIsTheNewOne) {
  StepDetector steps;
  std::uint64_t window = 0;
  feed(steps, window, 20, 100);
  for (std::size_t at = 0; at < StepDetector::kAccepted; ++at) (void)steps.take(++window, 150, 5);
  EXPECT_FALSE(steps.is_raised());
  feed(steps, window, 20, 150);
  EXPECT_FALSE(steps.take(++window, 200, 5));
  EXPECT_FALSE(steps.take(++window, 200, 5));
  EXPECT_TRUE(steps.take(++window, 200, 5));
}

TEST(StepDetector, AFallIsNoStep) {
  StepDetector steps;
  std::uint64_t window = 0;
  feed(steps, window, 20, 100);
  feed(steps, window, 20, 50);
}

}  // namespace
}  // namespace railgauge::normal
