#include "job/failure.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace railgauge::job {
namespace {

using results::ExitCode;
using Kind = results::Failure::Kind;

TEST(RunFailure, OfEveryKindHasItsExitStatus) {
  const std::vector<std::pair<Kind, int>> expected{
      {Kind::time_out, 3},      {Kind::transport, 3},   {Kind::wrong_data, 4},
      {Kind::usage, 2},         {Kind::environment, 5}, {Kind::verdict, 1},
      {Kind::interrupted, 130}, {Kind::lost, 5},        {Kind::stopped, 5}};
  for (const auto& [kind, status] : expected) {
    EXPECT_EQ(static_cast<int>(exit_code_of(kind)), status) << static_cast<int>(kind);
  }
  EXPECT_EQ(expected.size(), static_cast<std::size_t>(Kind::stopped) + 1) << "another kind";
}

TEST(RunFailure, SaysWhyInItsOwnWords) {
  const RunFailure failure(Kind::usage, "two ranks are needed");
  EXPECT_STREQ(failure.what(), "two ranks are needed");
  EXPECT_EQ(exit_code_of(failure.kind), ExitCode::usage);
}

TEST(RunFailure, OfAShortTimeOutSaysWhatElseIsDoneInIt) {
  using namespace std::chrono_literals;
  EXPECT_STREQ(timed_out(60s, "a barrier").what(),
               "timed out after 60 s waiting for other ranks at a barrier");
  const std::string of_one = timed_out(1s, "a barrier").what();
  EXPECT_NE(of_one.find("; -T 1 is short"), std::string::npos) << of_one;
  EXPECT_EQ(timed_out(1s, "a barrier").kind, results::Failure::Kind::time_out);
}

}  // namespace
}  // namespace railgauge::job
