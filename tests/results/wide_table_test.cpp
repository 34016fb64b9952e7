#include "results/wide_table.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "sample_documents.hpp"

namespace railgauge::results {
namespace {

TEST(WideTable, OfARowIsThis) {
  std::ostringstream out;
  WideTable table(out);
  for (const CollectiveRow& row : rows_of(ok_document())) table.row(row);
  // clang-format off
  EXPECT_EQ(out.str(),
R"(      1048576     float   sum    -1  ring              0+1       1   131072    0  out       20   3999.00   4000.00   4005.00   4030.00   4030.00   4030.00   0.0     0.26     0.39    62.5       0
      1048576     float   sum    -1  ring              0+1       1   131072    0  in        20   3899.50   3900.50   3905.50   3930.50   3930.50   3930.50   0.0     0.27     0.40    62.5       0
      4194304     float   sum    -1  ring              0+1       1   131072    0  out       20  14999.00  15000.00  15005.00  15030.00  15030.00  15030.00   0.0     0.28     0.42    62.5     N/A
)");
  // clang-format on
}

TEST(WideTable, SmallBandwidthsHaveTheirDigits) {
  std::ostringstream out;
  CollectiveRow row;
  row.out_of_place =
      Measurement{.algbw_gigabytes_per_second = 0.01234, .busbw_gigabytes_per_second = 0.00042};
  WideTable(out).row(row);
  EXPECT_NE(out.str().find("  0.01234  0.00042  "), std::string::npos) << out.str();
}

TEST(WideTable, HasAColumnForEachNumberAndNamesIt) {
  std::ostringstream out;
  WideTable(out).header(ok_document(), {.iterations = 20, .check_iterations = 1});
  const std::string text = out.str();
  EXPECT_NE(
      text.find("# railgauge 0.1.0 all_reduce, 4 ranks on 2 hosts, 20 iterations, 1 verified"),
      std::string::npos);
  EXPECT_NE(text.find("SOFTWARE DEVICE"), std::string::npos);
  for (const char* name : {"p50", "p99.9", "%line", "busbw", "algorithm", "#wrong", "remarks"}) {
    EXPECT_NE(text.find(name), std::string::npos) << name;
  }
}

TEST(WideTable, RemarksOnTwoGroupsAndOnTimeThatWasUp) {
  CollectiveRow row = rows_of(ok_document())[0];
  row.out_of_place->bimodal = true;
  row.out_of_place->stopped_by = measure::StoppedBy::duration;
  row.point.unreduced = true;
  std::ostringstream out;
  WideTable table(out);
  table.header(ok_document(), {.interval_asked = true});
  table.row(row);
  EXPECT_NE(out.str().find("  two groups of times  UNVERIFIED: moved, not reduced  time was up "
                           "before the interval was narrow\n"),
            std::string::npos);
}

TEST(WideTable, SaysThatTheDiskIsFull) {
  std::ofstream full("/dev/full");
  WideTable table(full);
  table.row(rows_of(ok_document())[0]);
  EXPECT_THROW(table.footer(), std::runtime_error);
}

}  // namespace
}  // namespace railgauge::results
