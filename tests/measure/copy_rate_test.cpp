#include "measure/copy_rate.hpp"

#include <gtest/gtest.h>

namespace railgauge::measure {
namespace {

using namespace std::chrono_literals;

TEST(CopyRate, IsPositiveHoweverSmallTheBlock) {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{4096}, (std::size_t{1} << 20) + 1})
    EXPECT_GT(copy_gigabytes_per_second(1, bytes, 1ms), 0) << bytes;
}

TEST(CopyRate, IsOfAllThreadsTogether) {
  EXPECT_GT(copy_gigabytes_per_second(3, 1 << 20, 2ms), 0);
  EXPECT_EQ(copy_gigabytes_per_second(0, 1 << 20, 2ms), 0);
}

}  // namespace
}  // namespace railgauge::measure
