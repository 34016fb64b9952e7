#include "verdict/logs/nccl_row.hpp"

#include <gtest/gtest.h>

namespace railgauge::verdict {
namespace {

/// All versions' ways to write the same row.
TEST(NcclRow, IsReadInAllItsForms) {
  const std::vector<std::string> rows{
      "1048576 262144 float sum -1 100.0 10.49 19.66 0 110.0 9.53 17.87 0",
      "1048576 262144 float sum 100.0 10.49 19.66 2e-07 110.0 9.53 17.87 1e-07",  // before 2.12
      "1048576 262144 float sum -1 100.0 10.49 19.66 N/A 110.0 9.53 17.87 N/A",   // -c 0
      "1048576 262144 float sum -1 100.0 10.49 19.66 0 110.0 9.53 17.87 0 2026-01-31 12:00:00",
      "1048576 262144 float sum -1 100.0 10.49 19.66 0 90 120 119 1.5 110.0 9.53 17.87 0 90 120 "
      "119 1.5",
      "1048576 262144 float sum -1 100.0 10.49 19.66 0 0 110.0 9.53 17.87 0 3",  // #bitdiff
      "1048576 262144 float sum -1 100.0 10.49 19.66 0 0 90 120 119 1.5 110.0 9.53 17.87 0 0 90 "
      "120 119 1.5"};
  for (const std::string& text : rows) {
    const auto row = nccl_row(text);
    ASSERT_TRUE(row) << text;
    EXPECT_TRUE(row->complaints.empty()) << text;
    ASSERT_EQ(row->points.size(), 2u) << text;
    EXPECT_EQ(row->points[0].op, "sum");
    EXPECT_EQ(row->points[0].type, "float");
    EXPECT_EQ(row->points[0].buffers, BufferMode::out_of_place);
    EXPECT_EQ(row->points[0].time_us, 100.0);
    EXPECT_EQ(row->points[0].busbw_gigabytes_per_second, 19.66);
    EXPECT_EQ(row->points[1].buffers, BufferMode::in_place);
    EXPECT_EQ(row->points[1].time_us, 110.0);
  }
}

TEST(NcclRow, MayHaveNoOpOrOnePlacement) {
  const auto hypercube = nccl_row("1024 256 float  -1 1.00 1.02 1.02 0 1.00 1.02 1.02 0");
  ASSERT_EQ(hypercube->points.size(), 2u);
  EXPECT_EQ(hypercube->points[0].op, "");
  const auto one = nccl_row("1024 256 float sum -1 1.00 1.02 1.02 0");
  ASSERT_EQ(one->points.size(), 1u);
  EXPECT_EQ(one->points[0].buffers, BufferMode::unstated);
}

TEST(NcclRow, LeavesOutWhatWasNotMeasured) {
  const auto row = nccl_row("1024 256 float sum -1 N/A N/A N/A N/A 1.00 1.02 1.02 0");
  EXPECT_TRUE(row->complaints.empty());
  ASSERT_EQ(row->points.size(), 1u);
  EXPECT_EQ(row->points[0].buffers, BufferMode::in_place);
}

TEST(NcclRow, IsNotBelievedAgainstArithmetic) {
  const auto time = nccl_row("1048576 262144 float sum -1 10.0 10.49 19.66 0 100.0 10.49 19.66 0");
  EXPECT_EQ(time->complaints,
            std::vector<std::string>{"out_of_place: algbw is not size over time"});
  EXPECT_EQ(time->points.size(), 1u);
  const auto size = nccl_row("1048577 262144 float sum -1 100.0 10.49 19.66 0 100.0 10.49 19.66 0");
  EXPECT_EQ(size->complaints, std::vector<std::string>{"size is no multiple of count elements"});
  EXPECT_TRUE(size->points.empty());
}

TEST(NcclRow, IsNoOtherLine) {
  for (const std::string text :
       {"", "# Avg bus bandwidth    : 22.1205", "NCCL version 2.26.2+cuda12.8",
        "#  Rank  0 Group  0 Pid   2574 on host device  0 [0000:0f:00] NVIDIA", "```",
        "h:574691:574714 [0] NCCL INFO comm 0x387d330 rank 0 nRanks 2 nNodes 2"}) {
    EXPECT_FALSE(nccl_row(text)) << text;
  }
}

}  // namespace
}  // namespace railgauge::verdict
