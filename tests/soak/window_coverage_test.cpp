#include "soak/window_coverage.hpp"

#include <gtest/gtest.h>

#include "soak/places.hpp"
#include "soak/simulated_soak.hpp"

namespace railgauge::soak {
namespace {

using finding::Cause;
using finding::Outcome;

class WindowCoverageTest : public ::testing::Test {
 protected:
  void take(int windows) {
    for (int at = 0; at < windows; ++at) coverage_.take(soak_.window());
  }
  void take_without_counters(int windows) {
    for (int at = 0; at < windows; ++at) {
      Window window = soak_.window();
      window.ports[3].counters_read = false;
      coverage_.take(window);
    }
  }
  finding::Finding finding(Cause cause) {
    const Window window = soak_.window();
    coverage_.take(window);
    return found_in(window, cause, Places(soak_.header()).port(window.ports[3]));
  }
  [[nodiscard]] finding::Report report() const { return {.coverage = coverage_.coverage()}; }
  [[nodiscard]] Outcome outcome() const { return finding::outcome(report()); }

  SimulatedSoak soak_{quiet_hardware(), 1};
  WindowCoverage coverage_{soak_.header()};
};

TEST_F(WindowCoverageTest, AHealthySoakPasses) {
  take(100);
  EXPECT_EQ(outcome(), Outcome::pass);
  const Figures found = coverage_.figures();
  EXPECT_TRUE(found.deciding_windows.empty());
  EXPECT_EQ(found.windows, 100U);
  ASSERT_TRUE(found.bit_error_rate_bound);
  EXPECT_DOUBLE_EQ(*found.bit_error_rate_bound * static_cast<double>(found.bits), 3);
  EXPECT_GT(found.bits, 0U);
}

TEST_F(WindowCoverageTest, NothingIsNoPass) {
  EXPECT_EQ(outcome(), Outcome::inconclusive);
  EXPECT_EQ(reasons(report()),
            std::vector<std::string>{"windows: tested 0 of 1: no window is complete"});
  Window window = soak_.window();
  for (PhaseSample& phase : window.phases) phase.verified = 0;
  coverage_.take(window);
  EXPECT_EQ(outcome(), Outcome::inconclusive);
  EXPECT_EQ(reasons(report()),
            std::vector<std::string>{"verification: tested 0 of 4: phases that ran without a "
                                     "verified iteration"});
}

TEST_F(WindowCoverageTest, APhaseThatWasNeverVerifiedIsNoPass) {
  Window window = soak_.window();
  window.phases[2].verified = 0;
  coverage_.take(window);
  EXPECT_EQ(outcome(), Outcome::inconclusive);
  take(1);
  EXPECT_EQ(outcome(), Outcome::pass);
}

TEST_F(WindowCoverageTest, APhaseOfThePlanThatNeverRanIsNoPass) {
  Window window = soak_.window();
  window.phases[1].iterations = 0;
  window.phases[3].iterations = 0;
  coverage_.take(window);
  EXPECT_EQ(reasons(report()),
            std::vector<std::string>{
                "verification: tested 2 of 4: 2 phases of the plan had no iteration"});
  take(1);
  EXPECT_EQ(outcome(), Outcome::pass);
}

TEST_F(WindowCoverageTest, ACompleteSoakHasTheWindowsOfItsDuration) {
  Header header = soak_.header();
  header.duration_s = 12 * header.window_s;
  WindowCoverage coverage(header);
  const auto outcome_after = [&](int windows) {
    for (int at = 0; at < windows; ++at) coverage.take(soak_.window());
    coverage.take(End{.complete = true});
    return finding::outcome({.coverage = coverage.coverage()});
  };
  EXPECT_EQ(outcome_after(3), Outcome::inconclusive);
  EXPECT_EQ(coverage.coverage()[0].skipped, std::vector<std::string>{"the record lacks 9 windows"});
  coverage.take(soak_.window());
  EXPECT_EQ(finding::outcome({.coverage = coverage.coverage()}), Outcome::pass) << "it goes on";
  EXPECT_EQ(outcome_after(8), Outcome::pass);
}

TEST_F(WindowCoverageTest, AnErrorDecidesByItsWindow) {
  take(50);
  coverage_.take(finding(Cause::packet_loss));
  take(50);
  EXPECT_EQ(coverage_.figures().deciding_windows, std::vector<std::uint64_t>{51});
  EXPECT_FALSE(coverage_.figures().bit_error_rate_bound);
}

TEST_F(WindowCoverageTest, AWarningDoesNot) {
  take(10);
  coverage_.take(finding(Cause::slow_processor));
  coverage_.take(finding(Cause::latency));
  coverage_.take(finding(Cause::bandwidth));
  EXPECT_TRUE(coverage_.figures().deciding_windows.empty());
  EXPECT_TRUE(coverage_.figures().bit_error_rate_bound);
}

TEST_F(WindowCoverageTest, MoreThanAPercentWithoutCountersIsInconclusive) {
  take(99);
  take_without_counters(1);
  EXPECT_EQ(outcome(), Outcome::pass);
  EXPECT_TRUE(coverage_.figures().deciding_windows.empty());
  take_without_counters(1);
  EXPECT_EQ(outcome(), Outcome::inconclusive);
  EXPECT_EQ(coverage_.figures().deciding_windows, (std::vector<std::uint64_t>{100, 101}));
  EXPECT_EQ(coverage_.figures().windows_without_counters, 2U);
  EXPECT_EQ(reasons(report()).front(),
            "windows: tested 99 of 101: counters could not be read in 2 windows");
}

TEST_F(WindowCoverageTest, SoAreGaps) {
  take(100);
  coverage_.take(Gap{.lost_windows = 1});
  EXPECT_EQ(outcome(), Outcome::pass);
  coverage_.take(Gap{.lost_windows = 1});
  EXPECT_EQ(outcome(), Outcome::inconclusive);
  EXPECT_EQ(reasons(report()).front(), "windows: tested 100 of 102: gaps lost 2 windows");
}

TEST_F(WindowCoverageTest, SoIsARecordThatCouldNotTakeAWindow) {
  take(200);
  EXPECT_EQ(outcome(), Outcome::pass);
  coverage_.miss_record();
  EXPECT_EQ(outcome(), Outcome::inconclusive);
  EXPECT_EQ(reasons(report()).front(),
            "record: tested 199 of 200: the record could not be written after 199 windows");
}

TEST_F(WindowCoverageTest, SoIsTimeThatIsLacking) {
  for (const double length : {10.0, 200.0}) {
    Window window = soak_.window();
    window.length_s = length;
    coverage_.take(window);
  }
  EXPECT_EQ(outcome(), Outcome::inconclusive);
  EXPECT_EQ(coverage_.figures().windows_without_counters, 0U);
}

TEST_F(WindowCoverageTest, BitsOfAWindowWithoutCountersProveNothing) {
  take(1);
  const std::uint64_t bits = coverage_.figures().bits;
  take_without_counters(1);
  EXPECT_EQ(coverage_.figures().bits, bits);
}

}  // namespace
}  // namespace railgauge::soak
