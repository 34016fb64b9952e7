#include <gtest/gtest.h>

#include "workload/traces/written.hpp"

namespace railgauge::workload::traces {
namespace {

constexpr const char* kColumns =
    "comm_type,comm_group,comm_group_size,msg_size,stage,dst,src,additional,_elapsed_time,algbw,"
    "busbw,count\n";

std::string csv(const std::string& ranks, const std::string& rows) {
  return "[" + ranks + "]\n" + kColumns + rows;
}

std::string row(const std::string& type, const std::string& group, int size,
                const std::string& bytes, const std::string& additional = "") {
  return "CommType." + type + ",CommGroup." + group + "," + std::to_string(size) + "," + bytes +
         ",step,None,None," + additional + ",None,None,None,1\n";
}

const std::string kCompute =
    "CommType.computation,None,None,\"((1, 2), (2, 3))\",step,None,None,,125.5,None,None,1\n";

TEST(Aicb, GroupsHaveTheBytesOfTheirLines) {
  Written written("aicb");
  (void)written.add(
      "a.csv",
      csv("rank0 ~ rank15",
          row("all_reduce", "tp_group", 2, "4096") + row("all_reduce", "tp_group", 2, "4096") +
              kCompute + row("all_gather", "dp_group", 8, "1024.0") +
              row("reduce_scatter", "dp_group", 8, "100") +
              row("all_to_all", "ep_group", 4, "800") + row("all_reduce", "ep_dp_group", 2, "64") +
              row("broadcast", "tp_group", 2, "40") + row("barrier", "all", 16, "0") +
              "CommType.epoch_end,None,None,0,,None,None,,None,None,None,1\n"));
  const Imported found("aicb", written.files());
  EXPECT_EQ(found.document.ranks, 16U);
  EXPECT_EQ(found.document.bytes.at("tp_group"), 16U * (2 * 4096 + 40));
  EXPECT_EQ(found.document.bytes.at("dp_group"), 16U * (1024 + 112));  // 100 for 8 ranks: 7 of 2
  EXPECT_EQ(found.document.bytes.at("ep_group"), 16U * 800);
  EXPECT_EQ(found.document.bytes.at("ep_dp_group"), 16U * 64);
  EXPECT_EQ(found.job.groups[1].instances.front(), (std::vector<Rank>{0, 2, 4, 6, 8, 10, 12, 14}));
  ASSERT_EQ(found.workload.classes.size(), 1U);
  EXPECT_EQ(found.workload.classes[0].streams[0].operations[0].times.text, "2");
  EXPECT_EQ(found.workload.classes[0].streams[0].operations[1].microseconds.text, "126");
  EXPECT_EQ(std::ranges::count(found.workload.assumptions,
                               "Sizes are filled up to whole elements of two bytes for each rank."),
            1);
}

TEST(Aicb, StagesSendToEachOther) {
  for (const int stages : {2, 3, 5, 8}) {
    Written written("stages");
    for (int stage = 0; stage < stages; ++stage) {
      const bool is_first = stage == 0;
      const bool is_last = stage == stages - 1;
      std::string rows = row("all_reduce", "tp_group", 2, "8");
      if (!is_first) rows += row("irecv", "pp_group", 1, "600", "recv_prev");
      if (!is_last) {
        rows += row("isend", "pp_group", 1, "600", "send_next");
        rows += row("irecv", "pp_group", 1, "600", "recv_next");
      }
      rows += kCompute;
      if (!is_first) rows += row("isend", "pp_group", 1, "600", "send_prev");
      (void)written.add(
          "stage" + std::to_string(stage) + ".csv",
          csv(" pp_stage" + std::to_string(stage) + ": [rank" + std::to_string(2 * stage) +
                  ", rank" + std::to_string(2 * stage + 1) + "]",
              rows));
    }
    const Imported found("aicb", written.files());
    EXPECT_EQ(found.document.bytes.at("send 600 to next"), 2U * (stages - 1) * 600);
    EXPECT_EQ(found.document.bytes.at("send 600 to previous"), 2U * (stages - 1) * 600);
  }
}

TEST(Aicb, WhatIsNotKnownIsRefusedWithItsLine) {
  const auto expect = [](const std::string& text, const std::string& words) {
    Written written("refused");
    (void)written.add("a.csv", text);
    expect_words(refusal("aicb", written.files()), words);
  };
  const std::string good = row("all_reduce", "tp_group", 2, "8");
  const auto of = [&](const std::string& rows) { return csv("rank0 ~ rank3", good + rows); };
  expect(of(""), "");
  expect(csv("rank0 ~ rank3", ""), "a.csv: line 3 is missing");
  expect(csv("all of them", good), "a.csv: line 1 is '[all of them]'");
  expect(csv("rank0, rank2", good), "a.csv: line 1 is ");
  expect(csv("rank4 ~ rank7", good), "a.csv: begins with rank 4");
  expect("[rank0 ~ rank3]\ncomm_type,msg_size\n", "line 2 has no column comm_group");
  expect(of("CommType.all_reduce,1\n"), "line 4 has 2 cells: expected 12");
  expect(of(row("all_fetch", "tp_group", 2, "8")), "line 4 (CommType.all_fetch) is of a type");
  expect(of(row("all_reduce", "my_group", 2, "8")), "line 4 (CommType.all_reduce) is of group");
  expect(of(row("all_reduce", "tp_group", 4, "8")), "has a tp_group of 4 ranks, and one before it");
  expect(of(row("all_reduce", "dp_group", 3, "8")), "4 ranks are no multiple of that");
  expect(of(row("all_reduce", "tp_group", 2, "many")), "has msg_size 'many'");
  expect(of(row("all_reduce", "tp_group", 2, "-8")), "has msg_size '-8'");
  expect(of(row("isend", "pp_group", 1, "8", "send_next")),
         "line 4 (CommType.isend) is to or from");
  expect(of(row("isend", "pp_group", 1, "8")), "its peer is not known");
}

}  // namespace
}  // namespace railgauge::workload::traces
