#include "verdict/logs/log.hpp"

#include <gtest/gtest.h>

namespace railgauge::verdict {
namespace {

TEST(Log, IsCutIntoLines) {
  EXPECT_EQ(lines_of("a\r\n\nb"), (std::vector<std::string_view>{"a", "", "b"}));
  EXPECT_TRUE(lines_of("").empty());
}

TEST(Log, LosesLaunchersPrefixes) {
  EXPECT_EQ(without_prefix("[1,0]<stdout>:  8 2"), "  8 2");
  EXPECT_EQ(without_prefix("[1,12]<stderr>:x"), "x");
  EXPECT_EQ(without_prefix("0:   8 2"), "  8 2");
  EXPECT_EQ(without_prefix(" 13: 8"), "8");
  EXPECT_EQ(without_prefix("[3] 8"), "8");
  EXPECT_EQ(without_prefix("  8 2"), "  8 2");
  EXPECT_EQ(without_prefix("[] 8"), "[] 8");
  EXPECT_EQ(without_prefix("12:30:00 x"), "12:30:00 x");
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

}  // namespace
}  // namespace railgauge::verdict
