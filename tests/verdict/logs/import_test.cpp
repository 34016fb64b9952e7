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

}  // namespace
}  // namespace railgauge::verdict
