#include "verdict/curve.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "sample_runs.hpp"

namespace railgauge::verdict {
namespace {

Curve curve_of(const verdict::Run& run) {
  return curves_of(run).at(0);
}

TEST(Noise, OfRunsThatTellNothingOfTheirTailsIsOnlyInTheirJumps) {
  const Curve curve = curve_of(straight_run(10, 20));
  EXPECT_EQ(noise_of(curve, curve).both, 0);
  EXPECT_EQ(noise_of(curve, curve).theirs, 0);
}

TEST(Noise, IsThatOfNormalTails) {
  verdict::Run run = straight_run(10, 20);
  for (Point& point : run.points) point.p90_us = *point.time_us * std::exp(1.2816 * 0.03);
  const Curve noisy = curve_of(run);
  const Curve calm = curve_of(straight_run(10, 20));
  EXPECT_NEAR(noise_of(calm, noisy).theirs, 0.03, 1e-9);
  EXPECT_NEAR(noise_of(noisy, calm).theirs, 0, 1e-9);
  EXPECT_NEAR(noise_of(noisy, calm).both, 0.03, 1e-9);
}

TEST(Noise, AStepBetweenTwoSizesIsNone) {
  verdict::Run slower = straight_run(10, 20);
  for (std::size_t i = slower.points.size() / 2; i < slower.points.size(); ++i) {
    slower.points[i].time_us = *slower.points[i].time_us * 3;
  }
  EXPECT_NEAR(noise_of(curve_of(slower), curve_of(straight_run(10, 20))).both, 0, 1e-9);
}

TEST(Noise, JumpsFromSizeToSizeAre) {
  verdict::Run jumping = straight_run(10, 20);
  for (std::size_t i = 0; i < jumping.points.size(); i += 2) {
    jumping.points[i].time_us = *jumping.points[i].time_us * 1.2;
  }
  const double noise = noise_of(curve_of(jumping), curve_of(straight_run(10, 20))).both;
  EXPECT_NEAR(noise, std::log(1.2) * 1.4826 / std::sqrt(2.0), 1e-9);
}

}  // namespace
}  // namespace railgauge::verdict
