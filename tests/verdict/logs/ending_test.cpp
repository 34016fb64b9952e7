// How a log ended: complete, cut, failed, with wrong data. It is in the document, and decides.

#include <gtest/gtest.h>

#include "verdict/comparison.hpp"
#include "verdict/logs/import.hpp"
#include "verdict/logs/log.hpp"

namespace railgauge::verdict {
namespace {

const std::string kEndHead =
    "# Collective test starting: all_reduce_perf\n"
    "# nThread 1 nGpus 1 minBytes 1048576 maxBytes 1048576 step: 2(factor)\n";
const std::string kEndRow =
    "  1048576  262144  float  sum  -1  100.0  10.49  15.73  0  100.0  10.49  15.73  0\n";
const std::string kEndTail = "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 15.73\n";

struct EndCase {
  std::string log;
  Ended ended;
  finding::Outcome outcome;  // at a line rate that it reaches
};

finding::Outcome outcome_of_log(const Reference& reference) {
  return outcome_of(compared(run_set_of(Input(reference), "log"), {.line_rate = true}));
}

TEST(Ending, IsInTheDocumentAndDecides) {
  using finding::Outcome;
  std::string wrong = kEndRow;
  wrong.replace(wrong.rfind(" 0\n"), 3, " 12\n");
  std::string nan = kEndRow;
  nan.replace(nan.rfind(" 0\n"), 3, " nan\n");
  const std::vector<EndCase> cases{
      {kEndHead + kEndRow + kEndTail, Ended::complete, Outcome::pass},
      {kEndRow, Ended::unknown, Outcome::pass},  // an excerpt says nothing of its end
      {kEndHead + kEndRow, Ended::cut, Outcome::inconclusive},
      {kEndHead + kEndRow + kEndHead + kEndRow + kEndTail, Ended::cut, Outcome::inconclusive},
      {kEndHead + kEndRow + "n2: Test NCCL failure common.cu:958 'x'\n", Ended::failed,
       Outcome::fail},
      {kEndHead + kEndRow + kEndTail +
           "mpirun detected that one or more processes exited with "
           "non-zero status\n",
       Ended::failed, Outcome::fail},
      {kEndHead + kEndRow + "slurmstepd: error: *** JOB 7 CANCELLED AT x DUE TO TIME LIMIT ***\n",
       Ended::failed, Outcome::fail},
      {kEndHead + kEndRow + "# Out of bounds values : 1 FAILED\n", Ended::wrong_data,
       Outcome::fail},
      {kEndHead + kEndRow + wrong + kEndTail, Ended::wrong_data, Outcome::fail},
      {kEndHead + kEndRow + nan + kEndTail, Ended::wrong_data, Outcome::fail},
  };
  for (const EndCase& one : cases) {
    const Imported imported = import_log(one.log, "auto",
                                         {.collective = "all_reduce",
                                          .ranks = 4,
                                          .nodes = 4,
                                          .nics_per_node = 1,
                                          .line_rate_gigabits_per_second = 130});
    EXPECT_EQ(imported.reference.ending->how, one.ended) << one.log;
    EXPECT_EQ(outcome_of_log(imported.reference), one.outcome) << one.log;
  }
}

TEST(Ending, IsKnownOfOtherFormats) {
  const auto ended = [](const std::string& log) {
    return import_log(log, "auto", {.ranks = 2}).reference.ending->how;
  };
  const std::string osu =
      "# OSU MPI Allreduce Latency Test v7.4\n# Size   Avg Latency(us)\n"
      "8    1.50\n";
  EXPECT_EQ(ended(osu), Ended::unknown);
  EXPECT_EQ(ended(osu + "srun: error: n1: task 1: Exited with exit code 1\n"), Ended::failed);
  const std::string perftest =
      " local address: LID 0\n #bytes #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   "
      "MsgRate[Mpps]\n 65536      5000             393.10             392.08   0.747833\n";
  EXPECT_EQ(ended(perftest), Ended::cut);
  EXPECT_EQ(ended(perftest + "--------------\n"), Ended::complete);
  EXPECT_EQ(ended(perftest + " Failed status 12: wr_id 0 syndrom 0x81\n"), Ended::failed);
  const std::string imb =
      "# List of Benchmarks to run:\n# Benchmarking Allreduce\n# #processes = 2\n"
      "#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]      defects\n"
      "1024 1000 9.50 10.50 10.00 0.00\n";
  EXPECT_EQ(ended(imb), Ended::cut);
  EXPECT_EQ(ended(imb + "# All processes entering MPI_Finalize\n"), Ended::complete);
  EXPECT_EQ(ended(imb + "2048 1000 9.50 10.50 10.00 3.00\n"), Ended::wrong_data);
}

TEST(Ending, IsKeptInTheDocument) {
  const Imported imported = import_log(kEndHead + kEndRow, "auto", {});
  const nlohmann::ordered_json json = imported.reference;
  const Reference read = reference_of(json);
  EXPECT_EQ(read.ending->how, Ended::cut);
  EXPECT_EQ(read.ending->reasons, imported.reference.ending->reasons);
}

/// Its table never began: that its end is not open does not make it complete.
TEST(Ending, OfALogWithoutATableIsCut) {
  LogContent content;
  read_end(" local address: LID 0000 QPN 0x0011\n", "perftest", content);
  EXPECT_EQ(content.ended, Ended::cut);
}

}  // namespace
}  // namespace railgauge::verdict
