#include "runner/progress.hpp"

#include <gtest/gtest.h>

#include <iostream>
#include <sstream>

namespace railgauge::runner {
namespace {

TEST(Progress, IsShownWhereTheLauncherSaysThatItsTerminalIs) {
  EXPECT_EQ(progress_stream(RunOptions::Progress::to_stdout), &std::cout);
  EXPECT_EQ(progress_stream(RunOptions::Progress::to_stderr), &std::cerr);
  EXPECT_EQ(progress_stream(RunOptions::Progress::none), nullptr);
}

TEST(Progress, SaysNothingOfAShortRun) {
  std::ostringstream terminal;
  Progress progress(terminal, 3, 30);
  progress.row(10);
  progress.clear();
  EXPECT_EQ(terminal.str(), "");
}

TEST(Progress, SaysHowMuchIsLeftOfALongOne) {
  std::ostringstream terminal;
  const auto begun = std::chrono::steady_clock::now() - std::chrono::seconds(100);
  Progress progress(terminal, 3, 30, begun);
  progress.row(10);
  EXPECT_EQ(terminal.str(), "\r\033[K1 of 3 rows, about 3 min left");
  progress.clear();
  EXPECT_EQ(terminal.str(), "\r\033[K1 of 3 rows, about 3 min left\r\033[K");
  progress.row(10);
  EXPECT_NE(terminal.str().find("2 of 3 rows, about 5"), std::string::npos) << terminal.str();
  progress.row(10);
  progress.clear();
  EXPECT_EQ(terminal.str().substr(terminal.str().size() - 4), "\r\033[K");
}

}  // namespace
}  // namespace railgauge::runner
