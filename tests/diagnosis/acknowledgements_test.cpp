// What one row tells of why a place is slow. Times are those of runs of four ranks on soft devices,
// one size, with a fault planted in what one port sends or receives: the 10th, 50th and 90th
// percentile.

#include "diagnosis/acknowledgements.hpp"

#include <gtest/gtest.h>

#include <set>

#include "diagnosis/simulated_run.hpp"
#include "diagnosis/slow_paths.hpp"

namespace railgauge::diagnosis {
namespace {

constexpr std::size_t kFourRanks = 4;
constexpr std::size_t kFaulty = 2;
const results::Quantiles kPromptAcks{.p10_us = 0, .p50_us = 60, .p90_us = 200};

struct Recorded {
  double data_us = 0;         // of the fastest chunk by the slow port
  double data_median_us = 0;  // of the middle one
  results::Quantiles acks{};  // that pass it
};

PathTime time_of(const Path& path, const Recorded* slow_data, const Recorded* slow_acks,
                 const results::Quantiles& other_acks = kPromptAcks) {
  PathTime time{.path = path,
                .within_host = true,
                .bytes = std::uint64_t{128} * 1024,
                .samples = 41,
                .min_us = slow_data != nullptr ? slow_data->data_us : 60,
                .median_us = slow_data != nullptr ? slow_data->data_median_us : 180,
                .ack_delay_us = 0};
  time.back = slow_acks != nullptr ? slow_acks->acks : other_acks;
  // The fastest acknowledgement: only a delay holds up that one.
  if (slow_acks != nullptr && time.back->p90_us < 2.5 * time.back->p10_us)
    time.ack_delay_us = slow_acks->data_us * 0.9;
  return time;
}

/// One row over these paths, with a port that sends slowly, or receives.
SlowPlace found_over(const std::set<Path>& paths, const Recorded& recorded, Direction direction,
                     const results::Quantiles& other_acks = kPromptAcks) {
  const auto end = direction == Direction::transmit ? &Path::from : &Path::to;
  std::vector<PathTime> row;
  for (const Path& path : paths) {
    const bool data = path.*end == kFaulty;
    const bool acks = Path{path.to, path.from}.*end == kFaulty;
    row.push_back(
        time_of(path, data ? &recorded : nullptr, acks ? &recorded : nullptr, other_acks));
  }
  const SimulatedRun run(SimulatedRun::Shape::ring, kFourRanks, 1, 1);
  const std::vector<std::vector<PathTime>> rows{row};
  const auto found = find_slow_places(rows, Ports(run.ranks()));
  EXPECT_EQ(found.size(), 1U);
  return found.empty() ? SlowPlace{} : found[0];
}

std::set<Path> along_a_ring_of_four() {
  std::set<Path> paths;
  for (std::size_t rank = 0; rank < kFourRanks; ++rank)
    paths.insert({rank, (rank + 1) % kFourRanks});
  return paths;
}

std::set<Path> all_to_all() {
  std::set<Path> paths;
  for (std::size_t from = 0; from < kFourRanks; ++from) {
    for (std::size_t to = 0; to < kFourRanks; ++to) {
      if (from != to) paths.insert({from, to});
    }
  }
  return paths;
}

const std::vector<Recorded> kDelays{{2069, 2138, {.p10_us = 2007, .p50_us = 2050, .p90_us = 2557}},
                                    {2160, 3514, {.p10_us = 2059, .p50_us = 2573, .p90_us = 4094}},
                                    {1142, 1300, {.p10_us = 995, .p50_us = 1011, .p90_us = 2328}}};
const std::vector<Recorded> kJitters{{1565, 1947, {.p10_us = 451, .p50_us = 1504, .p90_us = 2001}},
                                     {1905, 2097, {.p10_us = 644, .p50_us = 1616, .p90_us = 1970}}};
/// Jitter, and a delay at a receiver that waited for a CPU.
const std::vector<Recorded> kEither{{2095, 2633, {.p10_us = 1343, .p50_us = 1908, .p90_us = 3704}},
                                    {2065, 2231, {.p10_us = 950, .p50_us = 2065, .p90_us = 3900}}};
const std::vector<Recorded> kRates{{2681, 2794, {.p10_us = 0, .p50_us = 344, .p90_us = 2702}},
                                   {2707, 7580, {.p10_us = 2129, .p50_us = 4219, .p90_us = 7006}},
                                   {5330, 5748, {.p10_us = 62, .p50_us = 3339, .p90_us = 5905}}};

void are_of_kind(const std::vector<Recorded>& all, Slowness kind, Scope along_a_ring) {
  for (const Recorded& one : all) {
    for (const Direction direction : {Direction::transmit, Direction::receive}) {
      SCOPED_TRACE(one.data_us);
      const SlowPlace among_all = found_over(all_to_all(), one, direction);
      EXPECT_EQ(among_all.kind, kind);
      EXPECT_EQ(among_all.place,
                (Place{.scope = Scope::port, .direction = direction, .port = kFaulty}));
      const SlowPlace in_ring = found_over(along_a_ring_of_four(), one, direction);
      EXPECT_EQ(in_ring.kind, kind);
      EXPECT_EQ(in_ring.place.scope, along_a_ring);
      if (along_a_ring == Scope::port) {
        EXPECT_EQ(in_ring.place.port, kFaulty);
        EXPECT_EQ(in_ring.place.direction, direction);
      }
    }
  }
}

TEST(Acknowledgements, ThatAreAsLateAsDataMakeADelay) {
  are_of_kind(kDelays, Slowness::delay, Scope::port);
}

TEST(Acknowledgements, ThatAreLateByVeryDifferentTimesMakeJitter) {
  are_of_kind(kJitters, Slowness::jitter, Scope::port);
}

TEST(Acknowledgements, ThatMayBeEitherAreNotTold) {
  for (const Recorded& one : kEither)
    EXPECT_EQ(found_over(all_to_all(), one, Direction::transmit).kind, Slowness::unknown);
}

TEST(Acknowledgements, ThatQueueBehindDataMakeARate) {
  are_of_kind(kRates, Slowness::rate, Scope::path);
}

/// Four ranks on two processors, and next to them one to six processes that compute: a delay of
/// 5 ms, and acknowledgements elsewhere.
TEST(Acknowledgements, OfRanksWithoutProcessorsAreNotTold) {
  const std::vector<std::pair<Recorded, results::Quantiles>> runs{
      {{5151, 6000, {.p10_us = 2281, .p50_us = 4874, .p90_us = 5576}}, {.p90_us = 482}},
      {{5247, 9000, {.p10_us = 2473, .p50_us = 5272, .p90_us = 7869}}, {.p90_us = 2226}},
      {{5287, 9000, {.p10_us = 0, .p50_us = 5320, .p90_us = 8885}}, {.p90_us = 3489}},
      {{5258, 9000, {.p10_us = 0, .p50_us = 3030, .p90_us = 10876}}, {.p90_us = 5071}}};
  for (const auto& [recorded, elsewhere] : runs) {
    SCOPED_TRACE(recorded.data_us);
    const SlowPlace found = found_over(all_to_all(), recorded, Direction::transmit, elsewhere);
    EXPECT_EQ(found.kind, Slowness::unknown);
    EXPECT_GT(found.fastest_slower, 10);
  }
}

/// A path of a ring whose both ends are well: nothing passes it that could tell.
TEST(Acknowledgements, ElsewhereTellNothing) {
  Recorded alone = kDelays[0];
  alone.acks = kPromptAcks;
  EXPECT_EQ(found_over(along_a_ring_of_four(), alone, Direction::transmit).kind, Slowness::unknown);
  // But what passes it and is prompt: bytes are what is slow.
  EXPECT_EQ(found_over(all_to_all(), alone, Direction::transmit).kind, Slowness::rate);
}

TEST(Acknowledgements, OfAHealthyRowNameNobody) {
  std::vector<PathTime> row;
  for (const Path& path : all_to_all()) row.push_back(time_of(path, nullptr, nullptr));
  const SimulatedRun run(SimulatedRun::Shape::ring, kFourRanks, 1, 1);
  const std::vector<std::vector<PathTime>> rows{row};
  EXPECT_TRUE(find_slow_places(rows, Ports(run.ranks())).empty());
}

}  // namespace
}  // namespace railgauge::diagnosis
