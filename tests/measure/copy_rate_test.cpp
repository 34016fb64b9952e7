#include "measure/copy_rate.hpp"

#include <gtest/gtest.h>

#include <system_error>

#include "reduce/few_threads.hpp"

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

TEST(CopyRate, ThrowsIfAThreadCannotBeStarted) {
  {
    const reduce::FewThreads three(3);
    EXPECT_GT(copy_gigabytes_per_second(3, 4096, 1ms), 0);
  }
  for (const int few : {0, 1, 2}) {
    const reduce::FewThreads threads(few);
    EXPECT_THROW((void)copy_gigabytes_per_second(3, 4096, 1ms), std::system_error) << few;
  }
}

}  // namespace
}  // namespace railgauge::measure
