#include "verdict/logs/formats.hpp"

#include <gtest/gtest.h>

#include <string>

namespace railgauge::verdict {
namespace {

const std::string kReduce =
    "\n# OSU MPI Allreduce Latency Test v7.4\n"
    "# Datatype: MPI_FLOAT.\n"
    "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
    "4                       3.41              3.20              3.60        1000\n"
    "1048576               100.00             99.00            101.00         100\n";

TEST(Osu, IsRead) {
  ASSERT_TRUE(kOsu.recognises(kReduce));
  const LogContent content = kOsu.read(kReduce, {.ranks = 4});
  ASSERT_EQ(content.runs.size(), 1u);
  EXPECT_EQ(content.runs[0].collective, "all_reduce");
  ASSERT_EQ(content.runs[0].points.size(), 2u);
  const Point& point = content.runs[0].points[1];
  EXPECT_EQ(point.type, "float");
  EXPECT_EQ(point.op, "sum");
  EXPECT_EQ(point.time_us, 100.0);
  EXPECT_DOUBLE_EQ(point.busbw_gigabytes_per_second.value_or(0), 10.48576 * 1.5);
}

TEST(Osu, WithoutRanksHasNoBusBandwidth) {
  const LogContent content = kOsu.read(kReduce, {});
  EXPECT_EQ(content.runs[0].points[1].busbw_gigabytes_per_second, std::nullopt);
}

TEST(Osu, CountsAllRanksPartsAsNcclDoes) {
  std::string text = kReduce;
  text.replace(text.find("Allreduce"), 9, "Allgather");
  const LogContent content = kOsu.read(text, {.ranks = 4});
  EXPECT_EQ(content.runs[0].points[1].size_bytes, 4U << 20U);
  EXPECT_EQ(content.runs[0].points[1].op, "none");
  const LogContent unknown = kOsu.read(text, {});
  EXPECT_TRUE(unknown.runs.empty());
  EXPECT_NE(unknown.complaints.at(0).text.find("give --ranks"), std::string::npos);
}

TEST(Osu, HasPointToPointTestsToo) {
  const LogContent content = kOsu.read(
      "# OSU MPI Bandwidth Test v5.9\n# Size      Bandwidth (MB/s)\n4194304   12000.00\n"
      "# OSU MPI Latency Test v5.9\n# Size          Latency (us)\n8   1.50\n8   nan\n",
      {});
  ASSERT_EQ(content.runs.size(), 2u);
  EXPECT_EQ(content.runs[0].collective, "osu_bw");
  EXPECT_EQ(content.runs[0].points[0].algbw_gigabytes_per_second, 12.0);
  EXPECT_EQ(content.runs[1].collective, "osu_latency");
  EXPECT_EQ(content.runs[1].points[0].time_us, 1.5);
  ASSERT_EQ(content.complaints.size(), 1u);
  EXPECT_EQ(content.complaints[0].line, 7u);
}

TEST(Osu, SaysThatAFigureLacksItsDecimals) {
  const LogContent content = kOsu.read(
      "# OSU NCCL Bandwidth Test v7.2\n# Size      Bandwidth (MB/s)\n1048576    40000\n", {});
  ASSERT_EQ(content.complaints.size(), 1u);
  EXPECT_EQ(content.complaints[0].text,
            "the bandwidth is 40000, without the decimals that its benchmark prints");
}

/// What stands above a table is no row of one; a row without its head is.
TEST(Osu, TakesNoSettingForARow) {
  const LogContent settings = kOsu.read("processes: 4\nwindow = 64\nskip : 10\n" + kReduce, {});
  EXPECT_TRUE(settings.complaints.empty());
  EXPECT_EQ(kOsu.read("8 1.50\n" + kReduce, {}).complaints.size(), 1u);
}

TEST(Osu, ReportsATestThatItDoesNotKnow) {
  const LogContent content = kOsu.read("# OSU MPI Multi Latency Test v5.9\n8 1.5\n", {});
  ASSERT_EQ(content.complaints.size(), 1u);
  EXPECT_TRUE(content.runs.empty());
}

}  // namespace
}  // namespace railgauge::verdict
