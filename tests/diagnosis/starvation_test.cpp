#include "diagnosis/starvation.hpp"

#include <gtest/gtest.h>

namespace railgauge::diagnosis {
namespace {

/// What a rank did of ten seconds, as recorded.
struct Seconds {
  double ran = 0;
  double queued = 0;
  std::uint64_t waits = 0;
};

std::vector<results::RankLoad> loads_of(const std::vector<Seconds>& ranks) {
  constexpr double kMicro = 1e6;
  std::vector<results::RankLoad> loads;
  for (const Seconds& one : ranks)
    loads.push_back({.rank = static_cast<int>(loads.size()),
                     .wall_us = 10 * kMicro,
                     .ran_us = kMicro * one.ran,
                     .queued_us = kMicro * one.queued,
                     .slept_us = kMicro * std::max(0.0, 10 - one.ran - one.queued),
                     .preemptions = one.waits});
  return loads;
}

std::vector<int> starved(const std::vector<Seconds>& ranks) {
  const std::vector<std::vector<results::RankLoad>> rows(3, loads_of(ranks));
  std::vector<int> found;
  for (const LateRank& one : find_starved_ranks(rows)) found.push_back(one.rank);
  return found;
}

std::vector<int> computing(const std::vector<Seconds>& ranks, int root = -1) {
  results::CollectiveRow row;
  row.algorithm = "ring";
  row.point.root = root;
  row.rank_loads = loads_of(ranks);
  std::vector<int> found;
  for (const LateRank& one : find_slow_ranks({row, row, row})) found.push_back(one.rank);
  return found;
}

/// Four ranks on two CPUs: rank 2 at nice 15 beside three busy processes, and seven that only have
/// each other.
TEST(Starvation, IsOneRanksWhoseWaitsAreLongWhereAllWait) {
  EXPECT_EQ(starved({{0.1, 8.0, 4700}, {0.1, 7.8, 4500}, {0.1, 9.9, 330}, {0.1, 7.5, 4200}}),
            std::vector<int>{2});
  EXPECT_TRUE(starved({{2.4, 7.4, 140'000},
                       {2.5, 7.5, 66'000},
                       {2.4, 7.5, 130'000},
                       {2.6, 7.4, 150'000},
                       {2.2, 7.7, 90'000},
                       {2.5, 7.4, 120'000},
                       {2.4, 7.6, 145'000}})
                  .empty());
}

TEST(Starvation, ARankThatRunsWhileTheOthersSleepComputes) {
  const std::vector<Seconds> others_sleep{
      {0.9, 2.1, 100}, {0.9, 2.3, 100}, {9.7, 0.1, 100}, {0.9, 2.5, 100}};
  EXPECT_EQ(computing(others_sleep), std::vector<int>{2});
  EXPECT_TRUE(computing(others_sleep, 2).empty()) << "a root has more to do";
  EXPECT_TRUE(computing({{0.9, 2.1, 100}, {9.7, 0.1, 100}}).empty()) << "which of the two is slow?";
  EXPECT_TRUE(computing({{9.9, 0, 0}, {9.8, 0.1, 0}, {9.7, 0.1, 0}}).empty()) << "all poll";
  EXPECT_TRUE(computing({{3.6, 5, 100}, {6.7, 3, 100}, {3.9, 6, 100}, {3.6, 6, 100}}).empty());
}

}  // namespace
}  // namespace railgauge::diagnosis
