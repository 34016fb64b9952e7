#include "measure/bandwidth.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace railgauge::measure {
namespace {

TEST(Bandwidth, IsInUnitsOfABillionBytesPerSecond) {
  EXPECT_DOUBLE_EQ(algbw_gigabytes_per_second(1'000'000'000, 1e6), 1);
  EXPECT_DOUBLE_EQ(algbw_gigabytes_per_second(0, 5), 0);
}

/// A row that nccl-tests printed: 536870912 bytes, 2984.60 us, 179.88 GB/s, bus 356.01 GB/s, whose
/// factor of 1.979 is that of 96 ranks.
TEST(Bandwidth, IsThatOfNcclTests) {
  const double algbw = algbw_gigabytes_per_second(536'870'912, 2984.60);
  EXPECT_NEAR(algbw, 179.88, 0.005);
  EXPECT_NEAR(busbw_gigabytes_per_second(algbw, 2.0 * 95 / 96), 356.01, 0.005);
}

TEST(Bandwidth, RefusesATimeThatIsNotAboveZero) {
  EXPECT_THROW(algbw_gigabytes_per_second(8, 0), std::invalid_argument);
  EXPECT_THROW(algbw_gigabytes_per_second(8, -1), std::invalid_argument);
  EXPECT_THROW(algbw_gigabytes_per_second(8, std::numeric_limits<double>::quiet_NaN()),
               std::invalid_argument);
}

}  // namespace
}  // namespace railgauge::measure
