#include "results/nccl_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "sample_documents.hpp"

namespace railgauge::results {
namespace {

const TableParameters kParameters{.min_bytes = 1U << 20U,
                                  .max_bytes = 4U << 20U,
                                  .step_factor = 4,
                                  .warmup_iterations = 5,
                                  .iterations = 20,
                                  .check_iterations = 1};

std::string row_text(const CollectiveRow& row) {
  std::ostringstream out;
  NcclTable(out).row(row);
  const std::string text = out.str();
  return text.substr(text.rfind('\n', text.size() - 2) + 1);  // without what stands above
}

/// The row that a run of nccl-tests 2.19.6 printed.
CollectiveRow nccl_row() {
  return {.size_bytes = 536'870'912,
          .count = 134'217'728,
          .type = "float",
          .op = "sum",
          .algorithm = "ring",
          .out_of_place = Measurement{.time = {.p50_us = 2984.6},
                                      .algbw_gigabytes_per_second = 179.88,
                                      .busbw_gigabytes_per_second = 356.01,
                                      .wrong = 0},
          .in_place = Measurement{.time = {.p50_us = 2979.7},
                                  .algbw_gigabytes_per_second = 180.18,
                                  .busbw_gigabytes_per_second = 356.6}};
}

TEST(NcclTable, OfARunIsThis) {
  const Document document = ok_document();
  std::ostringstream out;
  NcclTable table(out);
  table.header(document, kParameters);
  for (const CollectiveRow& row : rows_of(document)) table.row(row);
  table.footer();
  // clang-format off
  EXPECT_EQ(out.str(),
R"(# railgauge version 0.1.0 commit 0123456789ab
# Collective test starting: all_reduce_perf
# nThread 1 nGpus 0 minBytes 1048576 maxBytes 4194304 step: 4(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0 unalign: 0
#
# Using devices
#  Rank  0 Group  0 Pid    400 on      host0 device  0 [rxe0:1] rail 0 local rank 0 NUMA 0 NIC's 0 cpus 0-7 memory 0 netdev eth1 address 10.10.0.1 GID 1 MTU 4096 link 2.5 Gb/s software
#  Rank  0 Group  0 Pid    400 on      host0 device  1 [rxe1:1] rail 1 local rank 0 NUMA 0 NIC's 1 cpus 0-7 memory 0 netdev eth2 address 10.11.0.1 GID 1 MTU 4096 link 2.5 Gb/s software
#  Rank  1 Group  0 Pid    401 on      host0 device  0 [rxe0:1] rail 0 local rank 1 NUMA 1 NIC's 0 cpus 8-15 memory 1 netdev eth1 address 10.10.0.1 GID 1 MTU 4096 link 2.5 Gb/s software
#  Rank  1 Group  0 Pid    401 on      host0 device  1 [rxe1:1] rail 1 local rank 1 NUMA 1 NIC's 1 cpus 8-15 memory 1 netdev eth2 address 10.11.0.1 GID 1 MTU 4096 link 2.5 Gb/s software
#  Rank  2 Group  0 Pid    402 on      host1 device  0 [rxe0:1] rail 0 local rank 0 NUMA 0 NIC's 0 cpus 0-7 memory 0 netdev eth1 address 10.10.0.2 GID 1 MTU 4096 link 2.5 Gb/s software
#  Rank  2 Group  0 Pid    402 on      host1 device  1 [rxe1:1] rail 1 local rank 0 NUMA 0 NIC's 1 cpus 0-7 memory 0 netdev eth2 address 10.11.0.2 GID 1 MTU 4096 link 2.5 Gb/s software
#  Rank  3 Group  0 Pid    403 on      host1 device  0 [rxe0:1] rail 0 local rank 1 NUMA 1 NIC's 0 cpus 8-15 memory 1 netdev eth1 address 10.10.0.2 GID 1 MTU 4096 link 2.5 Gb/s software
#  Rank  3 Group  0 Pid    403 on      host1 device  1 [rxe1:1] rail 1 local rank 1 NUMA 1 NIC's 1 cpus 8-15 memory 1 netdev eth2 address 10.11.0.2 GID 1 MTU 4096 link 2.5 Gb/s software
# Rails by shared subnets: each subnet is on several hosts
# SOFTWARE DEVICE: figures say nothing about hardware
#
# Algorithm: ring
# Rails: 0+1, queue pairs: 1, chunk: 131072, traffic class: 0
#
#                                                              out-of-place                       in-place          
#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong 
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)  (GB/s)         
     1048576        262144     float     sum      -1  4000.00    0.26    0.39       0  3900.50    0.27    0.40       0
     4194304       1048576     float     sum      -1  15000.0    0.28    0.42    N/A      N/A     N/A     N/A    N/A
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 0.405298 
# SOFTWARE DEVICE: figures say nothing about hardware
#
# Collective test concluded: all_reduce_perf
#
)");
  // clang-format on
}

/// How often `words` are in the table of a run whose last rail is of this kind, all others
/// hardware.
int count_in_table(DeviceKind kind, const std::string& words) {
  Document document = ok_document();
  for (Rank& rank : document.ranks) {
    for (RankRail& rail : rank.rails) rail.kind = DeviceKind::hardware;
  }
  document.ranks.back().rails.back().kind = kind;
  std::ostringstream out;
  NcclTable table(out);
  table.header(document, kParameters);
  table.footer();
  const std::string text = out.str();
  int times = 0;
  for (auto at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++times;
  return times;
}

TEST(NcclTable, SaysTwiceThatOneRailIsSoftware) {
  const std::string label = "# SOFTWARE DEVICE: figures say nothing about hardware\n";
  EXPECT_EQ(count_in_table(DeviceKind::software, label), 2);
  EXPECT_EQ(count_in_table(DeviceKind::software, "Gb/s software\n"), 1);
  EXPECT_EQ(
      count_in_table(DeviceKind::software_shortcut, "SOFTWARE DEVICE WITH SAME-HOST SHORTCUT"), 2);
  EXPECT_EQ(count_in_table(DeviceKind::hardware, "oftware"), 0);
  EXPECT_EQ(count_in_table(DeviceKind::hardware, "OFTWARE"), 0);
}

TEST(NcclTable, HasTheRowOfNcclTestsByteForByte) {
  EXPECT_EQ(row_text(nccl_row()),
            "   536870912     134217728     float     sum      -1  2984.60  179.88  356.01       0"
            "  2979.70  180.18  356.60    N/A\n");
}

/// Lines that are no rows, shortened to their first words.
std::string comments_between(const std::vector<CollectiveRow>& rows,
                             const TableParameters& parameters = kParameters) {
  std::ostringstream out;
  NcclTable table(out);
  table.header(ok_document(), parameters);
  out.str("");
  for (const CollectiveRow& row : rows) table.row(row);
  table.footer();
  std::istringstream lines(out.str());
  std::string comments;
  for (std::string line; std::getline(lines, line);) {
    const bool head = line.find("of-place") != line.npos || line.find("(B)") != line.npos;
    if (line.starts_with("# SOFTWARE") || line == "#" || head) continue;
    comments += line.starts_with('#') ? line.substr(0, line.find("  count")) + "\n" : "row\n";
  }
  return comments.substr(0, comments.find("# Collective test concluded"));
}

const std::string kHead = "#       size       ";

TEST(NcclTable, HasABlockForEachAlgorithmWithAnAverageOfItsOwn) {
  CollectiveRow tree = nccl_row();
  tree.algorithm = "tree";
  tree.out_of_place->busbw_gigabytes_per_second = 100;
  tree.in_place->busbw_gigabytes_per_second = 200;
  tree.in_place->wrong = 3;
  const std::string setting = "# Rails: , queue pairs: 1, chunk: 0, traffic class: 0\n";
  EXPECT_EQ(comments_between({nccl_row(), nccl_row(), tree}),
            "# Algorithm: ring\n" + setting + kHead +
                "\nrow\nrow\n# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 356.305 \n"
                "# Algorithm: tree\n" +
                setting + kHead +
                "\nrow\n# Out of bounds values : 1 FAILED\n# Avg bus bandwidth    : 150 \n");
}

TEST(NcclTable, HasABlockForEachSettingTheFirstNamedToo) {
  CollectiveRow more = nccl_row();
  more.point.rails = {0, 1};
  more.point.queue_pairs = 4;
  const std::string text = comments_between({nccl_row(), more, more});
  EXPECT_EQ(text.find("# Algorithm: ring\n# Rails: , queue pairs: 1,"), 0U) << text;
  EXPECT_NE(
      text.find("# Algorithm: ring\n# Rails: 0+1, queue pairs: 4, chunk: 0, traffic class: 0\n" +
                kHead + "\nrow\nrow\n"),
      std::string::npos)
      << text;
}

TEST(NcclTable, SaysOfABlockThatNothingWasReduced) {
  CollectiveRow unreduced = nccl_row();
  unreduced.point.unreduced = true;
  const std::string text = comments_between({nccl_row(), unreduced});
  EXPECT_NE(
      text.find("traffic class: 0\n# UNVERIFIED: moved, not reduced (--reduce none)\n" + kHead),
      std::string::npos)
      << text;
  EXPECT_EQ(text.find("UNVERIFIED"), text.rfind("UNVERIFIED")) << "of one block only";
}

TEST(NcclTable, HasOneBlockOfAlgorithmsThatWereChosen) {
  TableParameters parameters = kParameters;
  parameters.chosen = true;
  CollectiveRow tree = nccl_row();
  tree.algorithm = "tree";
  const std::string text = comments_between({nccl_row(), tree, tree, nccl_row()}, parameters);
  EXPECT_NE(text.find(kHead + "\nrow\n# Algorithm: tree (chosen by size)\nrow\nrow\n"
                              "# Algorithm: ring (chosen by size)\nrow\n# Out"),
            std::string::npos)
      << text;
}

TEST(NcclTable, SaysByWhichFamilyAnAlgorithmWasAskedFor) {
  TableParameters parameters = kParameters;
  parameters.family_of = {{"ring", "halving-doubling"}};
  EXPECT_EQ(comments_between({nccl_row()}, parameters)
                .find("# Algorithm: ring (asked for as halving-doubling)\n"),
            0U);
}

/// So many ranks, eight on a host, all on the two rails of ok_document().
Document many_ranks(int count) {
  Document document = ok_document();
  const Rank one = document.ranks.front();
  document.ranks.clear();
  document.hosts.resize(static_cast<std::size_t>(count) / 8);
  for (int rank = 0; rank < count; ++rank) {
    document.ranks.push_back(one);
    document.ranks.back().rank = rank;
    document.ranks.back().host = "node" + std::to_string(rank / 8);
  }
  return document;
}

TEST(NcclTable, HasALineForEachRailOfAHostBeyond32Ranks) {
  const std::string lines = device_lines(many_ranks(40));
  EXPECT_EQ(std::ranges::count(lines, '\n'), 1 + 5 * 2 + 1) << lines;
  EXPECT_EQ(lines.find("#  40 ranks on 5 hosts: a line for each rail of a host; -J has each rank\n"
                       "#  Ranks 0-7 on node0 device 0 [rxe0:1] rail 0 NIC's 0 netdev eth1 address "
                       "10.10.0.1 GID 1 MTU 4096 link 2.5 Gb/s software\n"),
            0U)
      << lines;
  EXPECT_NE(lines.find("#  Ranks 32-39 on node4 device 1 [rxe1:1]"), std::string::npos) << lines;
  const std::string few = device_lines(many_ranks(32));
  EXPECT_EQ(std::ranges::count(few, '\n'), 32 * 2 + 1) << few;
}

TEST(NcclTable, HasColumnsOfIterationsAndATimestampIfAskedFor) {
  TableParameters parameters = kParameters;
  parameters.per_iteration = parameters.timestamps = true;
  parameters.separation = "a barrier, timed, after each collective";
  std::ostringstream out;
  NcclTable table(out);
  table.header(ok_document(), parameters);
  EXPECT_NE(out.str().find("# Blocking: a barrier, timed, after each collective\n"),
            std::string::npos);
  table.row(rows_of(ok_document())[0]);
  EXPECT_NE(out.str().find("#wrong    i_min    i_max    i_p99    i_cv%     time"),
            std::string::npos);
  CollectiveRow row = rows_of(ok_document())[1];
  row.in_place = row.out_of_place;
  out.str("");
  table.row(row);
  EXPECT_NE(out.str().find("    N/A  14999.0  15030.0  15030.0     0.05  15000.0"),
            std::string::npos)
      << out.str();
  EXPECT_NE(out.str().find("     0.05 2026-03-01T12:00:01Z\n"), std::string::npos) << out.str();
}

TEST(NcclTable, SaysHowSizesGrow) {
  TableParameters parameters = kParameters;
  parameters.step_factor = 1;
  parameters.step_bytes = 1U << 20U;
  std::ostringstream out;
  NcclTable(out).header(ok_document(), parameters);
  EXPECT_NE(out.str().find(" step: 1048576(bytes) "), std::string::npos);
}

/// What parsers of nccl-tests rely on, in logs of every age: 13 fields between blanks, counted from
/// the left or, because redop may be empty, from the right.
TEST(NcclTable, HasRowsOfThirteenFields) {
  for (const CollectiveRow& row :
       {rows_of(ok_document())[0], rows_of(ok_document())[1], nccl_row()}) {
    std::istringstream line(row_text(row));
    std::vector<std::string> fields;
    for (std::string field; line >> field;) fields.push_back(field);
    ASSERT_EQ(fields.size(), 13U);
    EXPECT_EQ(std::stoull(fields[0]), row.size_bytes);
    EXPECT_EQ(std::stoull(fields[1]), row.count);
    EXPECT_EQ(fields[2], row.type);
    EXPECT_EQ(fields[3], row.op);
    EXPECT_EQ(std::stoi(fields[4]), row.point.root);
    const Measurement& measured = row.out_of_place.value();
    EXPECT_NEAR(std::stod(fields[5]), measured.time.p50_us, 0.05);
    EXPECT_NEAR(std::stod(fields[6]), measured.algbw_gigabytes_per_second, 0.005);
    EXPECT_NEAR(std::stod(fields[13 - 6]), measured.busbw_gigabytes_per_second, 0.005);
    EXPECT_EQ(fields[13 - 5], measured.wrong ? std::to_string(*measured.wrong) : "N/A");
  }
}

/// nccl-tests reads its own device lines back with this format, which knows the first GPU only.
TEST(NcclTable, HasDeviceLinesThatNcclTestsCanRead) {
  std::ostringstream out;
  NcclTable(out).header(ok_document(), kParameters);
  const std::string text = out.str();
  const std::string line = text.substr(text.find("#  Rank  3"));
  int rank = 0;
  int group = -1;
  int pid = 0;
  int device = -1;
  std::array<char, 65> host{};
  std::array<char, 65> inside{};
  EXPECT_EQ(std::sscanf(line.c_str(), "#  Rank %d Group %d Pid %d on %64s device %d [%64[^]]]",
                        &rank, &group, &pid, host.data(), &device, inside.data()),
            6);
  EXPECT_EQ(rank, 3);
  EXPECT_EQ(pid, 403);
  EXPECT_STREQ(host.data(), "host1");
  EXPECT_STREQ(inside.data(), "rxe0:1");
}

TEST(NcclTable, CountsWrongPlacementsAndAveragesOverMeasuredOnes) {
  CollectiveRow row = nccl_row();
  row.out_of_place->wrong = 7;
  row.in_place->wrong = 1'000'000;
  std::ostringstream out;
  NcclTable table(out);
  table.row(row);
  EXPECT_NE(out.str().find("356.01       7  2979.70  180.18  356.60   1e+06\n"), std::string::npos);
  table.footer();
  EXPECT_NE(out.str().find("# Out of bounds values : 2 FAILED\n"), std::string::npos);
  EXPECT_NE(out.str().find("# Avg bus bandwidth    : 356.305 \n"), std::string::npos);
}

TEST(NcclTable, WithoutRowsHasAFooterToo) {
  std::ostringstream out;
  NcclTable(out).footer();
  EXPECT_EQ(out.str().substr(0, 30), "# Out of bounds values : 0 OK\n");
  EXPECT_NE(out.str().find(" : 0 \n"), std::string::npos);
}

TEST(NcclTable, SaysThatTheDiskIsFull) {
  std::ofstream full("/dev/full");
  NcclTable table(full);
  table.row(nccl_row());
  EXPECT_THROW(table.footer(), std::runtime_error);
}

}  // namespace
}  // namespace railgauge::results
