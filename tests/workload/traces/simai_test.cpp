#include <gtest/gtest.h>

#include "workload/traces/written.hpp"

namespace railgauge::workload::traces {
namespace {

std::string simai(Rank tp, Rank ep, Rank pp, Rank ranks, const std::string& rows,
                  std::size_t count) {
  return "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: " + std::to_string(tp) +
         " ep: " + std::to_string(ep) + " pp: " + std::to_string(pp) +
         " vpp: 8 ga: 1 all_gpus: " + std::to_string(ranks) +
         " checkpoints: 0 checkpoint_initiates: 0 pp_comm 100\n" + std::to_string(count) + "\n" +
         rows;
}

constexpr const char* kRows =
    "embedding\t-1\t1000\tALLREDUCE\t4096\t2000\tNONE\t0\t3000\tREDUCESCATTER\t960\t500\n"
    "moe -1 500 ALLTOALL_EP 4800 1500 ALLTOALL_EP 4800 0 ALLGATHER_DP_EP 960 0\n";

TEST(Simai, GroupsHaveTheBytesOfTheirRows) {
  struct World {
    Rank tp, ep, pp, ranks;
  };
  for (const auto& [tp, ep, pp, ranks] :
       {World{1, 1, 1, 1}, {2, 1, 1, 2}, {1, 3, 1, 3}, {5, 1, 1, 5}, {2, 2, 2, 8}, {2, 2, 1, 16}}) {
    Written written("simai");
    (void)written.add("w.txt", simai(tp, ep, pp, ranks, kRows, 2));
    const Imported found("simai", written.files());
    EXPECT_EQ(found.document.ranks, ranks);
    EXPECT_EQ(found.document.bytes.at("tp"), ranks * 4096U);
    EXPECT_EQ(found.document.bytes.at("dp"), ranks * 960U);
    EXPECT_EQ(found.document.bytes.at("ep"), ranks * 2U * 4800U);
    EXPECT_EQ(found.document.bytes.at("dp_ep"), ranks * 960U);
    const Job larger = job_of(found.workload, ranks * 2);
    check(found.workload, larger);
    EXPECT_EQ(bytes_by_name(larger).at("tp"), ranks * 2U * 4096U);
  }
}

TEST(Simai, ForwardIsFromTheFirstRowAndBackwardFromTheLast) {
  Written written("order");
  (void)written.add("w.txt", simai(2, 2, 1, 4, kRows, 2));
  const Imported found("simai", written.files());
  std::string order;
  for (const Operation& one : found.workload.classes[0].streams[0].operations)
    order += one.kind == Kind::compute ? one.microseconds.text + " " : one.group + " ";
  EXPECT_EQ(order, "1 tp 1 ep 1 ep dp_ep 5 dp 1 ");
}

TEST(Simai, AFileOfManyRanksIsProvedForFewer) {
  Written written("many");
  std::string rows;
  for (int i = 0; i < 50; ++i) rows += kRows;
  (void)written.add("w.txt", simai(2, 2, 2, 8192, rows, 100));
  const Imported found("simai", written.files());
  EXPECT_EQ(found.document.ranks, 8U);
  EXPECT_EQ(std::ranges::count_if(found.workload.assumptions,
                                  [](const std::string& one) {
                                    return one.find("the file is of 8192") != std::string::npos;
                                  }),
            1);
}

TEST(Simai, WhatIsNotKnownIsRefusedWithItsRow) {
  const auto expect = [](const std::string& text, const std::string& words) {
    Written written("refused");
    (void)written.add("w.txt", text);
    expect_words(refusal("simai", written.files()), words);
  };
  const auto of_row = [](const std::string& cells) {
    return simai(2, 1, 1, 4, "x -1 " + cells + "\n", 1);
  };
  expect(simai(2, 1, 1, 4, kRows, 2), "");
  expect(simai(2, 1, 1, 4, kRows, 3), "line 2 says that there are 3 rows, and there are 2");
  expect(simai(2, 1, 1, 5, kRows, 2), "line 1 has 5 GPUs, which tp 2 * ep 1 * pp 1 does not");
  expect(simai(0, 1, 1, 4, kRows, 2), "line 1 has no 'model_parallel_NPU_group: NUMBER'");
  expect("DATA\n0\n", "line 1 does not begin with HYBRID_TRANSFORMER");
  expect(of_row("1 NONE 0"), "w.txt: line 3 (x) has 5 columns: expected 12");
  expect(of_row("1 ALLFETCH 8 1 NONE 0 1 NONE 0 1"), "line 3 (x) has 'ALLFETCH'");
  expect(of_row("1 ALLREDUCE_XP 8 1 NONE 0 1 NONE 0 1"), "line 3 (x) has 'ALLREDUCE_XP'");
  expect(of_row("1.5 NONE 0 1 NONE 0 1 NONE 0 1"), "line 3 (x) has '1.5' where");
  expect(of_row("1 ALLREDUCE -8 1 NONE 0 1 NONE 0 1"), "line 3 (x) has '-8' where");
  expect(of_row("1 ALLREDUCE 0 1 NONE 0 1 NONE 0 1"), "line 3 (x) has a collective of 0 bytes");
}

}  // namespace
}  // namespace railgauge::workload::traces
