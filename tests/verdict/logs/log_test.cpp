#include "verdict/logs/log.hpp"

#include <gtest/gtest.h>

namespace railgauge::verdict {
namespace {

TEST(Log, IsCutIntoLines) {
  EXPECT_EQ(lines_of("a\r\n\nb"), (std::vector<std::string_view>{"a", "", "b"}));
  EXPECT_TRUE(lines_of("").empty());
}

TEST(Log, HasWordsAndNumbers) {
  EXPECT_EQ(words_of("  a\tb  c "), (std::vector<std::string_view>{"a", "b", "c"}));
  EXPECT_EQ(number("2e-07"), 2e-07);
  EXPECT_EQ(number("nan"), std::nullopt);
  EXPECT_EQ(number("1.5x"), std::nullopt);
  EXPECT_EQ(whole_number("1.5"), std::nullopt);
  EXPECT_EQ(after("a link 2.5 Gb/s", " link "), "2.5 Gb/s");
}

TEST(Log, KnowsACollectiveByAnyName) {
  EXPECT_EQ(collective_called("AllReduce"), "all_reduce");
  EXPECT_EQ(collective_called("Alltoall"), "alltoall");
  EXPECT_EQ(collective_called("Bcast"), "broadcast");
  EXPECT_EQ(collective_called("hypercube"), "");
}

TEST(Log, WorksOutBandwidths) {
  verdict::Run run{.collective = "all_reduce", .ranks = 4};
  Point point{.size_bytes = 1000000, .time_us = 100};
  work_out_bandwidths(point, run);
  EXPECT_DOUBLE_EQ(point.algbw_gigabytes_per_second.value_or(0), 10);
  EXPECT_DOUBLE_EQ(point.busbw_gigabytes_per_second.value_or(0), 15);
  point = {.size_bytes = 1000000, .time_us = 100};
  run.ranks.reset();
  work_out_bandwidths(point, run);
  EXPECT_EQ(point.busbw_gigabytes_per_second, std::nullopt);
}

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

TEST(Log, CountsLinesFromOneWhateverEndsThem) {
  LogContent content;
  read_end("a\r\nnode2: Test NCCL failure common.cu:958\r\n", "osu", content);
  ASSERT_EQ(content.because.size(), 1u);
  EXPECT_EQ(content.because[0].line, 2u);
  EXPECT_EQ(content.because[0].text, "node2: Test NCCL failure common.cu:958");
}

}  // namespace
}  // namespace railgauge::verdict
