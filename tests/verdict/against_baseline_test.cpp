#include "verdict/against.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sample_runs.hpp"
#include "verdict/comparison.hpp"

namespace railgauge::verdict {
namespace {

/// Medians that are known to a share of themselves.
verdict::Run known_to(double share, verdict::Run run) {
  for (Point& point : run.points) {
    point.median_interval =
        measure::MedianInterval{*point.time_us * (1 - share), *point.time_us * (1 + share)};
  }
  return run;
}

Rows compare(const verdict::Run& ours, const verdict::Run& theirs, double tolerance = 0.05) {
  return against_baseline(measurement_with(ours), measurement_with(theirs),
                          {.tolerance = tolerance});
}

TEST(AgainstBaseline, TheSamePasses) {
  EXPECT_EQ(outcome_of(compare(known_to(0.01, straight_run(10, 20)),
                               known_to(0.01, straight_run(10, 20)))),
            Outcome::pass);
}

TEST(AgainstBaseline, NoiseDoesNotFail) {
  const verdict::Run slower = straight_run(11, 18);  // 10 % slower
  const verdict::Run before = straight_run(10, 20);
  EXPECT_EQ(outcome_of(compare(known_to(0.03, slower), known_to(0.03, before))),
            Outcome::inconclusive)
      << "it may be";
  const Rows doubted = compare(known_to(0.03, slower), known_to(0.03, before));
  EXPECT_NE(only(doubted, Subject::latency).excuse.find("finer than 12 %"), std::string::npos)
      << only(doubted, Subject::latency).remark;
  EXPECT_EQ(outcome_of(compare(known_to(0.01, slower), known_to(0.01, before))), Outcome::fail);
  EXPECT_EQ(outcome_of(compare(known_to(0.01, slower), known_to(0.01, before), 0.2)),
            Outcome::pass);
}

TEST(AgainstBaseline, PlateauAndLatencyAreJudgedByThemselves) {
  const verdict::Run before = known_to(0.001, straight_run(10, 20));
  const Rows slow = compare(known_to(0.001, straight_run(10, 15)), before);
  EXPECT_EQ(only(slow, Subject::plateau).answer, Answer::failed);
  EXPECT_EQ(only(slow, Subject::latency).answer, Answer::passed);
  const Rows late = compare(known_to(0.001, straight_run(15, 20)), before);
  EXPECT_EQ(only(late, Subject::plateau).answer, Answer::passed);
  EXPECT_EQ(only(late, Subject::latency).answer, Answer::failed);
}

TEST(AgainstBaseline, WithoutIntervalsOnlyTheRatioIsCompared) {
  const Rows rows = compare(straight_run(11, 18), straight_run(10, 20));
  EXPECT_EQ(outcome_of(rows), Outcome::fail);
  EXPECT_NE(only(rows, Subject::size, 8).remark.find("only the ratio"), std::string::npos);
}

/// Small sizes by another algorithm, so many times as fast.
verdict::Run chosen_by_size(double times, verdict::Run run) {
  for (Point& point : run.points) {
    if (*point.size_bytes > 8192) continue;
    point.algorithm = "direct";
    *point.time_us /= times;
  }
  return run;
}

TEST(AgainstBaseline, SizesByAnotherAlgorithmHaveNoAnswer) {
  const verdict::Run rings = known_to(0.01, straight_run(10, 20));
  const verdict::Run ours = known_to(0.01, chosen_by_size(0.1, straight_run(10, 20)));
  const Rows rows = compare(ours, rings);
  EXPECT_EQ(outcome_of(rows), Outcome::pass) << "by the sizes above";
  EXPECT_EQ(only(rows, Subject::size, 8).answer, Answer::open);
  EXPECT_EQ(only(rows, Subject::size, 8).remark, "the baseline ran ring at this size");
  EXPECT_EQ(only(rows, Subject::size, 8).algorithm, "direct");
  EXPECT_EQ(only(rows, Subject::size, 16384).answer, Answer::passed);
  EXPECT_EQ(only(rows, Subject::size, 16384).algorithm, "ring");
}

TEST(AgainstBaseline, SizesByTheSameAlgorithmAreOneCurve) {
  const verdict::Run before = known_to(0.01, chosen_by_size(2, straight_run(10, 20)));
  EXPECT_EQ(outcome_of(compare(before, before)), Outcome::pass);
  const Rows slow = compare(known_to(0.01, chosen_by_size(1, straight_run(10, 20))), before);
  EXPECT_EQ(only(slow, Subject::latency).answer, Answer::failed);
  EXPECT_EQ(only(slow, Subject::latency).algorithm, "direct");
  EXPECT_EQ(only(slow, Subject::plateau).answer, Answer::passed);
}

/// 8 bytes to 64K, of which only the last three are rings.
verdict::Run mostly_direct() {
  verdict::Run run = chosen_by_size(2, straight_run(10, 20));
  run.points.resize(14);
  return known_to(0.01, run);
}

/// As of --algo direct,ring: every size by both, which makes two curves.
verdict::Run by_both(const verdict::Run& chosen) {
  verdict::Run both = chosen;
  both.points.clear();
  for (const std::string algorithm : {"direct", "ring"}) {
    for (Point point : chosen.points) {
      if (point.algorithm != algorithm) *point.time_us *= algorithm == "ring" ? 3 : 5;
      point.algorithm = algorithm;
      both.points.push_back(point);
    }
  }
  return both;
}

verdict::Run with_slow_rings(double times, verdict::Run run) {
  for (Point& point : run.points) {
    if (point.algorithm != "ring") continue;
    *point.time_us *= times;
    *point.busbw_gigabytes_per_second /= times;
  }
  return known_to(0.01, run);
}

TEST(AgainstBaseline, EverySizeIsComparedWithTheCurveOfItsAlgorithm) {
  const verdict::Run before = by_both(mostly_direct());
  const Rows same = compare(mostly_direct(), before);
  EXPECT_EQ(outcome_of(same), Outcome::pass);
  for (const std::uint64_t size : {8U, 8192U, 16384U, 65536U})
    EXPECT_EQ(only(same, Subject::size, size).ratio, 1) << size;
  const Rows slow = compare(with_slow_rings(10, mostly_direct()), before);
  EXPECT_EQ(outcome_of(slow), Outcome::fail);
  EXPECT_EQ(only(slow, Subject::size, 8192).answer, Answer::passed);
  EXPECT_EQ(only(slow, Subject::size, 65536).answer, Answer::failed)
      << only(slow, Subject::size, 65536).remark;
  EXPECT_EQ(only(slow, Subject::plateau).answer, Answer::failed);
}

TEST(AgainstBaseline, APlateauIsOfTheSizesThatBothHaveByTheSameAlgorithm) {
  verdict::Run before = by_both(mostly_direct());
  std::erase_if(before.points, [](const Point& point) {
    return point.algorithm == "ring" || *point.size_bytes > 32768;
  });
  const Rows rows = compare(with_slow_rings(10, mostly_direct()), before);
  EXPECT_EQ(only(rows, Subject::size, 32768).remark, "the baseline ran direct at this size");
  EXPECT_EQ(only(rows, Subject::size, 65536).remark, "the baseline has no such size");
  const Row plateau = only(rows, Subject::plateau);
  EXPECT_EQ(plateau.size_bytes, 8192U);
  EXPECT_EQ(plateau.algorithm, "direct");
  EXPECT_EQ(plateau.answer, Answer::passed);
  EXPECT_EQ(plateau.ratio, 1);
}

verdict::Run without(std::uint64_t size_bytes, verdict::Run run) {
  std::erase_if(run.points, [&](const Point& point) { return point.size_bytes == size_bytes; });
  return run;
}

Row interpolated_at(std::uint64_t size_bytes, const verdict::Run& before) {
  const Rows rows =
      against_baseline(measurement_with(mostly_direct()),
                       measurement_with(without(size_bytes, before)), {.interpolate = true});
  return only(rows, Subject::size, size_bytes);
}

TEST(AgainstBaseline, IsInterpolatedBetweenSizesOfTheSameAlgorithmOnly) {
  const verdict::Run before = mostly_direct();
  EXPECT_EQ(interpolated_at(4096, before).remark, "interpolated") << "direct, direct";
  EXPECT_EQ(interpolated_at(32768, before).remark, "interpolated") << "ring, ring";
  EXPECT_EQ(interpolated_at(8192, before).remark, "the baseline has no such size");
  EXPECT_EQ(interpolated_at(16384, before).remark, "the baseline has no such size");
  verdict::Run rings = before;
  for (Point& point : rings.points) point.algorithm = "ring";
  EXPECT_EQ(interpolated_at(4096, rings).remark, "the baseline has no such size");
}

double time_of(const verdict::Run& run, const char* algorithm, std::uint64_t size_bytes) {
  for (const Point& point : run.points) {
    if (point.algorithm == algorithm && point.size_bytes == size_bytes) return *point.time_us;
  }
  return 0;
}

TEST(AgainstBaseline, OfSeveralAlgorithmsIsInterpolatedInTheCurveOfOurs) {
  const verdict::Run before = by_both(mostly_direct());
  const auto between = [&](const char* algorithm, std::uint64_t size_bytes) {
    return std::sqrt(time_of(before, algorithm, size_bytes / 2) *
                     time_of(before, algorithm, size_bytes * 2));
  };
  EXPECT_NEAR(interpolated_at(8192, before).theirs.value_or(0), between("direct", 8192), 1e-6);
  EXPECT_NEAR(interpolated_at(16384, before).theirs.value_or(0), between("ring", 16384), 1e-6);
}

verdict::Run with_queue_pairs(unsigned queue_pairs, verdict::Run run) {
  run.point = results::SweepPoint{.rails = {0, 1}, .queue_pairs = queue_pairs};
  return run;
}

TEST(AgainstBaseline, ComparesLikeWithLike) {
  const verdict::Run slow = with_queue_pairs(1, straight_run(10, 10));
  const verdict::Run fast = with_queue_pairs(2, straight_run(10, 20));
  RunSet both = measurement_with(slow);
  both.runs.push_back(fast);
  EXPECT_EQ(outcome_of(against_baseline(measurement_with(slow), both, {})), Outcome::pass);
  EXPECT_EQ(outcome_of(against_baseline(measurement_with(fast), both, {})), Outcome::pass);
  const Rows none = compare(fast, slow);
  EXPECT_EQ(outcome_of(none), Outcome::inconclusive);
  EXPECT_NE(none.at(0).remark.find("queue pairs"), std::string::npos);
  EXPECT_EQ(outcome_of(compare(fast, straight_run(10, 20))), Outcome::pass);  // an imported log
}

TEST(AgainstBaseline, MissingSizesAreSaidToBe) {
  verdict::Run ours = straight_run(10, 20);
  ours.points.erase(ours.points.begin() + 3);
  EXPECT_EQ(only(compare(ours, straight_run(10, 20)), Subject::missing).remark,
            "sizes of the baseline were not measured: 64");
  const Rows more = compare(straight_run(10, 20), ours);
  EXPECT_EQ(only(more, Subject::size, 64).remark, "the baseline has no such size");
  EXPECT_EQ(only(more, Subject::size, 64).answer, Answer::open);
}

TEST(AgainstBaseline, OtherHardwareOrAlgorithmsAreNone) {
  verdict::Run other = straight_run(10, 20);
  other.nics_per_node = 1;
  EXPECT_EQ(outcome_of(compare(straight_run(10, 20), other)), Outcome::inconclusive);
  other = straight_run(10, 20);
  for (Point& point : other.points) point.algorithm = "tree";
  EXPECT_EQ(outcome_of(compare(straight_run(10, 20), other)), Outcome::inconclusive);
}

/// Slow from 2K to 512K.
verdict::Run slow_in_the_middle() {
  verdict::Run run = straight_run(10, 20);
  for (Point& point : run.points) {
    if (*point.size_bytes > 1024 && *point.size_bytes < 1U << 20U) *point.time_us *= 2;
  }
  return run;
}

Rows counting(const CountedSizes& counted, const verdict::Run& ours) {
  return against_baseline(measurement_with(ours), measurement_with(straight_run(10, 20)),
                          {.counted = counted});
}

TEST(AgainstBaseline, SizesThatDoNotCountAreNotes) {
  const CountedSizes outside{{0, 1024}, {1U << 20U, UINT64_MAX}};
  const Rows rows = counting(outside, slow_in_the_middle());
  EXPECT_EQ(outcome_of(rows), Outcome::pass);
  EXPECT_EQ(only(rows, Subject::size, 65536).answer, Answer::note);
  EXPECT_EQ(only(rows, Subject::size, 1024).answer, Answer::passed);
  EXPECT_EQ(outcome_of(counting({}, slow_in_the_middle())), Outcome::fail);
}

TEST(AgainstBaseline, PlateauAndLatencyAreOfTheSizesThatCount) {
  verdict::Run late = straight_run(10, 20);
  for (Point& point : late.points) {
    if (*point.size_bytes > 256 && *point.size_bytes <= 4096) *point.time_us *= 2;
  }
  const auto latency = [&](const SizeRange& range) {
    return only(counting({.latency = range}, late), Subject::latency).answer;
  };
  EXPECT_EQ(latency({0, 256}), Answer::passed);
  EXPECT_EQ(latency({512, 4096}), Answer::failed);
}

TEST(AgainstBaseline, WhereNoSizeCountsThereIsNoAnswer) {
  const CountedSizes none{{1, 2}, {1ULL << 40U, UINT64_MAX}};
  EXPECT_EQ(outcome_of(counting(none, straight_run(10, 20))), Outcome::inconclusive);
}

/// Iterations whose 90th percentile exceeds the median by that share.
verdict::Run spread_by(double share, verdict::Run run) {
  for (Point& point : run.points) point.p90_us = *point.time_us * (1 + share);
  return run;
}

TEST(AgainstBaseline, ANoisyRunIsNeitherFailedNorPassedForWhatMayBeChance) {
  const verdict::Run before = spread_by(0.01, known_to(0.01, straight_run(10, 20)));
  const verdict::Run slower = known_to(0.01, straight_run(15, 13));
  const Rows calm = compare(spread_by(0.01, slower), before);
  EXPECT_EQ(outcome_of(calm), Outcome::fail);
  const Rows noisy = compare(spread_by(0.5, slower), before);
  EXPECT_EQ(outcome_of(noisy), Outcome::inconclusive);
  EXPECT_NE(only(noisy, Subject::plateau).excuse.find("too noisy to judge finer than"),
            std::string::npos);
}

verdict::Run waiting(double share, verdict::Run run) {
  for (Point& point : run.points) point.granted_share = 1 - share;
  return run;
}

TEST(AgainstBaseline, WaitingForProcessorsIsNoFabricsFault) {
  const verdict::Run before = known_to(0.01, straight_run(10, 20));
  const verdict::Run slower = known_to(0.01, straight_run(22, 9));
  EXPECT_EQ(outcome_of(compare(waiting(0.5, slower), waiting(0.5, before))), Outcome::fail);
  const Rows starved = compare(waiting(0.8, slower), waiting(0.5, before));
  EXPECT_EQ(outcome_of(starved), Outcome::inconclusive);
  EXPECT_NE(only(starved, Subject::latency).excuse.find("waited for processors for 80 %"),
            std::string::npos);
  EXPECT_EQ(outcome_of(compare(waiting(0.95, known_to(0.01, straight_run(300, 0.7))),
                               waiting(0.5, before))),
            Outcome::inconclusive);
  const verdict::Run much_slower = known_to(0.01, straight_run(300, 0.7));
  EXPECT_EQ(outcome_of(compare(waiting(0.8, much_slower), waiting(0.5, before))), Outcome::fail);
}

verdict::Run times(double factor, verdict::Run run, std::size_t each = 1) {
  for (std::size_t i = 0; i < run.points.size(); i += each) {
    *run.points[i].time_us *= factor;
    *run.points[i].busbw_gigabytes_per_second /= factor;
  }
  return run;
}

TEST(AgainstBaseline, ABaselineThatIsNoisyItselfAllowsMore) {
  const verdict::Run before = spread_by(0.5, known_to(0.01, straight_run(10, 20)));
  EXPECT_EQ(outcome_of(compare(times(1.3, before, 2), before)), Outcome::pass);
}

/// Noise makes some sizes slower and some faster.
TEST(AgainstBaseline, WhatIsSlowerAtNearlyAllSizesDoesNotPassAsNoise) {
  const verdict::Run before = spread_by(0.5, known_to(0.01, straight_run(10, 20)));
  const Rows slow = compare(times(1.15, before), before, 0.05);
  EXPECT_EQ(outcome_of(slow), Outcome::inconclusive);
  EXPECT_NE(only(slow, Subject::plateau).excuse.find("slower at nearly all sizes"),
            std::string::npos);
  EXPECT_EQ(outcome_of(compare(times(1.03, before), before, 0.05)), Outcome::pass);
  EXPECT_EQ(outcome_of(compare(before, times(1.15, before), 0.05)), Outcome::pass) << "faster";
}

TEST(AgainstBaseline, WhatIsSeveralTimesAsSlowDoesNotPassHoweverNoisy) {
  const verdict::Run before = spread_by(20, known_to(0.01, straight_run(10, 20)));
  const verdict::Run slower = known_to(0.01, straight_run(1000, 0.2));
  EXPECT_EQ(outcome_of(compare(spread_by(20, slower), before)), Outcome::inconclusive);
}

TEST(AgainstBaseline, WhatIsManyTimesAsSlowDoesNotPassHoweverUncertainTheMedian) {
  verdict::Run before = known_to(0.01, straight_run(10, 20));
  for (Point& point : before.points) point.median_interval->high_us *= 30;
  const Rows slow = compare(known_to(0.01, straight_run(500, 0.4)), before, 0.5);
  EXPECT_EQ(only(slow, Subject::size, 8).answer, Answer::open)
      << "50 times: its median may be 30 times as much, and the tolerance is twice";
  EXPECT_NE(outcome_of(slow), Outcome::pass);
  EXPECT_EQ(
      only(compare(known_to(0.01, straight_run(19, 11)), before, 0.5), Subject::size, 8).answer,
      Answer::passed);
}

TEST(AgainstBaseline, WhatIsManyTimesAsSlowFailsHoweverNoisy) {
  const verdict::Run before = spread_by(0.5, known_to(0.01, straight_run(10, 20)));
  EXPECT_EQ(outcome_of(compare(spread_by(0.5, known_to(0.01, straight_run(60, 3))), before)),
            Outcome::fail);
}

TEST(AgainstBaseline, OneSizeThatIsSlowAloneIsADoubtWhereThereIsNoise) {
  const verdict::Run before = spread_by(0.05, known_to(0.001, straight_run(10, 20)));
  verdict::Run ours = before;
  Point& odd = ours.points[3];
  odd.time_us = *odd.time_us * 1.25;
  odd.median_interval = measure::MedianInterval{*odd.time_us * 0.999, *odd.time_us * 1.001};
  EXPECT_NE(only(compare(ours, before), Subject::size, *odd.size_bytes).answer, Answer::failed);
  odd.time_us = *odd.time_us * 2;
  odd.median_interval = measure::MedianInterval{*odd.time_us * 0.999, *odd.time_us * 1.001};
  EXPECT_EQ(only(compare(ours, before), Subject::size, *odd.size_bytes).answer, Answer::failed);
}

/// A row of a run on soft devices that shared their processors.
struct Recorded {
  std::uint64_t size_bytes;
  double median_us;
  double p90_us;
  measure::MedianInterval interval;
  double granted_share;
};

verdict::Run recorded(const std::vector<Recorded>& rows) {
  verdict::Run run = straight_run(10, 20);
  const Point like = run.points.front();
  run.points.clear();
  for (const Recorded& row : rows) {
    Point point = like;
    point.size_bytes = row.size_bytes;
    point.time_us = row.median_us;
    point.p90_us = row.p90_us;
    point.median_interval = row.interval;
    point.granted_share = row.granted_share;
    point.algbw_gigabytes_per_second = static_cast<double>(row.size_bytes) / row.median_us / 1e3;
    point.busbw_gigabytes_per_second = *point.algbw_gigabytes_per_second;
    run.points.push_back(point);
  }
  return run;
}

/// Iterations with a heavy tail, whose medians are known to a tenth.
verdict::Run of_heavy_tails() {
  return recorded({{1024, 40, 124, {39, 45}, 0.326},
                   {4096, 49, 69, {49, 60}, 0.296},
                   {16384, 76, 116, {73, 106}, 0.267},
                   {65536, 285, 439, {227, 312}, 0.256},
                   {262144, 769, 955, {744, 906}, 0.238},
                   {1048576, 3265, 7266, {3174, 3478}, 0.263}});
}

/// The same at 1.6 Gb/s.
verdict::Run of_heavy_tails_at_a_low_rate() {
  return recorded({{1024, 170, 652, {157, 232}, 0.283},
                   {4096, 210, 381, {204, 237}, 0.332},
                   {16384, 615, 1100, {550, 681}, 0.165},
                   {65536, 1009, 1096, {986, 1067}, 0.259},
                   {262144, 3617, 5546, {3412, 4002}, 0.289},
                   {1048576, 7873, 12009, {7545, 9322}, 0.370}});
}

TEST(AgainstBaseline, TailsOfIterationsAreNoDoubtOfMediansThatAreKnown) {
  const Rows slow = compare(of_heavy_tails_at_a_low_rate(), of_heavy_tails());
  EXPECT_EQ(outcome_of(slow), Outcome::fail);
  EXPECT_EQ(only(slow, Subject::plateau).answer, Answer::failed);
  EXPECT_EQ(only(slow, Subject::size, 262144).answer, Answer::failed);
}

/// Without waits nothing says how far reruns differ.
TEST(AgainstBaseline, TailsAreADoubtWhereWaitsAreNotKnown) {
  verdict::Run ours = of_heavy_tails_at_a_low_rate();
  for (Point& point : ours.points) point.granted_share.reset();
  EXPECT_EQ(outcome_of(compare(ours, of_heavy_tails())), Outcome::inconclusive);
  ours = of_heavy_tails_at_a_low_rate();
  for (Point& point : ours.points) point.median_interval.reset();
  EXPECT_EQ(outcome_of(compare(ours, of_heavy_tails())), Outcome::inconclusive) << "of few";
}

verdict::Run slower(double factor, verdict::Run run) {
  for (Point& point : run.points) {
    *point.time_us *= factor;
    *point.p90_us *= factor;
    *point.busbw_gigabytes_per_second /= factor;
    point.median_interval->low_us *= factor;
    point.median_interval->high_us *= factor;
  }
  return run;
}

TEST(AgainstBaseline, WhatRerunsShowNeverFails) {
  const verdict::Run before = of_heavy_tails();
  EXPECT_EQ(outcome_of(compare(before, before)), Outcome::pass);
  EXPECT_EQ(outcome_of(compare(slower(2, before), before)), Outcome::inconclusive);
  EXPECT_EQ(outcome_of(compare(slower(4, before), before)), Outcome::fail);
}

/// Iterations in two groups: the median is anywhere between them.
TEST(AgainstBaseline, AMedianThatIsNotKnownIsADoubt) {
  verdict::Run before = of_heavy_tails();
  for (Point& point : before.points) point.median_interval->high_us *= 3;
  const Rows open = compare(slower(4, before), before);
  EXPECT_EQ(outcome_of(open), Outcome::inconclusive);
  EXPECT_NE(only(open, Subject::size, 262144).excuse.find("too noisy"), std::string::npos);
  EXPECT_EQ(outcome_of(compare(slower(20, before), before)), Outcome::fail);
}

/// Two identical launches of an all-gather.
TEST(AgainstBaseline, OneSizeAloneOfRanksThatWaitedDoesNotFail) {
  const verdict::Run before = recorded({{65536, 265, 343, {255, 296}, 0.245},
                                        {262144, 681, 953, {632, 738}, 0.233},
                                        {1048576, 1481, 1669, {1427, 1591}, 0.233},
                                        {4194304, 2781, 7741, {2691, 3002}, 0.331}});
  verdict::Run ours = recorded({{65536, 294, 330, {277, 312}, 0.260},
                                {262144, 675, 849, {640, 781}, 0.239},
                                {1048576, 1464, 2527, {1395, 1518}, 0.237},
                                {4194304, 18645, 37290, {9748, 24216}, 0.227}});
  const Rows rows = compare(ours, before);
  EXPECT_EQ(outcome_of(rows), Outcome::inconclusive);
  EXPECT_NE(only(rows, Subject::size, 4194304).excuse.find("no size next to it is"),
            std::string::npos);
  ours.points.back().median_interval = measure::MedianInterval{50000, 60000};
  ours.points.back().time_us = 55000;
  EXPECT_EQ(outcome_of(compare(ours, before)), Outcome::fail);
}

/// All of large messages is one size, and all of small ones: calm iterations do not make it more.
TEST(AgainstBaseline, PlateauAndLatencyOfOneSizeAloneOfRanksThatWaitedDoNotFail) {
  const std::vector<Recorded> before = {{4096, 43, 44, {42, 45}, 0.3},
                                        {65536, 300, 305, {290, 310}, 0.3},
                                        {1048576, 1481, 1500, {1450, 1500}, 0.3},
                                        {4194304, 2781, 2800, {2750, 2800}, 0.3}};
  std::vector<Recorded> ours = before;
  ours.front() = {4096, 150, 152, {140, 160}, 0.3};
  ours.back() = {4194304, 9500, 9600, {9400, 9700}, 0.3};
  const Rows rows = compare(recorded(ours), recorded(before));
  EXPECT_EQ(only(rows, Subject::plateau).answer, Answer::open);
  EXPECT_EQ(only(rows, Subject::latency).answer, Answer::open);
  EXPECT_EQ(outcome_of(rows), Outcome::inconclusive);
}

/// Two launches of the same, of which one ran beside two others: its ranks slept, too.
TEST(AgainstBaseline, StarvedRanksSayNothingOnEitherSide) {
  const verdict::Run starved = recorded({{65536, 6218, 7774, {5333, 6922}, 0.027},
                                         {262144, 8266, 30638, {6775, 21398}, 0.023},
                                         {1048576, 11321, 14008, {10371, 12403}, 0.063},
                                         {4194304, 34669, 114950, {31949, 72483}, 0.057}});
  const verdict::Run before = recorded({{65536, 234, 314, {196, 264}, 0.502},
                                        {262144, 376, 508, {373, 441}, 0.475},
                                        {1048576, 941, 1198, {892, 1025}, 0.459},
                                        {4194304, 3445, 3944, {3387, 3772}, 0.474}});
  const Rows rows = compare(starved, before);
  EXPECT_EQ(outcome_of(rows), Outcome::inconclusive);
  EXPECT_NE(only(rows, Subject::size, 262144).excuse.find("waited for processors for 98 %"),
            std::string::npos);
  EXPECT_EQ(outcome_of(compare(slower(20, starved), starved)), Outcome::inconclusive);
  EXPECT_EQ(outcome_of(compare(slower(500, before), starved)), Outcome::inconclusive);
}

/// perftest and osu_bw print no times.
TEST(AgainstBaseline, ComparesBandwidthsWithoutTimes) {
  const auto without_times = [](verdict::Run run, double share) {
    for (Point& point : run.points) {
      point.time_us.reset();
      point.busbw_gigabytes_per_second = share * *point.busbw_gigabytes_per_second;
    }
    return run;
  };
  const verdict::Run before = straight_run(10, 20);
  const auto against = [&](double share) {
    return outcome_of(against_baseline(measurement_with(without_times(before, share)),
                                       measurement_with(without_times(before, 1)), {}));
  };
  EXPECT_EQ(against(1), Outcome::pass);
  EXPECT_EQ(against(0.97), Outcome::pass);
  EXPECT_EQ(against(1.5), Outcome::pass);
  EXPECT_EQ(against(0.5), Outcome::fail);
  EXPECT_EQ(against(0.1), Outcome::fail);
}

TEST(AgainstBaseline, LeavesSoftwareAgainstHardwareOpen) {
  RunSet ours = measurement_with(straight_run(10, 20));
  const RunSet theirs = measurement_with(straight_run(10, 20));
  const auto outcome = [&] { return outcome_of(compared(ours, {.baselines = {theirs}})); };
  EXPECT_EQ(outcome(), Outcome::pass);
  ours.software = true;
  EXPECT_EQ(outcome(), Outcome::inconclusive);
}

}  // namespace
}  // namespace railgauge::verdict
