#include "verdict/logs/gathering.hpp"

#include <gtest/gtest.h>

namespace railgauge::verdict {
namespace {

Point of_size(std::uint64_t size_bytes) {
  return {.size_bytes = size_bytes};
}

TEST(Gathering, NumbersRunsAndForgetsEmptyOnes) {
  Gathering gathered;
  gathered.begin({.collective = "reduce"});
  gathered.begin({.collective = "all_reduce"});
  gathered.add(of_size(8));
  gathered.begin({.collective = "broadcast"});
  gathered.add(of_size(8));
  const LogContent content = gathered.result();
  ASSERT_EQ(content.runs.size(), 2u);
  EXPECT_EQ(content.runs[0].name + content.runs[0].collective, "1all_reduce");
  EXPECT_EQ(content.runs[1].name + content.runs[1].collective, "2broadcast");
  EXPECT_TRUE(gathered.result().runs.empty());
}

TEST(Gathering, OpensARunWhenAPointComesAgain) {
  Gathering gathered;
  gathered.begin({.ranks = 4});
  for (const std::uint64_t size_bytes : {8U, 16U, 8U, 16U}) gathered.add(of_size(size_bytes));
  const LogContent content = gathered.result();
  ASSERT_EQ(content.runs.size(), 2u);
  EXPECT_EQ(content.runs[1].ranks, 4);
  EXPECT_EQ(content.runs[1].points.size(), 2u);
}

struct Lines {
  void line(std::size_t number, std::string_view text) {
    gathered.complain(number, std::string(text));
  }
  LogContent result() { return gathered.result(); }
  Gathering gathered{};
};

TEST(Gathering, ReadsLinesCountedFromOne) {
  const LogContent content = read_lines(Lines(), "a\r\nb\n");
  ASSERT_EQ(content.complaints.size(), 2u);
  EXPECT_EQ(content.complaints[1].line, 2u);
  EXPECT_EQ(content.complaints[1].text, "b");
}

}  // namespace
}  // namespace railgauge::verdict
