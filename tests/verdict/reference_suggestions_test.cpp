#include "verdict/reference_suggestions.hpp"

#include <gtest/gtest.h>

#include "tree.hpp"
#include "verdict/library.hpp"

namespace railgauge::verdict {
namespace {

std::vector<Reference> published() {
  const Library library(in_tree("results-schema"));
  std::vector<Reference> all;
  for (const std::string& name : library.references()) all.push_back(library.reference(name));
  return all;
}

TEST(Likeness, PutsTheSameNicsFirst) {
  const auto first = [](const Nics& nics, const std::string& collective) {
    return suggested(published(), nics, collective).at(0).name;
  };
  EXPECT_EQ(first({.per_node = 2, .gigabits_per_second = 100}, "all_reduce"),
            "deepops-dgx1-v100-2x100g-roce");
  EXPECT_EQ(first({.per_node = 16, .gigabits_per_second = 100}, ""), "oci-b4-a100-16x100g-roce");
  EXPECT_EQ(first({.per_node = 8, .gigabits_per_second = 200}, "alltoall"),
            "sophia-dgxa100-8x200g-ib");
}

TEST(Likeness, SpeedCountsMoreThanNumber) {
  const auto all =
      suggested(published(), {.per_node = 1, .gigabits_per_second = 400}, "all_reduce");
  EXPECT_NE(all[0].name.find("8x400g"), std::string::npos) << all[0].name;
  EXPECT_GT(all[0].distance, 0);
}

TEST(Likeness, IsOfTargetsOnly) {
  for (const Suggestion& one : suggested(published(), {}, "")) {
    EXPECT_NE(one.name, "aws-p4de-a100-4x100g-efa");  // all above its NICs
    EXPECT_NE(one.name, "ccimoc-h100-1x400g-roce");   // untuned
    EXPECT_FALSE(one.plateaus.empty());
  }
  EXPECT_TRUE(suggested(published(), {}, "scatter").empty());
}

/// At the same speed and number, the same transport comes first.
TEST(Likeness, CountsTheTransport) {
  const auto first = [](const std::string& transport) {
    const Nics nics{.per_node = 8, .gigabits_per_second = 400, .transport = transport};
    return suggested(published(), nics, "all_reduce").at(0).name;
  };
  EXPECT_NE(first("RoCEv2").find("roce"), std::string::npos) << first("RoCEv2");
  EXPECT_EQ(first("InfiniBand"), "nccl-tests-309-h100-8x400g-ib");
}

TEST(Likeness, SaysWhatTheCollectiveReached) {
  const Nics nics{.per_node = 2, .gigabits_per_second = 100};
  const Suggestion first = suggested(published(), nics, "all_reduce").at(0);
  ASSERT_EQ(first.plateaus.size(), 1u);
  EXPECT_EQ(first.plateaus[0].collective, "all_reduce");
  EXPECT_NEAR(first.plateaus[0].line_rate_fraction.value_or(0), 0.91, 0.02);
}

}  // namespace
}  // namespace railgauge::verdict
