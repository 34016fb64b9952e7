#include "verdict/logs/formats.hpp"

#include <gtest/gtest.h>

#include <string>

namespace railgauge::verdict {
namespace {

const std::string kTable =
    "Device:      ibverbs, device=mlx5_0\n"
    "Algorithm:   allreduce_ring_chunked\n"
    "Options:     processes=4, inputs=1, threads=1\n"
    "\n"
    "   elements   min (us)   p50 (us)   p99 (us)   max (us)   avg (GB/s)    samples\n"
    "     250000         90        100        150        200        9.313       1000\n"
    "     500000        190\n";

TEST(Gloo, IsRead) {
  ASSERT_TRUE(kGloo.recognises(kTable));
  const LogContent content = kGloo.read(kTable, {.type = "float"});
  ASSERT_EQ(content.runs.size(), 1u);
  EXPECT_EQ(content.runs[0].collective, "all_reduce");
  EXPECT_EQ(content.runs[0].ranks, 4);
  ASSERT_EQ(content.runs[0].points.size(), 1u);
  const Point& point = content.runs[0].points[0];
  EXPECT_EQ(point.size_bytes, 1000000u);
  EXPECT_EQ(point.algorithm, "ring_chunked");
  EXPECT_DOUBLE_EQ(point.algbw_gigabytes_per_second.value_or(0), 10);
  EXPECT_DOUBLE_EQ(point.busbw_gigabytes_per_second.value_or(0), 15);
  ASSERT_EQ(content.complaints.size(), 1u);
  EXPECT_EQ(content.complaints[0].line, 7u);
}

TEST(Gloo, DoesNotGuessTheType) {
  EXPECT_THROW(kGloo.read(kTable, {}), std::invalid_argument);
}

/// As the first versions printed, without a bandwidth.
TEST(Gloo, HadNoBandwidthAtFirst) {
  const LogContent content = kGloo.read(
      "Device:      tcp, iface=eth0\nAlgorithm:   allreduce_ring_chunked\n"
      "Options:     processes=2, inputs=1\n\n"
      "   elements   min (us)   p50 (us)   p99 (us)   max (us)    samples\n"
      "        100         20         25         40         90      20000\n",
      {.type = "float"});
  ASSERT_EQ(content.runs.size(), 1u);
  EXPECT_EQ(content.runs[0].points[0].size_bytes, 400u);
  EXPECT_EQ(content.runs[0].points[0].time_us, 25.0);
}

/// As versions since 2021 print: a title in capitals instead of a line "Algorithm:".
std::string titled(const std::string& title, const std::string& options = "processes=4, inputs=1") {
  const std::string rule(111, '=');
  return rule + "\n" + std::string(50, ' ') + title + "\n\nDevice:       ibverbs, device=mlx5_0\n" +
         "Options:      " + options + ", threads=1, verify=true\n\n" + rule + "\n" +
         "                      BENCHMARK RESULTS\n\n"
         "   size (B)   elements   min (us)   p50 (us)   p99 (us)   max (us)   bandwidth (GB/s)"
         "    iterations\n"
         "       4000       1000         90        100        150        200              0.037"
         "          1000\n\n" +
         rule + "\n";
}

TEST(Gloo, PrintsATitleInLaterVersions) {
  const std::string text = titled("NEW_ALLREDUCE_RING");
  ASSERT_TRUE(kGloo.recognises(text));
  const LogContent content = kGloo.read(text, {});
  EXPECT_TRUE(content.complaints.empty());
  ASSERT_EQ(content.runs.size(), 1u);
  EXPECT_EQ(content.runs[0].collective, "all_reduce");
  EXPECT_EQ(content.runs[0].ranks, 4);
  EXPECT_EQ(content.runs[0].points[0].size_bytes, 4000u);
  EXPECT_EQ(content.runs[0].points[0].time_us, 100.0);
  EXPECT_EQ(content.runs[0].points[0].algorithm, "ring");
}

TEST(Gloo, CountsOneRanksPartOfSomeCollectives) {
  const auto size = [](const char* title) {
    return kGloo.read(titled(title), {}).runs.at(0).points.at(0).size_bytes;
  };
  EXPECT_EQ(size("ALLGATHER_RING"), 4000u * 4);
  EXPECT_EQ(size("SCATTER"), 4000u * 4);
  EXPECT_EQ(size("ALLTOALL"), 1000u * 8 * 4);  // of 8 bytes, although it says 4
  EXPECT_EQ(size("REDUCE_SCATTER"), 4000u);
  EXPECT_EQ(size("BROADCAST_ONE_TO_ALL"), 4000u);
}

TEST(Gloo, LeavesOutWhatIsAnotherThing) {
  for (const char* title : {"SENDRECV_ROUNDTRIP", "ISENDIRECV_STRESS", "ALLREDUCE_LOCAL",
                            "ALLTOALL_V", "BARRIER_ALL_TO_ALL"}) {
    const LogContent content = kGloo.read(titled(title), {});
    EXPECT_TRUE(content.runs.empty()) << title;
    EXPECT_EQ(content.complaints.size(), 1u) << title;
  }
  const LogContent several = kGloo.read(titled("ALLREDUCE_RING", "processes=4, inputs=2"), {});
  EXPECT_TRUE(several.runs.empty());
  EXPECT_EQ(several.complaints.size(), 1u);
}

TEST(Gloo, PrintsNanosecondsIfAsked) {
  const LogContent content = kGloo.read(
      "Algorithm:   new_allreduce_bcube\nOptions:     processes=2, inputs=1\n"
      "   elements   min (ns)   p50 (ns)   p99 (ns)   max (ns)   avg (GB/s)    samples\n"
      "       1000      90000     100000     150000     200000        0.037       1000\n",
      {.type = "float"});
  ASSERT_EQ(content.runs.size(), 1u);
  EXPECT_EQ(content.runs[0].points[0].time_us, 100.0);
  EXPECT_EQ(content.runs[0].points[0].algorithm, "bcube");
}

}  // namespace
}  // namespace railgauge::verdict
