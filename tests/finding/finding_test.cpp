#include "finding/finding.hpp"

#include <gtest/gtest.h>

#include "finding/places.hpp"

namespace railgauge::finding {
namespace {

Finding slow_port() {
  Finding finding = found("pairs", Cause::bandwidth, port_of("host3", 1, Direction::transmit));
  finding.evidence = {{.metric = "bandwidth",
                       .unit = "GB/s",
                       .observed = 4.1,
                       .expected = 12.3,
                       .expected_from = "median of 14 fast pairs",
                       .against = 5,
                       .of = 6}};
  return finding;
}

TEST(Finding, HasTheSeverityAndTheRemedyOfItsCause) {
  EXPECT_EQ(slow_port().severity, Severity::error);
  EXPECT_EQ(remedy_of(slow_port()), "check cable, transceiver and switch port");
  Finding own = slow_port();
  own.remedy = "replace the cable";
  EXPECT_EQ(remedy_of(own), "replace the cable");
}

TEST(Finding, SentenceIsPlaceThenObservedAgainstExpectedThenRemedy) {
  EXPECT_EQ(sentence(slow_port()),
            "host3 mlx5_1 (rail 1) TX: low bandwidth: bandwidth 4.1 GB/s, expected 12.3 GB/s "
            "(median of 14 fast pairs), in 5 of 6; check cable, transceiver and switch port");
}

TEST(Finding, ADoubtIsSaidAsADoubt) {
  Finding doubt = slow_port();
  doubt.certainty = Certainty::possible;
  doubt.excuses = {"the endpoint was descheduled 40 % of the time"};
  EXPECT_EQ(headline(doubt), "host3 mlx5_1 (rail 1) TX: low bandwidth (possible)");
  EXPECT_NE(sentence(doubt).find("; but the endpoint was descheduled 40 % of the time; check"),
            std::string::npos);
}

TEST(Finding, WhatIsCountedIsNamed) {
  const Evidence tests{.metric = "failed", .against = 6, .of = 7, .counted = "tests"};
  EXPECT_EQ(in_words(tests), "failed in 6 of 7 tests");
  const Evidence rows{.metric = "bandwidth",
                      .unit = "GB/s",
                      .observed = 4.1,
                      .against = 5,
                      .of = 6,
                      .counted = "rows"};
  EXPECT_EQ(in_words(rows), "bandwidth 4.1 GB/s, in 5 of 6 rows");
}

TEST(Finding, CountersAreShownWithWhatTheyCount) {
  EXPECT_EQ(in_words(Evidence{.metric = "lost packets", .observed = 3, .counters = {{"a", 3}}}),
            "lost packets 3 (a 3)");
  EXPECT_EQ(in_words(Evidence{.counters = {{"a", 3}, {"b", 4}}}), "a 3, b 4");
}

TEST(Finding, OfASoakHasItsWindows) {
  Finding finding = slow_port();
  finding.evidence.clear();
  finding.when = TimeWindow{.window = 5};
  EXPECT_EQ(sentence(finding),
            "host3 mlx5_1 (rail 1) TX: low bandwidth in window 5; check cable, transceiver and "
            "switch port");
  finding.when->count = 3;
  EXPECT_NE(sentence(finding).find("low bandwidth in 3 windows from 5 on;"), std::string::npos);
  finding.when->window.reset();
  EXPECT_EQ(sentence(finding).find("window"), std::string::npos);
}

TEST(Finding, AlternativesAreNamed) {
  Finding either = slow_port();
  either.alternatives = {port_of("host4", 1)};
  EXPECT_EQ(headline(either), "host3 mlx5_1 (rail 1) TX or host4 mlx5_1 (rail 1): low bandwidth");
}

TEST(Finding, IdDoesNotDependOnRanksOrFigures) {
  Finding other = slow_port();
  other.where.at.ranks = {7};
  other.evidence.clear();
  EXPECT_EQ(id_of(slow_port()), "pairs.bandwidth:host3 mlx5_1 (rail 1) TX");
  EXPECT_EQ(id_of(other), id_of(slow_port()));
}

}  // namespace
}  // namespace railgauge::finding
