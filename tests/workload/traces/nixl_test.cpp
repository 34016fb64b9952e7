#include <gtest/gtest.h>

#include "workload/traces/written.hpp"

namespace railgauge::workload::traces {
namespace {

/// Every rank sends (from + 1) * 1000 + to to every other.
std::string matrix_of(Rank ranks, std::uint64_t& sum) {
  std::string text;
  for (Rank from = 0; from < ranks; ++from) {
    for (Rank to = 0; to < ranks; ++to) {
      const std::uint64_t bytes = from == to ? 0 : (from + 1) * 1000 + to;
      sum += bytes;
      text += std::to_string(bytes) + " ";
    }
    text += "\n";
  }
  return text;
}

TEST(Nixl, AMatrixIsAnAllToAllV) {
  for (const Rank ranks : {2U, 3U, 5U, 8U}) {
    Written written("nixl");
    std::uint64_t sum = 0;
    (void)written.add("matrix_0.txt", matrix_of(ranks, sum));
    (void)written.add("matrix_1.txt", matrix_of(ranks, sum));
    const Imported found("nixl", written.files());
    EXPECT_EQ(found.document.ranks, ranks);
    EXPECT_EQ(found.document.bytes.at("all"), sum);
    EXPECT_EQ(found.workload.classes[0].streams[0].operations.size(), 4U);
    EXPECT_EQ(found.job.operations.size(), 2U);  // the same barrier and matrix, twice
  }
}

TEST(Nixl, PatternsHaveTheirRanksAndSleeps) {
  Written written("patterns");
  (void)written.add("a.txt", "0 1K 0\n0 0 0\n0 0 0\n");
  (void)written.add("b.txt", "0 0 0\n0 0 1.5M\n2 0 0\n");
  Written yaml("yaml");
  const std::string folder = std::filesystem::path(written.files()[0]).parent_path();
  (void)yaml.add("metadata.yaml", "# made by hand\ntraffic_patterns:\n- matrix_file: " + folder +
                                      "/a.txt\n  mem_type: cuda\n  metadata:\n    isl: 16000\n"
                                      "  sleep_before_launch_sec: 0.25\n  xfer_op: WRITE\n"
                                      "- matrix_file: '" +
                                      folder + "/b.txt'\n  shards: 1\n");
  const Imported found("nixl", yaml.files());
  EXPECT_EQ(found.document.bytes.at("ranks 1"), 1024U);
  EXPECT_EQ(found.document.bytes.at("all"), 1572864U + 2);
  EXPECT_EQ(found.job.groups.size(), 2U);
  EXPECT_EQ(found.workload.classes[1].streams[0].operations[1].microseconds.text, "250000");
  EXPECT_EQ(found.workload.classes[2].streams[0].operations.size(), 2U);
  EXPECT_EQ(std::ranges::count(found.workload.assumptions, "K, M and G are powers of 1,024."), 1);
}

TEST(Nixl, WhatIsNotKnownIsRefusedWithItsLine) {
  const auto expect = [](const std::string& name, const std::string& text,
                         const std::string& words) {
    Written written("refused");
    (void)written.add(name, text);
    expect_words(refusal("nixl", written.files()), words);
  };
  expect("m.txt", "0 1\n1 0\n", "");
  expect("m.txt", "0 1\n1 0 3\n", "m.txt: line 2 has 3 numbers: expected 2");
  expect("m.txt", "0 1\n1 x\n", "m.txt: line 2 has 'x', which is no number of bytes");
  expect("m.txt", "0 -1\n1 0\n", "line 1 has '-1'");
  expect("m.txt", "0 1.3\n1 0\n", "line 1 has '1.3'");
  expect("m.txt", "0 1T\n1 0\n", "line 1 has '1T'");
  expect("m.txt", "", "begins a matrix of 0 ranks");
  expect("m.txt", "0 0\n0 0\n", "begins a matrix without traffic");
  expect("m.yaml", "patterns:\n", "line 1 begins no list 'traffic_patterns'");
  expect("m.yaml", "traffic_patterns:\n- mem_type: cpu\n", "m.yaml line 2: has no matrix_file");
  expect("m.yaml", "traffic_patterns:\n- storage:\n    read: [1]\n", "line 2 has 'storage'");
  expect("m.yaml", "traffic_patterns:\n- sleep_before_launch_sec: long\n", "'long' seconds");
  expect("m.yaml", "traffic_patterns:\nmatrix\n", "m.yaml: line 2 is 'matrix'");
  Written written("two");
  (void)written.add("a.txt", "0 1\n1 0\n");
  (void)written.add("b.txt", "0 1 1\n1 0 1\n1 1 0\n");
  expect_words(refusal("nixl", written.files()),
               "b.txt: line 1 begins a matrix of 3 ranks: expected 2");
}

}  // namespace
}  // namespace railgauge::workload::traces
