#include "runner/progress.hpp"

#include <gtest/gtest.h>

#include <future>
#include <iostream>
#include <sstream>
#include <utility>

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

/// A terminal that tells when a line was written.
class Written final : public std::stringbuf {
 public:
  std::future<void> line() { return line_.get_future(); }

 private:
  int sync() override {
    if (!std::exchange(told_, true)) line_.set_value();
    return 0;
  }
  std::promise<void> line_;
  bool told_ = false;
};

TEST(Progress, GoesOnWithinARow) {
  Written written;
  std::ostream terminal(&written);
  IterationCount iterations;
  iterations.begin(1000);
  for (int i = 0; i < 120; ++i) iterations.count();
  const auto begun = std::chrono::steady_clock::now() - std::chrono::seconds(100);
  auto line = written.line();
  {
    Progress progress(terminal, 3, 30, begun, &iterations);
    line.wait();
    progress.clear();
  }
  EXPECT_TRUE(written.str().starts_with("\r\033[K0 of 3 rows, iteration 120 of 1000 after 1 min"))
      << written.str();
}

/// Of -N or a duration nobody knows how many there will be.
TEST(Progress, DoesNotInventANumberOfIterations) {
  std::ostringstream terminal;
  IterationCount iterations;
  iterations.begin(0);
  iterations.count();
  const auto begun = std::chrono::steady_clock::now() - std::chrono::seconds(100);
  Progress progress(terminal, 3, 30, begun, &iterations);
  progress.row(10);
  progress.clear();
  EXPECT_TRUE(terminal.str().starts_with("\r\033[K1 of 3 rows, iteration 1 after "))
      << terminal.str();
}

}  // namespace
}  // namespace railgauge::runner
