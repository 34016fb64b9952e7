// Logs that were read as something that they are not, with exit status 0.

#include <gtest/gtest.h>

#include <string>

#include "verdict/logs/import.hpp"

namespace railgauge::verdict {
namespace {

const std::string kMisreadBandwidth =
    "# OSU MPI Bandwidth Test v7.4\n"
    "# Datatype: MPI_CHAR.\n"
    "# Size      Bandwidth (MB/s)\n"
    "1024               2000.50\n"
    "4194304           12000.00\n";

const std::string kMisreadAlltoall =
    "# OSU MPI All-to-All Personalized Exchange Latency Test v7.5\n"
    "# Datatype: MPI_CHAR.\n"
    "# Size       Avg Latency(us)\n"
    "1024                    12.46\n"
    "1048576                400.00\n";

const std::string kMisreadLatency =
    "                    RDMA_Write Latency Test\n"
    " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    "
    "t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec] \n"
    " 8       1000          1.70           3.20         1.83               1.82             0.10"
    "            2.91                    3.20  \n";

const std::string kMisreadTable =
    "# Collective test starting: all_reduce_perf\n"
    "#       size         count      type   redop    root     time   algbw   busbw #wrong     time"
    "   algbw   busbw #wrong\n"
    "        1024           256     float     sum      -1    20.10    0.05    0.08      0    21.30"
    "    0.05    0.07      0\n"
    "     1048576        262144     float     sum      -1    100.0   10.49   15.73      0    110.0"
    "    9.53   14.30      0\n";

/// The text with something put before each of its lines.
std::string prefixed(const std::string& text, const std::string& prefix) {
  std::string all;
  for (const std::string_view line : lines_of(text)) all += prefix + std::string(line) + "\n";
  return all;
}

std::string documents_of(const std::string& text) {
  const Imported imported = import_log(text, "auto", {.ranks = 4});
  EXPECT_TRUE(imported.complaints.empty()) << imported.complaints[0].text;
  return json_text(imported.reference);
}

std::string two_ranks(const std::string& text) {
  const Imported imported = import_log(text, "auto", {});
  EXPECT_TRUE(imported.complaints.empty()) << imported.complaints[0].text;
  return json_text(imported.reference);
}

/// What launchers, collectors and pages put around lines.
const std::vector<std::string> kPrefixes{
    "    ",
    "\t",
    "[1,0]<stdout>:",
    "[1,0]<stdout>: ",
    "[prterun-node1-4711@1,0]<stdout>: ",
    "0: ",
    " 3: ",
    "[0] ",
    "node-01: ",
    "gpu17.cluster.example: ",
    "2026-01-31T12:00:00.123456789Z ",
    "2026-01-31T12:00:00.123456789Z stdout F ",
    "2026-01-31T12:00:00+01:00 ",
    "[pod/nccl-launcher-x7k2p/launcher] ",
    "[pod/nccl-launcher-x7k2p/launcher] 2026-01-31T12:00:00.123456789Z ",
    "2026-01-31 12:00:00 ",
    "[2026-01-31 12:00:00] ",
    "2026-01-31 12:00:00,123 ",
    "12:00:00 ",
    "12:00:00.123 ",
    "[12:00:00] ",
    "Jan 31 12:00:00 node01 slurmd[1234]: ",
    "launcher-1  | ",
    "> ",
    "Sat Jan 31 12:00:00 2026<stdout>:",
    "Sat Jan 31 12:00:00 2026[1,0]<stdout>:",
    "2026-01-31 12:00:00,123 - INFO - ",
    "2026-01-31 12:00:00 [INFO] ",
    "2026-01-31 12:00:00 INFO: ",
    "2026-01-31T12:00:00.1234567Z [1,0]<stdout>:",
    "\x1b[32m",
    "\x1b[0m\x1b[1;31m[1,0]<stdout>:\x1b[0m"};

TEST(Misread, NoPrefixChangesATable) {
  for (const std::string& prefix : kPrefixes) {
    EXPECT_EQ(two_ranks(prefixed(kMisreadBandwidth, prefix)), two_ranks(kMisreadBandwidth))
        << prefix;
    EXPECT_EQ(two_ranks(prefixed(kMisreadLatency, prefix)), two_ranks(kMisreadLatency)) << prefix;
    EXPECT_EQ(documents_of(prefixed(kMisreadAlltoall, prefix)), documents_of(kMisreadAlltoall))
        << prefix;
    EXPECT_EQ(documents_of(prefixed(kMisreadTable, prefix)), documents_of(kMisreadTable)) << prefix;
  }
}

TEST(Misread, AnIndentedTableOfBandwidthsHasNoTimes) {
  const Imported imported = import_log(prefixed(kMisreadBandwidth, "   "), "auto", {});
  const Point& point = imported.reference.runs.at(0).points.at(1);
  EXPECT_EQ(point.time_us, std::nullopt);
  EXPECT_EQ(point.algbw_gigabytes_per_second, 12.0);
}

/// Every word of the rows is dropped, doubled and exchanged for its neighbour, one at a time.
TEST(Misread, ARowOfNcclIsBelievedWithAllItsWordsOnly) {
  const std::string whole = documents_of(kMisreadTable);
  const std::size_t rows = kMisreadTable.find("        1024");
  std::vector<std::size_t> begins;
  for (std::size_t at = rows; at < kMisreadTable.size(); ++at) {
    const auto blank = [&](std::size_t i) {
      return kMisreadTable[i] == ' ' || kMisreadTable[i] == '\n';
    };
    if (!blank(at) && blank(at - 1)) begins.push_back(at);
  }
  for (const std::size_t begin : begins) {
    const std::size_t end = kMisreadTable.find_first_of(" \n", begin);
    const std::string word = kMisreadTable.substr(begin, end - begin);
    std::string dropped = kMisreadTable;
    dropped.erase(begin, word.size());
    std::string doubled = kMisreadTable;
    doubled.insert(begin, word + " ");
    std::string more = kMisreadTable;
    more.insert(begin, "7 ");
    for (const std::string& text : {dropped, doubled, more}) {
      const Imported imported = import_log(text, "auto", {.ranks = 4});
      if (json_text(imported.reference) == whole) continue;
      EXPECT_FALSE(imported.complaints.empty()) << text;
      for (const Point& point : imported.reference.runs.at(0).points) {
        EXPECT_NE(whole.find(std::to_string(*point.time_us).substr(0, 4)), std::string::npos)
            << text;
      }
    }
  }
}

TEST(Misread, ATimeOfZeroOrLessIsNone) {
  for (const std::string time : {"0", "-1", "0.00", "-5.00"}) {
    const std::string row = "1024 256 float sum -1 " + time + " 0.05 0.08 0 21.30 0.05 0.07 0\n";
    const Imported imported = import_log(row, "auto", {});
    EXPECT_EQ(imported.complaints.size(), 1u) << time;
    EXPECT_EQ(imported.reference.runs.at(0).points.size(), 1u) << time;
  }
}

TEST(Misread, HalfARowIsNotARowOfOnePlacement) {
  std::string text = kMisreadTable;
  text.resize(text.rfind("    110.0"));
  const Imported imported = import_log(text, "auto", {});
  EXPECT_EQ(imported.reference.runs.at(0).points.size(), 2u);
  EXPECT_EQ(imported.complaints.size(), 1u);
}

}  // namespace
}  // namespace railgauge::verdict
