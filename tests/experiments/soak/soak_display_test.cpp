#include "experiments/soak/soak_display.hpp"

#include <gtest/gtest.h>

namespace railgauge::runner {
namespace {

std::string begun(unsigned progress_threads) {
  testing::internal::CaptureStdout();
  SoakDisplay(progress_threads).begin({});
  return testing::internal::GetCapturedStdout();
}

TEST(SoakDisplay, TellsOfSeveralProgressThreads) {
  EXPECT_NE(begun(2).find("# Progress threads: up to 2 per rank"), std::string::npos);
  EXPECT_EQ(begun(1).find("Progress threads"), std::string::npos);
}

}  // namespace
}  // namespace railgauge::runner
