#include "verdict/logs/import.hpp"

#include <gtest/gtest.h>

namespace railgauge::verdict {
namespace {

const std::string kRow =
    "  1048576  262144  float  sum  -1  100.0  10.49  15.73  0  100.0  10.49  15.73  0\n";
const std::string kNcclTable = "# Collective test starting: all_reduce_perf\n" + kRow;

TEST(Import, TakesWhatTheLogLeavesOut) {
  const Imported imported = import_log(
      kNcclTable, "auto",
      {.ranks = 4, .nodes = 4, .nics_per_node = 2, .line_rate_gigabits_per_second = 200});
  const verdict::Run& run = imported.reference.runs[0];
  EXPECT_EQ(run.ranks, 4);
  EXPECT_EQ(imported.reference.nics_per_node, 2);
  EXPECT_EQ(imported.reference.line_rate_gigabits_per_second, 200);
  EXPECT_TRUE(run.beside_nics && run.beside_nics->empty());  // one rank a host
}

/// Switches that reduce carry data of a single rank a host, too.
TEST(Import, KeepsWhatIsSaidToCarryDataBesideTheNics) {
  using Names = std::vector<std::string>;
  Stated stated{.ranks = 4, .nodes = 4, .beside_nics = Names{"SHARP"}};
  EXPECT_EQ(import_log(kNcclTable, "auto", stated).reference.runs[0].beside_nics, Names{"SHARP"});
  stated.beside_nics.reset();
  const std::string log = "h:1:2 [0] NCCL INFO Connected collnet\n" + kNcclTable;
  EXPECT_EQ(import_log(log, "auto", stated).reference.runs[0].beside_nics, Names{"SHARP"});
}

TEST(Import, LeavesUnknownWhatNobodySays) {
  const Imported imported = import_log(kRow, "auto", {});
  const verdict::Run& run = imported.reference.runs[0];
  EXPECT_EQ(run.collective, "");
  EXPECT_EQ(run.ranks, std::nullopt);
  EXPECT_EQ(run.beside_nics, std::nullopt);
}

TEST(Import, RefusesContradictions) {
  EXPECT_THROW(import_log(kNcclTable, "auto", {.collective = "all_gather"}), std::invalid_argument);
  EXPECT_THROW(import_log(kNcclTable, "auto", {.ranks = 8}), std::invalid_argument);  // by busbw
}

TEST(Import, RefusesWhatHasNoFigures) {
  EXPECT_THROW(import_log("", "auto", {}), std::invalid_argument);
  EXPECT_THROW(import_log("# nThread 1\n", "nccl-table", {}), std::invalid_argument);
  EXPECT_THROW(import_log(kNcclTable, "xml", {}), std::invalid_argument);
}

const std::string kPerftestTable =
    "                    RDMA_Write BW Test\n"
    " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n"
    " 65536      5000             393.10             392.08             0.747833\n";
const std::string kOsuTable =
    "# OSU MPI Allreduce Latency Test v7.4\n# Size   Avg Latency(us)\n8    1.50\n";

/// Two benchmarks in a log, in any order: the one is named and the log is not whole.
TEST(Import, NamesTheTableOfAnotherBenchmark) {
  struct Mixed {
    std::string log;
    std::size_t line;
    std::string format;
  };
  const std::vector<Mixed> logs{{kNcclTable + kPerftestTable, 4, "perftest"},
                                {kPerftestTable + kNcclTable, 2, "perftest"},
                                {kNcclTable + kOsuTable, 3, "osu"},
                                {kOsuTable + kPerftestTable, 5, "perftest"}};
  for (const Mixed& one : logs) {
    const Imported imported = import_log(one.log, "auto", {.ranks = 4});
    EXPECT_TRUE(imported.complaints.empty()) << one.log;
    EXPECT_EQ(imported.reference.ending->how, Ended::cut) << one.log;
    EXPECT_EQ(imported.reference.ending->reasons,
              std::vector<std::string>{"line " + std::to_string(one.line) +
                                       ": a table of another benchmark, of the format " +
                                       one.format + ", is not read: import it alone"});
  }
  EXPECT_NE(import_log(kNcclTable + kPerftestTable, "perftest", {}).reference.ending->how,
            Ended::cut);  // as asked
  for (const std::string& own :
       {kNcclTable + kNcclTable, kPerftestTable + kPerftestTable, kOsuTable + kOsuTable})
    EXPECT_EQ(import_log(own, "auto", {.ranks = 4}).reference.ending->how, Ended::unknown) << own;
}

std::string refusal_of_log(const std::string& log, const Stated& stated = {}) {
  try {
    (void)import_log(log, "auto", stated);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Import, SaysWhatTheLogSaysOtherwise) {
  EXPECT_EQ(refusal_of_log(kNcclTable, {.collective = "all_gather"}),
            "--collective: the log says all_reduce");
  EXPECT_EQ(refusal_of_log(kPerftestTable, {.ranks = 4}), "");  // a pair is two ranks
  EXPECT_EQ(
      refusal_of_log("NCCL INFO comm 0x1 rank 0 nRanks 4 nNodes 2 x\n" + kNcclTable, {.nodes = 4}),
      "--nodes: the log says 2");
}

/// The line, and what to do.
TEST(Import, RefusesWithTheLineAndTheNearestFormat) {
  EXPECT_EQ(refusal_of_log("# all_reduce_perf\n| size | time (us) | algbw (GB/s) | busbw (GB/s) |\n"
                           "|---|---|---|---|\n| 1048576 | 100.0 | 10.49 | 15.73 |\n"),
            "line 2: a head of columns that no benchmark prints so; import its whole output, with "
            "all columns");
  EXPECT_EQ(refusal_of_log("x\n| size(B) | busbw(GB/s) |\n|---|---|\n| 1048576 | 15.73 |\n"),
            "line 2: 'busbw' is of the format nccl-table, but the log has no whole table of it; "
            "import the benchmark's whole output");
  EXPECT_TRUE(refusal_of_log("  ib_write_bw custom dump\na b c\n")
                  .starts_with("line 1: 'ib_write_' is of the format perftest"));
  EXPECT_EQ(refusal_of_log("# Size   Avg Latency(us)\n8    1.50\n"),
            "line 1: a head of columns without the title above it; the nearest format is osu");
  EXPECT_EQ(refusal_of_log("{\"schema\": \"railgauge/reference/1\", \"runs\": []}\n"),
            "line 1: it is a document of railgauge, which compare reads as it is");
  EXPECT_TRUE(
      refusal_of_log("a b c\nd\n")
          .starts_with(
              "unknown format: no line is the head of a table (2 lines); railgauge reads "));
}

/// Three of four ranks are listed: nobody has given an option that may be wrong.
TEST(Import, AsksForOptionsOnlyIfTheyWereGiven) {
  const std::string device = "#  Rank  2 Group  0 Pid 103 on      b device  0 [0x04] GPU\n";
  const std::string log =
      "# Collective test starting: all_reduce_perf\n# minBytes 1048576\n" + device + kRow;
  EXPECT_EQ(refusal_of_log(log),
            "line 4: 1M: busbw is 15.73 GB/s, but algbw and the ranks make 13.99; the log names "
            "all_reduce and 3 ranks: is a line above the table lost?");
  EXPECT_EQ(refusal_of_log(kNcclTable, {.ranks = 8}),
            "line 2: 1M: busbw is 15.73 GB/s, but algbw and the ranks make 18.36: is --collective "
            "or --ranks wrong?");
}

/// Markdown with all columns of nccl-tests; nvidia-smi's bars hold no row.
TEST(Import, ReadsARowBetweenBars) {
  const Imported imported = import_log(
      "| 1048576 | 262144 | float | sum | -1 | 100.0 | 10.49 | 15.73 | 0 |\n"
      "|    0   N/A  N/A      1234      C   ./all_reduce_perf    500MiB |\n",
      "auto", {});
  EXPECT_TRUE(imported.complaints.empty());
  ASSERT_EQ(imported.reference.runs.at(0).points.size(), 1u);
  EXPECT_EQ(imported.reference.runs[0].points[0].busbw_gigabytes_per_second, 15.73);
}

}  // namespace
}  // namespace railgauge::verdict
