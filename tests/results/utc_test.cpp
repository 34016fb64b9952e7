#include "results/utc.hpp"

#include <gtest/gtest.h>

namespace railgauge::results {
namespace {

TEST(Utc, IsIsoToTheSecond) {
  const std::chrono::system_clock::time_point time{std::chrono::milliseconds(1'772'366'400'999)};
  EXPECT_EQ(utc(time), "2026-03-01T12:00:00Z");
}

}  // namespace
}  // namespace railgauge::results
