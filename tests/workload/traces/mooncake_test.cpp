#include <gtest/gtest.h>

#include "workload/traces/written.hpp"

namespace railgauge::workload::traces {
namespace {

std::string request(std::uint64_t milliseconds, std::uint64_t tokens) {
  return R"({"timestamp": )" + std::to_string(milliseconds) + R"(, "input_length": )" +
         std::to_string(tokens) + R"(, "output_length": 52, "hash_ids": [46, 47]})" + "\n";
}

constexpr std::uint64_t kBlock = 327'680 * 512;

TEST(Mooncake, RequestsHaveTheirBlocksOnAnyNumberOfRanks) {
  Written written("mooncake");
  (void)written.add("r.jsonl", request(27'000, 6758) + request(27'482, 512) + request(27'482, 513) +
                                   "\n" + request(30'535, 1));
  const Imported found("mooncake", written.files());
  EXPECT_EQ(found.document.bytes.at("block"), (14 + 1 + 2 + 1) * kBlock);
  for (const Rank ranks : {2U, 3U, 5U, 8U}) {
    const Job job = job_of(found.workload, ranks, {{"layers", 1}});
    check(found.workload, job);
    EXPECT_EQ(bytes_by_name(job).at("block"), 18 * kBlock / 80);
  }
  const auto& entries = found.job.streams[0][0].entries;
  ASSERT_EQ(entries.size(), 18U);
  EXPECT_EQ(entries[0].arrival_us, 0U);
  EXPECT_EQ(entries[14].arrival_us, 482'000U);
  EXPECT_EQ(entries[17].arrival_us, 3'535'000U);
  const Job faster = job_of(found.workload, 2, {{"speed", 10}});
  EXPECT_EQ(faster.streams[1][0].entries[17].arrival_us, 353'500U);
}

TEST(Mooncake, RequestsAreInTheOrderOfTheirTimes) {
  Written written("order");
  (void)written.add("a.jsonl", request(500, 512) + request(100, 1024));
  (void)written.add("b.jsonl", request(300, 512));
  const Imported found("mooncake", written.files());
  std::vector<std::uint64_t> arrivals;
  for (const Entry& entry : found.job.streams[0][0].entries) arrivals.push_back(entry.arrival_us);
  EXPECT_EQ(arrivals, (std::vector<std::uint64_t>{0, 0, 200'000, 400'000}));
}

TEST(Mooncake, WhatIsNotKnownIsRefusedWithItsLine) {
  const auto expect = [](const std::string& line, const std::string& words) {
    Written written("refused");
    (void)written.add("r.jsonl", line.empty() ? "" : request(1, 1) + line + "\n");
    expect_words(refusal("mooncake", written.files()), words);
  };
  expect(request(2, 2), "");
  expect("", "r.jsonl: has no requests");
  expect(R"({"timestamp": 1, "input)", "r.jsonl: line 2 is no JSON object");
  expect("[1, 2]", "r.jsonl: line 2 is no JSON object");
  expect(R"({"input_length": 8})", "r.jsonl: line 2 has no 'timestamp'");
  expect(R"({"timestamp": -1, "input_length": 8})", "r.jsonl: line 2 has no 'timestamp'");
  expect(R"({"timestamp": 1})", "r.jsonl: line 2 has no 'input_length'");
  expect(R"({"timestamp": 1, "input_length": "8"})", "r.jsonl: line 2 has no 'input_length'");
  expect(R"({"timestamp": 1, "input_length": 8.5})", "r.jsonl: line 2 has an 'input_length'");
}

}  // namespace
}  // namespace railgauge::workload::traces
