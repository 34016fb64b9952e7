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

TEST(RunFailure, NamesNeighboursThatDoNotAnswer) {
  const std::string begin = "an exchange with neighbours, of which ";
  EXPECT_EQ(exchange_without({3}, {}), begin + "rank 3 has not answered");
  EXPECT_EQ(exchange_without({1, 0}, {"a", "b"}),
            begin + "rank 1 (b) and rank 0 (a) have not answered");
  EXPECT_EQ(exchange_without({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {}),
            begin +
                "rank 1, rank 2, rank 3, rank 4, rank 5, rank 6, rank 7, rank 8 and 2 more have "
                "not answered");
}

}  // namespace
}  // namespace railgauge::job
