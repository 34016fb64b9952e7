#include "verdict/against.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sample_runs.hpp"

namespace railgauge::verdict {
namespace {

/// Medians that are known to a share of themselves.
verdict::Run known_to(double share, verdict::Run run) {
  for (Point& point : run.points) {
    point.median_interval = Interval{*point.time_us * (1 - share), *point.time_us * (1 + share)};
  }
  return run;
}

Findings compare(const verdict::Run& ours, const verdict::Run& theirs, double tolerance = 0.05) {
  return against_baseline(measurement_with(ours), measurement_with(theirs),
                          {.tolerance = tolerance});
}

TEST(AgainstBaseline, TheSamePasses) {
  EXPECT_EQ(verdict_of(compare(known_to(0.01, straight_run(10, 20)),
                               known_to(0.01, straight_run(10, 20)))),
            Verdict::pass);
}

TEST(AgainstBaseline, NoiseDoesNotFail) {
  const verdict::Run slower = straight_run(11, 18);  // 10 % slower
  const verdict::Run before = straight_run(10, 20);
  EXPECT_EQ(verdict_of(compare(known_to(0.03, slower), known_to(0.03, before))),
            Verdict::no_reference)
      << "it may be";
  const Findings doubted = compare(known_to(0.03, slower), known_to(0.03, before));
  EXPECT_NE(only(doubted, Subject::latency).remark.find("finer than 12 %"), std::string::npos)
      << only(doubted, Subject::latency).remark;
  EXPECT_EQ(verdict_of(compare(known_to(0.01, slower), known_to(0.01, before))), Verdict::fail);
  EXPECT_EQ(verdict_of(compare(known_to(0.01, slower), known_to(0.01, before), 0.2)),
            Verdict::pass);
}

TEST(AgainstBaseline, PlateauAndLatencyAreJudgedByThemselves) {
  const verdict::Run before = known_to(0.001, straight_run(10, 20));
  const Findings slow = compare(known_to(0.001, straight_run(10, 15)), before);
  EXPECT_EQ(only(slow, Subject::plateau).verdict, Verdict::fail);
  EXPECT_EQ(only(slow, Subject::latency).verdict, Verdict::pass);
  const Findings late = compare(known_to(0.001, straight_run(15, 20)), before);
  EXPECT_EQ(only(late, Subject::plateau).verdict, Verdict::pass);
  EXPECT_EQ(only(late, Subject::latency).verdict, Verdict::fail);
}

TEST(AgainstBaseline, WithoutIntervalsOnlyTheRatioIsCompared) {
  const Findings findings = compare(straight_run(11, 18), straight_run(10, 20));
  EXPECT_EQ(verdict_of(findings), Verdict::fail);
  EXPECT_NE(only(findings, Subject::size, 8).remark.find("only the ratio"), std::string::npos);
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
  const Findings findings = compare(ours, rings);
  EXPECT_EQ(verdict_of(findings), Verdict::pass) << "by the sizes above";
  EXPECT_EQ(only(findings, Subject::size, 8).verdict, Verdict::no_reference);
  EXPECT_EQ(only(findings, Subject::size, 8).remark, "the baseline ran ring at this size");
  EXPECT_EQ(only(findings, Subject::size, 8).algorithm, "direct");
  EXPECT_EQ(only(findings, Subject::size, 16384).verdict, Verdict::pass);
  EXPECT_EQ(only(findings, Subject::size, 16384).algorithm, "ring");
}

TEST(AgainstBaseline, SizesByTheSameAlgorithmAreOneCurve) {
  const verdict::Run before = known_to(0.01, chosen_by_size(2, straight_run(10, 20)));
  EXPECT_EQ(verdict_of(compare(before, before)), Verdict::pass);
  const Findings slow = compare(known_to(0.01, chosen_by_size(1, straight_run(10, 20))), before);
  EXPECT_EQ(only(slow, Subject::latency).verdict, Verdict::fail);
  EXPECT_EQ(only(slow, Subject::latency).algorithm, "direct");
  EXPECT_EQ(only(slow, Subject::plateau).verdict, Verdict::pass);
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
  const Findings same = compare(mostly_direct(), before);
  EXPECT_EQ(verdict_of(same), Verdict::pass);
  for (const std::uint64_t size : {8U, 8192U, 16384U, 65536U})
    EXPECT_EQ(only(same, Subject::size, size).ratio, 1) << size;
  const Findings slow = compare(with_slow_rings(10, mostly_direct()), before);
  EXPECT_EQ(verdict_of(slow), Verdict::fail);
  EXPECT_EQ(only(slow, Subject::size, 8192).verdict, Verdict::pass);
  EXPECT_EQ(only(slow, Subject::size, 65536).verdict, Verdict::fail)
      << only(slow, Subject::size, 65536).remark;
  EXPECT_EQ(only(slow, Subject::plateau).verdict, Verdict::fail);
}

TEST(AgainstBaseline, APlateauIsOfTheSizesThatBothHaveByTheSameAlgorithm) {
  verdict::Run before = by_both(mostly_direct());
  std::erase_if(before.points, [](const Point& point) {
    return point.algorithm == "ring" || *point.size_bytes > 32768;
  });
  const Findings findings = compare(with_slow_rings(10, mostly_direct()), before);
  EXPECT_EQ(only(findings, Subject::size, 32768).remark, "the baseline ran direct at this size");
  EXPECT_EQ(only(findings, Subject::size, 65536).remark, "the baseline has no such size");
  const Finding plateau = only(findings, Subject::plateau);
  EXPECT_EQ(plateau.size_bytes, 8192U);
  EXPECT_EQ(plateau.algorithm, "direct");
  EXPECT_EQ(plateau.verdict, Verdict::pass);
  EXPECT_EQ(plateau.ratio, 1);
}

verdict::Run without(std::uint64_t size_bytes, verdict::Run run) {
  std::erase_if(run.points, [&](const Point& point) { return point.size_bytes == size_bytes; });
  return run;
}

Finding interpolated_at(std::uint64_t size_bytes, const verdict::Run& before) {
  const Findings findings =
      against_baseline(measurement_with(mostly_direct()),
                       measurement_with(without(size_bytes, before)), {.interpolate = true});
  return only(findings, Subject::size, size_bytes);
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
  EXPECT_EQ(verdict_of(against_baseline(measurement_with(slow), both, {})), Verdict::pass);
  EXPECT_EQ(verdict_of(against_baseline(measurement_with(fast), both, {})), Verdict::pass);
  const Findings none = compare(fast, slow);
  EXPECT_EQ(verdict_of(none), Verdict::no_reference);
  EXPECT_NE(none.at(0).remark.find("queue pairs"), std::string::npos);
  EXPECT_EQ(verdict_of(compare(fast, straight_run(10, 20))), Verdict::pass);  // an imported log
}

TEST(AgainstBaseline, MissingSizesAreSaidToBe) {
  verdict::Run ours = straight_run(10, 20);
  ours.points.erase(ours.points.begin() + 3);
  EXPECT_EQ(only(compare(ours, straight_run(10, 20)), Subject::missing).remark,
            "sizes of the baseline were not measured: 64");
  const Findings more = compare(straight_run(10, 20), ours);
  EXPECT_EQ(only(more, Subject::size, 64).remark, "the baseline has no such size");
  EXPECT_EQ(only(more, Subject::size, 64).verdict, Verdict::no_reference);
}

TEST(AgainstBaseline, OtherHardwareOrAlgorithmsAreNone) {
  verdict::Run other = straight_run(10, 20);
  other.nics_per_node = 1;
  EXPECT_EQ(verdict_of(compare(straight_run(10, 20), other)), Verdict::no_reference);
  other = straight_run(10, 20);
  for (Point& point : other.points) point.algorithm = "tree";
  EXPECT_EQ(verdict_of(compare(straight_run(10, 20), other)), Verdict::no_reference);
}

/// Slow from 2K to 512K.
verdict::Run slow_in_the_middle() {
  verdict::Run run = straight_run(10, 20);
  for (Point& point : run.points) {
    if (*point.size_bytes > 1024 && *point.size_bytes < 1U << 20U) *point.time_us *= 2;
  }
  return run;
}

Findings counting(const CountedSizes& counted, const verdict::Run& ours) {
  return against_baseline(measurement_with(ours), measurement_with(straight_run(10, 20)),
                          {.counted = counted});
}

TEST(AgainstBaseline, SizesThatDoNotCountAreNotes) {
  const CountedSizes outside{{0, 1024}, {1U << 20U, UINT64_MAX}};
  const Findings findings = counting(outside, slow_in_the_middle());
  EXPECT_EQ(verdict_of(findings), Verdict::pass);
  EXPECT_EQ(only(findings, Subject::size, 65536).verdict, Verdict::note);
  EXPECT_EQ(only(findings, Subject::size, 1024).verdict, Verdict::pass);
  EXPECT_EQ(verdict_of(counting({}, slow_in_the_middle())), Verdict::fail);
}

TEST(AgainstBaseline, PlateauAndLatencyAreOfTheSizesThatCount) {
  verdict::Run late = straight_run(10, 20);
  for (Point& point : late.points) {
    if (*point.size_bytes > 256 && *point.size_bytes <= 4096) *point.time_us *= 2;
  }
  const auto latency = [&](const SizeRange& range) {
    return only(counting({.latency = range}, late), Subject::latency).verdict;
  };
  EXPECT_EQ(latency({0, 256}), Verdict::pass);
  EXPECT_EQ(latency({512, 4096}), Verdict::fail);
}

TEST(AgainstBaseline, WhereNoSizeCountsThereIsNoAnswer) {
  const CountedSizes none{{1, 2}, {1ULL << 40U, UINT64_MAX}};
  EXPECT_EQ(verdict_of(counting(none, straight_run(10, 20))), Verdict::no_reference);
}

/// Iterations whose 90th percentile exceeds the median by that share.
verdict::Run spread_by(double share, verdict::Run run) {
  for (Point& point : run.points) point.p90_us = *point.time_us * (1 + share);
  return run;
}

TEST(AgainstBaseline, ANoisyRunIsNeitherFailedNorPassedForWhatMayBeChance) {
  const verdict::Run before = spread_by(0.01, known_to(0.01, straight_run(10, 20)));
  const verdict::Run slower = known_to(0.01, straight_run(15, 13));
  const Findings calm = compare(spread_by(0.01, slower), before);
  EXPECT_EQ(verdict_of(calm), Verdict::fail);
  const Findings noisy = compare(spread_by(0.5, slower), before);
  EXPECT_EQ(verdict_of(noisy), Verdict::no_reference);
  EXPECT_NE(only(noisy, Subject::plateau).remark.find("too noisy to judge finer than"),
            std::string::npos);
}

verdict::Run waiting(double share, verdict::Run run) {
  for (Point& point : run.points) point.waited_share = share;
  return run;
}

TEST(AgainstBaseline, WaitingForProcessorsIsNoFabricsFault) {
  const verdict::Run before = known_to(0.01, straight_run(10, 20));
  const verdict::Run slower = known_to(0.01, straight_run(22, 9));
  EXPECT_EQ(verdict_of(compare(waiting(0.5, slower), waiting(0.5, before))), Verdict::fail);
  const Findings starved = compare(waiting(0.8, slower), waiting(0.5, before));
  EXPECT_EQ(verdict_of(starved), Verdict::no_reference);
  EXPECT_NE(only(starved, Subject::latency).remark.find("waited for processors for 80 %"),
            std::string::npos);
  EXPECT_EQ(verdict_of(compare(waiting(0.95, known_to(0.01, straight_run(300, 0.7))),
                               waiting(0.5, before))),
            Verdict::no_reference);
  const verdict::Run much_slower = known_to(0.01, straight_run(300, 0.7));
  EXPECT_EQ(verdict_of(compare(waiting(0.8, much_slower), waiting(0.5, before))), Verdict::fail);
}

TEST(AgainstBaseline, ABaselineThatIsNoisyItselfAllowsMore) {
  const verdict::Run before = spread_by(0.5, known_to(0.01, straight_run(10, 20)));
  EXPECT_EQ(verdict_of(compare(spread_by(0.5, known_to(0.01, straight_run(15, 13))), before)),
            Verdict::pass);
}

TEST(AgainstBaseline, WhatIsSeveralTimesAsSlowDoesNotPassHoweverNoisy) {
  const verdict::Run before = spread_by(20, known_to(0.01, straight_run(10, 20)));
  const verdict::Run slower = known_to(0.01, straight_run(1000, 0.2));
  EXPECT_EQ(verdict_of(compare(spread_by(20, slower), before)), Verdict::no_reference);
}

TEST(AgainstBaseline, WhatIsManyTimesAsSlowDoesNotPassHoweverUncertainTheMedian) {
  verdict::Run before = known_to(0.01, straight_run(10, 20));
  for (Point& point : before.points) point.median_interval->high_us *= 30;
  const Findings slow = compare(known_to(0.01, straight_run(500, 0.4)), before, 0.5);
  EXPECT_EQ(only(slow, Subject::size, 8).verdict, Verdict::no_reference)
      << "50 times: its median may be 30 times as much, and the tolerance is twice";
  EXPECT_NE(verdict_of(slow), Verdict::pass);
  EXPECT_EQ(
      only(compare(known_to(0.01, straight_run(19, 11)), before, 0.5), Subject::size, 8).verdict,
      Verdict::pass);
}

TEST(AgainstBaseline, WhatIsManyTimesAsSlowFailsHoweverNoisy) {
  const verdict::Run before = spread_by(0.5, known_to(0.01, straight_run(10, 20)));
  EXPECT_EQ(verdict_of(compare(spread_by(0.5, known_to(0.01, straight_run(60, 3))), before)),
            Verdict::fail);
}

TEST(AgainstBaseline, OneSizeThatIsSlowAloneIsADoubtWhereThereIsNoise) {
  const verdict::Run before = spread_by(0.05, known_to(0.001, straight_run(10, 20)));
  verdict::Run ours = before;
  Point& odd = ours.points[3];
  odd.time_us = *odd.time_us * 1.25;
  odd.median_interval = Interval{*odd.time_us * 0.999, *odd.time_us * 1.001};
  EXPECT_NE(only(compare(ours, before), Subject::size, *odd.size_bytes).verdict, Verdict::fail);
  odd.time_us = *odd.time_us * 2;
  odd.median_interval = Interval{*odd.time_us * 0.999, *odd.time_us * 1.001};
  EXPECT_EQ(only(compare(ours, before), Subject::size, *odd.size_bytes).verdict, Verdict::fail);
}

}  // namespace
}  // namespace railgauge::verdict
