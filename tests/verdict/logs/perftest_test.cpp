#include "verdict/logs/formats.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "tree.hpp"
#include "verdict/logs/import.hpp"

namespace railgauge::verdict {
namespace {

const std::string kBandwidth =
    "                    RDMA_Write BW Test\n"
    " Dual-port       : OFF          Device         : mlx5_0\n"
    " Link type       : Ethernet\n"
    " local address: LID 0000 QPN 0x0236 PSN 0x8815dd\n"
    " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n"
    "Conflicting CPU frequency values detected: 1500.000000 != 3100.000000. CPU Frequency is not "
    "max.\n"
    " 65536      5000             393.10             392.08                 0.747833\n";
const std::string kLatency =
    "                    Send Latency Test\n"
    " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    "
    "t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec] \n"
    " 2       1000          4.70           13.20        4.83                4.82             0.00"
    "            4.91                    13.20  \n";

/// What Debian 12's perftest 4.5-0.17 wrote between two software devices.
struct Recorded {
  std::string file;
  std::string collective;
  std::size_t points = 0;
  Point last{};
};

const std::vector<Recorded> kRecorded{
    {"perftest_write_bw_all.txt",
     "ib_write_bw",
     23,
     {.size_bytes = 8388608, .algbw_gigabytes_per_second = 795.42 * 1.048576e-3}},
    {"perftest_read_bw_gbits.txt",
     "ib_read_bw",
     1,
     {.size_bytes = 65536, .algbw_gigabytes_per_second = 16.82 / 8}},
    {"perftest_write_lat.txt", "ib_write_lat", 1, {.size_bytes = 8, .time_us = 839.78}},
    {"perftest_send_bw_bidirectional.json",
     "ib_send_bw_bidirectional",
     1,
     {.size_bytes = 4096, .algbw_gigabytes_per_second = 1635.46 * 1.048576e-3}},
    {"perftest_write_lat.json", "ib_write_lat", 1, {.size_bytes = 8, .time_us = 839.78}},
};

TEST(Perftest, IsReadAsTheProgramsWroteIt) {
  for (const Recorded& recorded : kRecorded) {
    SCOPED_TRACE(recorded.file);
    std::ifstream file(in_tree("tests/verdict/logs/samples/") + recorded.file);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const Imported imported = import_log(text, "auto", {});
    EXPECT_EQ(imported.reference.ending->how, Ended::complete);
    ASSERT_EQ(imported.reference.runs.size(), 1U);
    const auto& run = imported.reference.runs[0];
    EXPECT_EQ(run.collective, recorded.collective);
    ASSERT_EQ(run.points.size(), recorded.points);
    EXPECT_EQ(run.points.back().size_bytes, recorded.last.size_bytes);
    EXPECT_EQ(run.points.back().time_us, recorded.last.time_us);
    EXPECT_NEAR(run.points.back().algbw_gigabytes_per_second.value_or(0),
                recorded.last.algbw_gigabytes_per_second.value_or(0), 1e-9);
    const std::string without_last_line = text.substr(0, text.rfind('\n', text.size() - 2) + 1);
    EXPECT_EQ(import_log(without_last_line, "auto", {}).reference.ending->how, Ended::cut);
  }
}

TEST(Perftest, IsRead) {
  ASSERT_TRUE(kPerftest.recognises(kBandwidth));
  const LogContent content = kPerftest.read(kBandwidth + kLatency);
  EXPECT_TRUE(content.complaints.empty());
  ASSERT_EQ(content.runs.size(), 2u);
  EXPECT_EQ(content.runs[0].collective, "ib_write_bw");
  EXPECT_EQ(content.runs[0].points[0].size_bytes, 65536u);
  EXPECT_DOUBLE_EQ(content.runs[0].points[0].algbw_gigabytes_per_second.value_or(0), 49.01);
  EXPECT_EQ(content.runs[1].collective, "ib_send_lat");
  EXPECT_EQ(content.runs[1].points[0].time_us, 4.83);
  EXPECT_EQ(content.runs[1].points[0].algbw_gigabytes_per_second, std::nullopt);
}

TEST(Perftest, CountsMegabytesInTwos) {
  std::string text = kBandwidth;
  while (text.find("Gb/sec") != std::string::npos) text.replace(text.find("Gb/sec"), 6, "MB/sec");
  text.replace(text.find("0.747833"), 8, "0.006273");
  const LogContent content = kPerftest.read(text);
  EXPECT_DOUBLE_EQ(content.runs[0].points[0].algbw_gigabytes_per_second.value_or(0),
                   392.08 * (1 << 20) / 1e9);
}

TEST(Perftest, TellsBothDirectionsApart) {
  std::string text = kBandwidth;
  text.replace(text.find("BW Test"), 0, "Bidirectional ");
  EXPECT_EQ(kPerftest.read(text).runs[0].collective, "ib_write_bw_bidirectional");
}

TEST(Perftest, ReportsATornRow) {
  const LogContent content = kPerftest.read(kBandwidth + " 131072     5000             39\n");
  ASSERT_EQ(content.complaints.size(), 1u);
  EXPECT_EQ(content.complaints[0].line, 8u);
}

TEST(PerftestJson, ReportsATestWithoutAName) {
  const auto complained = [](const std::string& test) {
    const LogContent content =
        kPerftestJson.read("{\"test_info\": {\n\"test\":" + test + ",\n\"MsgSize\": 8}}\n");
    EXPECT_TRUE(content.runs.empty());
    return content.complaints.size() == 1 && content.complaints[0].line == 2;
  };
  EXPECT_TRUE(complained(" "));
  EXPECT_TRUE(complained("  \"\""));
  EXPECT_TRUE(complained(" \"Nonsense\""));
}

/// Two records of one program are one run.
TEST(PerftestJson, ReadsTwoRecordsWithoutQuotationMarks) {
  const std::string head =
      "{\ntest_info: {\ntest: RDMA_Write_BW_Test,\nDual_port: OFF,\nMtu: 4096,\nGID_index: 0,\n"
      "TX_depth : 50,\nLink_type: Ethernet,\nUsing_SRQ: OFF,\n"
      "Device: soft0,\nNumber_of_qps: 1,\nTransport_type: IB,\nConnection_type: RC,\n"
      "PCIe_relax_order: ON,\nibv_wr_API: OFF,\nCQ_Moderation: 1,\nMax_inline_data: 0,\n"
      "rdma_cm_QPs: OFF,\n},\nresults: {\n";
  const std::string tail = "n_iterations: 50,\nBW_peak: 7.36,\nBW_average: 7.34,\n";
  const std::string log = head + "MsgSize: 65536,\n" + tail + "MsgRate: 0.014003,\n},\n}\n" + head +
                          "MsgSize: 131072,\n" + tail + "MsgRate: 0.007001,\n},\n}\n";
  const Imported imported = import_log(log, "auto", {});
  EXPECT_TRUE(imported.complaints.empty());
  ASSERT_EQ(imported.reference.runs.size(), 1u);
  EXPECT_EQ(imported.reference.runs[0].points.size(), 2u);
}

}  // namespace
}  // namespace railgauge::verdict
