#include "finding/cause.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace railgauge::finding {
namespace {

std::vector<Cause> all_causes() {
  std::vector<Cause> all;
  for (int number = 0; !word(static_cast<Cause>(number)).empty(); ++number)
    all.push_back(static_cast<Cause>(number));
  return all;
}

TEST(Cause, EveryRowIsInItsPlaceAndHasItsOwnWord) {
  std::set<std::string_view> words;
  for (const Cause cause : all_causes()) words.insert(word(cause));
  EXPECT_EQ(words.size(), static_cast<std::size_t>(Cause::other) + 1);
  EXPECT_EQ(word(Cause::packet_loss), "packet-loss");
  EXPECT_EQ(word(Cause::descheduled), "descheduled");
  EXPECT_EQ(word(Cause::wrong_data), "wrong-data");
  EXPECT_EQ(word(Cause::other), "other");
}

TEST(Cause, EveryRowHasAHeadline) {
  for (const Cause cause : all_causes())
    EXPECT_FALSE(facts_of(cause).headline.empty()) << word(cause);
}

TEST(Cause, LossExplainsASlowPathAndNotTheReverse) {
  EXPECT_TRUE(explains(Cause::packet_loss, Cause::bandwidth));
  EXPECT_FALSE(explains(Cause::bandwidth, Cause::packet_loss));
}

TEST(Cause, NoneExplainsItself) {
  for (const Cause cause : all_causes()) {
    EXPECT_FALSE(explains(cause, cause)) << word(cause);
  }
}

TEST(Cause, WhatTrafficShowsIsASymptom) {
  EXPECT_EQ(facts_of(Cause::bandwidth).nature, Nature::symptom);
  EXPECT_EQ(facts_of(Cause::wrong_data).nature, Nature::symptom);
  EXPECT_EQ(facts_of(Cause::mtu).nature, Nature::cause);
  EXPECT_EQ(facts_of(Cause::not_tested).nature, Nature::gap);
}

/// Spraying fabrics reorder by design.
TEST(Cause, ReorderingIsAWarning) {
  EXPECT_EQ(facts_of(Cause::reordering).severity, Severity::warning);
}

TEST(Cause, PauseAndCongestionAloneAreNoFault) {
  EXPECT_EQ(facts_of(Cause::congestion).severity, Severity::info);
  EXPECT_EQ(facts_of(Cause::pause).severity, Severity::info);
  EXPECT_EQ(facts_of(Cause::packet_loss).severity, Severity::error);
}

}  // namespace
}  // namespace railgauge::finding
