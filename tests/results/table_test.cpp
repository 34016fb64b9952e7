#include "results/table.hpp"

#include <gtest/gtest.h>

#include "sample_documents.hpp"

namespace railgauge::results {
namespace {

TEST(Table, HasALineForEachRailOfEachRank) {
  Document document = ok_document();
  document.ranks.resize(1);
  document.ranks[0].rails.resize(1);
  EXPECT_EQ(device_lines(document),
            "#  Rank  0 Group  0 Pid    400 on      host0 device  0 [rxe0:1] rail 0 local rank 0 "
            "NUMA 0 NIC's 0 cpus 0-7 memory 0 netdev eth1 address 10.10.0.1 GID 1 MTU 4096 link "
            "2.5 Gb/s software\n"
            "# Rails by shared subnets: each subnet is on several hosts\n");
}

TEST(Table, SaysNothingOfWhatWasNotBoundNorNumbered) {
  Document document = ok_document();
  document.rail_rule = {};
  for (Rank& rank : document.ranks) rank.placement = {};
  EXPECT_EQ(device_lines(document).find("cpus"), std::string::npos);
  EXPECT_EQ(device_lines(document).find("Rails by"), std::string::npos);
}

TEST(Table, SaysWhatMakesFiguresUnlikeThoseOfAFabric) {
  Document document = ok_document();
  EXPECT_EQ(label_lines(document), "# SOFTWARE DEVICE: figures say nothing about hardware\n");
  document.options["same-host"] = {"memory", Option::Origin::command_line};
  EXPECT_NE(label_lines(document).find("# SAME-HOST MEMORY: "), std::string::npos);
  for (Rank& rank : document.ranks) {
    for (RankRail& rail : rank.rails) rail.kind = DeviceKind::hardware;
    rank.local_rank = 0;
  }
  EXPECT_EQ(label_lines(document), "");
}

TEST(Fitted, KeepsAsManyDecimalsAsFit) {
  EXPECT_EQ(fitted(0, 7), "   0.00");
  EXPECT_EQ(fitted(9999.99, 7), "9999.99");
  EXPECT_EQ(fitted(10'000, 7), "10000.0");
  EXPECT_EQ(fitted(99'999.9, 7), "99999.9");
  EXPECT_EQ(fitted(100'000, 7), " 100000");
  EXPECT_EQ(fitted(9'999'999, 7), "9999999");
  EXPECT_EQ(fitted(10'000'000, 7), "1.0e+07");
  EXPECT_EQ(fitted(999.99, 6), "999.99");
  EXPECT_EQ(fitted(1000, 6), "1000.0");
  EXPECT_EQ(fitted(10'000, 6), " 10000");
  EXPECT_EQ(fitted(999'999, 6), "999999");
  EXPECT_EQ(fitted(1'000'000, 6), " 1e+06");
}

/// Where rounding makes a number longer, nccl-tests writes one character too many.
TEST(Fitted, NeverExceedsItsWidth) {
  EXPECT_EQ(fitted(9999.996, 7), "10000.0");
  EXPECT_EQ(fitted(99'999.96, 7), " 100000");
  EXPECT_EQ(fitted(999.996, 6), "1000.0");
}

}  // namespace
}  // namespace railgauge::results
