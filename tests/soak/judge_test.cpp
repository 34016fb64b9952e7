#include "soak/judge.hpp"

#include <gtest/gtest.h>

#include "soak/places.hpp"
#include "soak/simulated_soak.hpp"

namespace railgauge::soak {
namespace {

class JudgeTest : public ::testing::Test {
 protected:
  void take(int windows) {
    for (int at = 0; at < windows; ++at) judge_.take(soak_.window());
  }
  void take_without_counters(int windows) {
    for (int at = 0; at < windows; ++at) {
      Window window = soak_.window();
      window.ports[3].counters_read = false;
      judge_.take(window);
    }
  }
  Event event(EventKind kind) {
    Window window = soak_.window();
    judge_.take(window);
    Event one = event_at(kind, window, window.ports[3]);
    one.text = "it happened";
    return one;
  }

  SimulatedSoak soak_{quiet_hardware(), 1};
  Judge judge_{soak_.header()};
};

TEST_F(JudgeTest, AHealthySoakPasses) {
  take(100);
  const Judgement found = judge_.judgement();
  EXPECT_EQ(found.verdict, Verdict::pass);
  EXPECT_TRUE(found.deciding_windows.empty());
  EXPECT_TRUE(found.drain_reason.empty());
  EXPECT_EQ(found.windows, 100U);
  ASSERT_TRUE(found.bit_error_rate_bound);
  EXPECT_DOUBLE_EQ(*found.bit_error_rate_bound * static_cast<double>(found.bits), 3);
  EXPECT_GT(found.bits, 0U);
}

TEST_F(JudgeTest, NothingIsNoPass) {
  EXPECT_EQ(judge_.judgement().verdict, Verdict::inconclusive);
  Window window = soak_.window();
  for (PhaseSample& phase : window.phases) phase.verified = 0;
  judge_.take(window);
  EXPECT_EQ(judge_.judgement().verdict, Verdict::inconclusive);
  EXPECT_EQ(judge_.judgement().reasons, std::vector<std::string>{"nothing was verified"});
}

TEST_F(JudgeTest, OneLostPacketFails) {
  take(50);
  const Event loss = event(EventKind::loss);
  judge_.take(loss);
  take(50);
  const Judgement found = judge_.judgement();
  EXPECT_EQ(found.verdict, Verdict::fail);
  EXPECT_EQ(found.deciding_windows, std::vector<std::uint64_t>{51});
  EXPECT_EQ(found.reasons.front(), "loss once, in window 51 (2026-01-31T12:51:00Z): it happened");
  EXPECT_EQ(found.drain_reason, "railgauge soak: loss on host1 mlx5_1 rail 1 12:51:00Z");
  EXPECT_FALSE(found.bit_error_rate_bound);
}

TEST_F(JudgeTest, ADrainReasonHasRoomForAScheduler) {
  for (const EventKind kind : Terms{}.fail) {
    Event one = event(kind);
    one.host = "a-host-with-a-rather-long-name-as-clouds-give-them.example";
    judge_.take(one);
  }
  const std::string reason = judge_.judgement().drain_reason;
  EXPECT_LE(reason.size(), 80U);
  EXPECT_TRUE(reason.ends_with("...")) << reason;
}

TEST_F(JudgeTest, AStragglerIsSaidAndDecidesNothing) {
  take(10);
  judge_.take(event(EventKind::straggler));
  const Judgement found = judge_.judgement();
  EXPECT_EQ(found.verdict, Verdict::pass);
  EXPECT_EQ(found.reasons.back(), "events that decide nothing: straggler once");
}

TEST_F(JudgeTest, WhatFailsCanBeChosen) {
  Judge strict(soak_.header(), {.fail = {EventKind::straggler}});
  strict.take(soak_.window());
  strict.take(event(EventKind::loss));
  EXPECT_EQ(strict.judgement().verdict, Verdict::pass);
  strict.take(event(EventKind::straggler));
  EXPECT_EQ(strict.judgement().verdict, Verdict::fail);
}

TEST_F(JudgeTest, MoreThanAPercentWithoutCountersIsInconclusive) {
  take(99);
  take_without_counters(1);
  EXPECT_EQ(judge_.judgement().verdict, Verdict::pass);
  take_without_counters(1);
  const Judgement found = judge_.judgement();
  EXPECT_EQ(found.verdict, Verdict::inconclusive);
  EXPECT_EQ(found.deciding_windows, (std::vector<std::uint64_t>{100, 101}));
  EXPECT_EQ(found.windows_without_counters, 2U);
}

TEST_F(JudgeTest, SoAreGaps) {
  take(100);
  judge_.take(Gap{.lost_windows = 1});
  EXPECT_EQ(judge_.judgement().verdict, Verdict::pass);
  judge_.take(Gap{.lost_windows = 1});
  EXPECT_EQ(judge_.judgement().verdict, Verdict::inconclusive);
}

TEST_F(JudgeTest, SoIsTimeThatIsLacking) {
  for (const double length : {10.0, 200.0}) {
    Window window = soak_.window();
    window.length_s = length;
    judge_.take(window);
  }
  const Judgement found = judge_.judgement();
  EXPECT_EQ(found.verdict, Verdict::inconclusive);
  EXPECT_EQ(found.windows_without_counters, 0U);
}

TEST_F(JudgeTest, AFailureIsOneWhateverIsNotKnown) {
  take_without_counters(50);
  judge_.take(event(EventKind::flap));
  EXPECT_EQ(judge_.judgement().verdict, Verdict::fail);
}

TEST_F(JudgeTest, BitsOfAWindowWithoutCountersProveNothing) {
  take(1);
  const std::uint64_t bits = judge_.judgement().bits;
  take_without_counters(1);
  EXPECT_EQ(judge_.judgement().bits, bits);
}

}  // namespace
}  // namespace railgauge::soak
