#include "verdict/logs/formats.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "results/nccl_table.hpp"
#include "tree.hpp"
#include "verdict/library.hpp"
#include "verdict/line_rate.hpp"
#include "verdict/logs/import.hpp"

namespace railgauge::verdict {
namespace {

std::string sample(const std::string& name) {
  std::ifstream file(in_tree("tests/verdict/logs/samples/") + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A published log, and the run of a reference that was made of it by other hands.
struct Published {
  std::string log, reference, run, collective;
  int ranks, nodes;
};

std::ostream& operator<<(std::ostream& out, const Published& published) {
  return out << published.log;
}

class PublishedLog : public ::testing::TestWithParam<Published> {};

TEST_P(PublishedLog, EqualsItsReference) {
  const Published& published = GetParam();
  const Stated stated{
      .collective = published.collective, .ranks = published.ranks, .nodes = published.nodes};
  const Imported imported = import_log(sample(published.log), "auto", stated);
  EXPECT_TRUE(imported.complaints.empty()) << imported.complaints[0].text;
  ASSERT_EQ(imported.reference.runs.size(), 1u);

  const Reference all = Library(in_tree("results-schema")).reference(published.reference);
  Reference expected{.name = "same", .runs = {}};
  for (const verdict::Run& run : all.runs) {
    if (run.name == published.run && run.collective == published.collective) {
      expected.runs.push_back({.name = "same", .points = run.points});
    }
  }
  ASSERT_EQ(expected.runs.size(), 1u);
  Reference found{.name = "same", .runs = {}};
  found.runs.push_back({.name = "same", .points = imported.reference.runs[0].points});
  // Its algorithm is on the page, not in the log.
  if (found.runs[0].points[0].algorithm.empty()) {
    for (Point& point : expected.runs[0].points) point.algorithm.clear();
  }
  EXPECT_EQ(json_text(found), json_text(expected));
}

INSTANTIATE_TEST_SUITE_P(
    All, PublishedLog,
    ::testing::Values(Published{"aws_p5_2node.txt", "aws-p5-h100-32x100g-efa", "slurm-2n16g",
                                "all_reduce", 16, 2},
                      Published{"ccimoc_all_reduce_roce_1gpu.txt", "ccimoc-h100-1x400g-roce",
                                "all_reduce_roce_1gpu", "all_reduce", 2, 2},
                      Published{"deepops_ib_a100_2node.txt", "deepops-dgxa100-8x200g-ib",
                                "2n16g-k8s", "all_reduce", 16, 2},
                      Published{"deepops_roce_v100_2node.txt", "deepops-dgx1-v100-2x100g-roce",
                                "2n16g", "all_reduce", 16, 2},
                      Published{"dgx-spark_blog_allgather_2halves.txt",
                                "dgx-spark-gb10-2x100g-roce", "blog-2halves-merged", "all_gather",
                                2, 2},
                      Published{"nccl-tests-309_4node_qoofyk.txt", "nccl-tests-309-h100-8x400g-ib",
                                "qoofyk-4n32g", "all_reduce", 32, 4},
                      Published{"oci_b48_a100_2node.txt", "oci-b4-a100-16x100g-roce", "2n16g",
                                "all_reduce", 16, 2}));

TEST(NcclTable, TellsWhatTheLogSays) {
  const LogContent oci = kNcclTable.read(sample("oci_b48_a100_2node.txt"));
  ASSERT_EQ(oci.runs.size(), 1u);
  EXPECT_EQ(oci.runs[0].collective, "all_reduce");
  EXPECT_EQ(oci.runs[0].ranks, 16);            // the last is rank 15
  EXPECT_EQ(oci.runs[0].nodes, std::nullopt);  // most lines of devices are missing
  EXPECT_EQ(oci.runs[0].library, "NCCL 2.29.3+cuda13.1");
  const LogContent moc = kNcclTable.read(sample("ccimoc_all_reduce_roce_1gpu.txt"));
  EXPECT_EQ(moc.runs[0].nodes, 2);
  EXPECT_EQ(moc.runs[0].collective, "");  // nothing says it
  EXPECT_EQ(moc.runs[0].points[0].algorithm, "ring");
}

/// With many ranks and -b 8 the first sizes are of no elements: no measurements, and no new runs.
TEST(NcclTable, RowsOfNoBytesSplitNothing) {
  const std::string none = "  0  0  float  sum  -1  12.00  0.00  0.00  0  12.00  0.00  0.00  0\n";
  const LogContent content = kNcclTable.read(
      none + none +
      "  1048576  262144  float  sum  -1  100.0  10.49  10.49  0  100.0  10.49  10.49  0\n");
  EXPECT_TRUE(content.complaints.empty());
  ASSERT_EQ(content.runs.size(), 1u);
  EXPECT_EQ(content.runs[0].points.size(), 2u);
}

/// As versions before 2.12 listed them: three blanks, and no group.
TEST(NcclTable, KnowsDevicesOfOldVersions) {
  const LogContent content = kNcclTable.read(
      "#   Rank  0 Pid  17451 on hosta device  0 [0x0f] A100\n"
      "#   Rank  1 Pid  17452 on hostb device  0 [0x0f] A100\n"
      "  1048576  262144  float  sum  100.0  10.49  10.49  2e-07  100.0  10.49  10.49  1e-07\n");
  ASSERT_EQ(content.runs.size(), 1u);
  EXPECT_EQ(content.runs[0].ranks, 2);
  EXPECT_EQ(content.runs[0].nodes, 2);
}

TEST(NcclTable, KnowsWhatGoesBesideTheNics) {
  const std::string row =
      "  1048576  262144  float  sum  -1  100.0  10.49  10.49  0  100.0  10.49  10.49  0\n";
  const auto runs = kNcclTable.read("h:1:2 [0] NCCL INFO Connected NVLS tree\n" + row).runs;
  EXPECT_EQ(runs.at(0).beside_nics, std::vector<std::string>{"NVLS"});
  EXPECT_EQ(kNcclTable.read(row).runs.at(0).beside_nics, std::nullopt);
  EXPECT_EQ(kNcclTable.read("# SOFTWARE DEVICE: x\n" + row).runs.at(0).not_a_target, kOfSoftware);
}

constexpr const char* kNoise =
    "[1,0]<stdout>:# Collective test starting: all_gather_perf\n"
    "[1,0]<stdout>:h:1:2 [0] NCCL INFO Channel 00/02 : 0 1\n"
    "[1,0]<stdout>:     1048576        131072     float    none      -1    100.0   10.49    5.24   "
    "   0"
    "    100.0   10.49    5.24    N/A\n"
    "h:1:2 [0] NCCL INFO x      2097152        262144     float    none      -1    200.0   10.49   "
    " 5.24"
    "      0    200.0   10.49    5.24      0\n"
    "     4194304        524288     float    none      -1    400.0   10.49    5.24h:1:2 [0] NCCL\n"
    "    400.0   10.49    5.24      0\n"
    "     83886088388608   1048576     float    none      -1    800.0   10.49    5.24      0"
    "    800.0   10.49    5.24      0\n"
    "    16777216       2097152     float    none      -1   1600.0   10.49    5.24      7"
    "   1600.0   10.49    5.24      0\n";

TEST(NcclTable, ReportsLinesThatItCannotRead) {
  const LogContent content = kNcclTable.read(kNoise);
  ASSERT_EQ(content.runs.size(), 1u);
  EXPECT_EQ(content.runs[0].points.size(), 5u);  // two rows, and one that is right in place
  std::string said;
  for (const Complaint& complaint : content.complaints) {
    said += std::to_string(complaint.line) + ": " + complaint.text + "\n";
  }
  EXPECT_EQ(said,
            "5: a row of 6 figures; there should be 8, 16 with -I, or 2 more with #bitdiff\n"
            "6: looks like a part of a row\n"
            "7: out_of_place: algbw is not size over time\n"
            "7: in_place: algbw is not size over time\n"
            "8: out_of_place: 7 elements are wrong\n");
}

TEST(NcclTable, MakesARunOfEveryTableAndCycle) {
  const std::string row =
      "  1048576  262144  float  sum  -1  100.0  10.49  10.49  0  100.0  10.49  10.49  0\n";
  const std::string next =
      "  1048576  262144  float  sum  -1  101.0  10.38  10.38  0  101.0  10.38  10.38  0\n";
  const std::string start = "# Collective test starting: ";
  const LogContent content =
      kNcclTable.read(start + "all_reduce_perf\n" + row + next + start + "reduce_perf\n" + row);
  ASSERT_EQ(content.runs.size(), 3u);
  EXPECT_EQ(content.runs[0].collective, "all_reduce");
  EXPECT_EQ(content.runs[1].collective, "all_reduce");
  EXPECT_EQ(content.runs[2].collective, "reduce");
  for (const verdict::Run& run : content.runs) EXPECT_EQ(run.points.size(), 2u);
}

results::Rank rank_of(int rank) {
  const std::string host = "host" + std::to_string(rank / 2);
  results::Rank made{.rank = rank, .host = host, .pid = 100 + rank, .local_rank = rank % 2};
  for (int rail = 0; rail < 3; ++rail) {
    made.rails.push_back({.rail = rail,
                          .device = "mlx5_" + std::to_string(rail),
                          .netdev = "eth0",
                          .address = host + ":" + std::to_string(rail),
                          .mtu_bytes = 4096,
                          .link_gigabits_per_second = 400});
  }
  return made;
}

results::Measurement measured(std::uint64_t size, double time) {
  const double algbw = static_cast<double>(size) / time / 1e3;
  return {.time = {.n = 20, .min_us = time, .p50_us = time},
          .algbw_gigabytes_per_second = algbw,
          .busbw_gigabytes_per_second = algbw * 1.5,
          .wrong = 0};
}

/// What the table printed of a figure.
double printed(double value, int width) {
  return std::stod(results::fitted(value, width));
}

TEST(NcclTable, ReadsOurOwn) {
  results::Document document{.tool = {.version = "0.1.0"},
                             .body = results::CollectiveBody{"all_reduce"}};
  for (int rank = 0; rank < 4; ++rank) document.ranks.push_back(rank_of(rank));
  std::ostringstream out;
  results::NcclTable table(out);
  table.header(
      document,
      {.min_bytes = 8, .max_bytes = 1U << 30U, .family_of = {{"ring", "halving-doubling"}}});
  std::vector<results::CollectiveRow> rows;
  double time = 7.123;
  for (std::uint64_t size = 8; size <= 1U << 30U; size *= 2, time *= 1.7) {
    rows.push_back({.size_bytes = size, .count = size / 4, .type = "float", .op = "sum"});
    rows.back().algorithm = size < 4096 ? "tree" : "ring";
    rows.back().out_of_place = measured(size, time);
    if (size > 16) rows.back().in_place = measured(size, time * 1.1);
    table.row(rows.back());
  }
  table.footer();

  const Imported imported = import_log(out.str(), "auto", {});
  EXPECT_TRUE(imported.complaints.empty());
  ASSERT_EQ(imported.reference.runs.size(), 1u);
  const verdict::Run& run = imported.reference.runs[0];
  EXPECT_EQ(run.ranks, 4);
  EXPECT_EQ(run.nodes, 2);
  EXPECT_EQ(run.nics_per_node, 3);
  EXPECT_EQ(run.line_rate_gigabits_per_second, 400);
  EXPECT_EQ(run.collective, "all_reduce");
  EXPECT_EQ(run.library, "railgauge 0.1.0");
  EXPECT_TRUE(run.beside_nics && run.beside_nics->empty());
  std::size_t at = 0;
  for (const results::CollectiveRow& row : rows) {
    for (const auto& placement : {row.out_of_place, row.in_place}) {
      if (!placement) continue;
      ASSERT_LT(at, run.points.size());
      const Point& point = run.points[at++];
      EXPECT_EQ(point.size_bytes, row.size_bytes);
      EXPECT_EQ(point.algorithm, row.algorithm);
      EXPECT_EQ(point.time_us, printed(placement->time.p50_us, 7));
      EXPECT_EQ(point.algbw_gigabytes_per_second,
                printed(placement->algbw_gigabytes_per_second, 6));
      EXPECT_EQ(point.busbw_gigabytes_per_second,
                printed(placement->busbw_gigabytes_per_second, 6));
    }
  }
  EXPECT_EQ(at, run.points.size());
}

TEST(NcclTable, ReadsOurOwnOfManyRanks) {
  results::Document document{.tool = {.version = "0.1.0"},
                             .body = results::CollectiveBody{"all_reduce"}};
  for (int rank = 0; rank < 40; ++rank) document.ranks.push_back(rank_of(rank));
  std::ostringstream out;
  results::NcclTable table(out);
  table.header(document, {});
  results::CollectiveRow row{
      .size_bytes = 1U << 20U, .count = 1U << 18U, .type = "float", .op = "sum"};
  row.algorithm = "ring";
  row.out_of_place = measured(row.size_bytes, 1000);
  row.out_of_place->busbw_gigabytes_per_second =
      row.out_of_place->algbw_gigabytes_per_second * 2 * 39 / 40;
  table.row(row);
  table.footer();
  EXPECT_NE(out.str().find("#  Ranks 38-39 on host19 device"), std::string::npos) << out.str();

  const Imported imported = import_log(out.str(), "auto", {});
  ASSERT_EQ(imported.reference.runs.size(), 1u);
  const verdict::Run& run = imported.reference.runs[0];
  EXPECT_EQ(run.ranks, 40);
  EXPECT_EQ(run.nodes, 20);
  EXPECT_EQ(run.nics_per_node, 3);
  EXPECT_EQ(run.line_rate_gigabits_per_second, 400);
}

/// Of how many ranks the groups are, and which share a NIC, the table does not say.
TEST(NcclTable, ReadsOurOwnOfGroupsOfRanks) {
  results::Document document{.tool = {.version = "0.1.0"},
                             .body = results::CollectiveBody{"all_reduce"}};
  for (int rank = 0; rank < 16; ++rank) document.ranks.push_back(rank_of(rank));
  std::ostringstream out;
  results::NcclTable table(out);
  table.header(document, {});
  results::CollectiveRow row{
      .size_bytes = 1U << 20U, .count = 1U << 18U, .type = "float", .op = "sum"};
  row.algorithm = "ring";
  row.point.split = "MOD 2";
  row.out_of_place = measured(row.size_bytes, 20);
  row.out_of_place->busbw_gigabytes_per_second =
      row.out_of_place->algbw_gigabytes_per_second * 2 * 7 / 8;
  table.row(row);
  table.footer();

  const Reference read = import_log(out.str(), "auto", {}).reference;
  const Reference again = reference_of(nlohmann::ordered_json::parse(json_text(read)));
  for (const Reference* const one : {&read, &again}) {
    ASSERT_EQ(one->runs.size(), 1U);
    EXPECT_EQ(one->runs[0].split, "MOD 2");
    EXPECT_EQ(one->runs[0].ranks, 16);
    EXPECT_EQ(line_rate_fraction(one->runs[0], 70), std::nullopt);
    EXPECT_EQ(why_inconsistent(one->runs[0]), "");
  }
  row.point.split.clear();
  std::ostringstream whole;
  results::NcclTable other(whole);
  other.header(document, {});
  other.row(row);
  other.footer();
  EXPECT_THROW(import_log(whole.str(), "auto", {}), std::invalid_argument) << "of all 16 ranks";
}

}  // namespace
}  // namespace railgauge::verdict
