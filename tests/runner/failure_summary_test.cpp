#include "runner/failure_summary.hpp"

#include <gtest/gtest.h>

namespace railgauge::runner {
namespace {

using results::Failure;
using Lines = std::vector<std::string>;

/// What a rank says of a queue pair that found no answer.
Failure dead_link(int rank, const std::string& host, const std::string& peer_host, int rail = 1) {
  auto found = finding::found("transport", finding::Cause::unreachable,
                              {.scope = finding::Scope::path,
                               .at = {.host = host, .rail = rail},
                               .peer = finding::Endpoint{.host = peer_host, .rail = rail}});
  return {rank,
          host,
          Failure::Kind::transport,
          "rail " + std::to_string(rail) + " to " + peer_host + "\nwaits for step 1",
          {std::move(found)}};
}

Failure stopped(int rank, const std::string& host) {
  return {
      rank, host, Failure::Kind::stopped,
      "stopped because another rank failed: told to stop\nwaits for step " + std::to_string(rank)};
}

TEST(FailureLines, OfFewRanksAreAll) {
  const Failure first = dead_link(2, "host1", "host0");
  EXPECT_EQ(failure_lines({first, stopped(0, "host0"), stopped(1, "host0")}, 3),
            (Lines{in_words(first), in_words(stopped(0, "host0")), in_words(stopped(1, "host0"))}));
}

TEST(FailureLines, TellWhatRanksOfAHostShareOnce) {
  const Failure full{0, "host0", Failure::Kind::environment, "no memory"};
  Failure other = full;
  other.rank = 1;
  Failure elsewhere = full;
  elsewhere.host = "host1";
  EXPECT_EQ(failure_lines({full, other, elsewhere}, 3),
            (Lines{"rank 0 (host0): no memory", "rank 0 (host1): no memory"}));
}

TEST(FailureLines, OfManyRanksAreOneForEachHostAndRail) {
  std::vector<Failure> failures{dead_link(8, "host1", "host0"), dead_link(9, "host1", "host2"),
                                dead_link(10, "host1", "host2", 2)};
  for (int rank = 16; rank < 64; ++rank) {
    failures.push_back(stopped(rank, "host" + std::to_string(rank / 8)));
  }
  const Lines lines = failure_lines(failures, 64);
  ASSERT_EQ(lines.size(), 2U + 6 + 1);
  EXPECT_TRUE(lines[0].ends_with(" (and 1 more of host1 on this rail)")) << lines[0];
  EXPECT_EQ(lines[1], in_words(failures[2]).substr(0, in_words(failures[2]).find('\n')));
  EXPECT_TRUE(lines[2].ends_with("failed: told to stop (and 7 more of host2)")) << lines[2];
  EXPECT_EQ(lines.back(), "the document (-J) has what each of 51 ranks said");
  EXPECT_EQ(failure_lines(failures, 32).size(), failures.size());
}

}  // namespace
}  // namespace railgauge::runner
