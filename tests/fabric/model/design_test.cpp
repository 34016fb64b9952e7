#include "fabric/design.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace railgauge::fabric {
namespace {

Plan plan_of(const Request& request) {
  Plan plan;
  plan.request = request;
  return plan;
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Design, HasSevenStepsWithRuleAndSource) {
  const Design design = designed(plan_of({.hosts = 1024}));
  ASSERT_EQ(design.steps.size(), 7);
  for (const Step& step : design.steps) {
    EXPECT_FALSE(step.inputs.empty() || step.result.empty() || step.rule.empty() ||
                 step.source.empty())
        << step.title;
  }
  EXPECT_TRUE(says(design.steps[2].result,
                   "128 leaves in 16 pods of 8; 64 ports down, 64 up; 128 "
                   "ports used, 0 free"));
  EXPECT_TRUE(says(design.steps[3].result, "64 spines, 1 uplink(s) per leaf and spine"));
  EXPECT_TRUE(says(design.steps[3].result, "25.6T down and 25.6T up, 1:1; bisection 1638T"))
      << design.steps[3].result;
  EXPECT_TRUE(design.remarks.empty());
}

TEST(Design, KnowsWhatAPcieSlotCarries) {
  EXPECT_GT(pcie_gbps(5, 16), 400);
  EXPECT_LT(pcie_gbps(5, 16), 504);  // raw
  EXPECT_LT(pcie_gbps(4, 16), 400);
  EXPECT_GT(pcie_gbps(6, 16), 800);
  const Design fast =
      designed(plan_of({.hosts = 16, .nic_gbps = 800, .leaf = {64, 800}, .spine = {64, 800}}));
  ASSERT_EQ(fast.remarks.size(), 1);
  EXPECT_EQ(fast.remarks[0],
            "PCIe Gen5 x16 carries 458 Gb/s, less than a NIC's 800 Gb/s: the slot is the limit.");
}

TEST(Design, CountsEveryCableOnce) {
  const Design design = designed(plan_of({.hosts = 1024}));
  Count hosts = 0;
  Count trunks = 0;
  for (const Cables& one : design.cables) {
    (one.between == "host-leaf" ? hosts : trunks) += one.count;
    EXPECT_EQ(one.kind == "DAC", one.most_metres <= 3) << one.most_metres;
  }
  EXPECT_EQ(hosts, 8192);
  EXPECT_EQ(trunks, 128 * 64);
}

TEST(Design, SaysWhatGrowthPulls) {
  const Design design =
      designed(plan_of({.hosts = 32, .nics = 4, .leaf = {64, 400}, .spine = {32, 400}}));
  // 128 hosts: 16 leaves, 16 spines of 2 links: of 8 links to each of 4 spines, 2 stay.
  EXPECT_TRUE(says(design.steps[6].result, "4x: 16 leaves, 16 spines, pull 96 of 128 uplinks"))
      << design.steps[6].result;
  EXPECT_TRUE(says(design.steps[6].result, "8x: 32 leaves, 32 spines, pull 112 of 128 uplinks"));
}

TEST(Design, WarnsOfMoreOversubscriptionThanTheWorkloadBears) {
  Plan plan = plan_of({.hosts = 512, .oversubscription = 2});
  EXPECT_TRUE(std::ranges::any_of(designed(plan).remarks, [](const std::string& one) {
    return says(one, "exceeds the 1:1 that is recommended for training");
  }));
  plan.workload = "inference";
  EXPECT_TRUE(std::ranges::none_of(designed(plan).remarks,
                                   [](const std::string& one) { return says(one, "exceeds"); }));
}

TEST(Design, SaysThatTheClusterOfLaterDoesNotFit) {
  Plan plan = plan_of({.hosts = 1024});
  plan.gpus_later = 262144;
  ASSERT_EQ(designed(plan).remarks.size(), 1);
  EXPECT_TRUE(says(designed(plan).remarks[0], "In 18 months, 262,144 GPUs: there is no such"));
}

TEST(Design, IsABillOfMaterialsAndAPicture) {
  const Design design = designed(plan_of({.hosts = 1024}));
  EXPECT_TRUE(
      as_csv(design).starts_with("item,count,note\nNIC 400G,8192,in hosts\n"
                                 "leaf 128x400G,128,switch\nspine 128x400G,64,switch\n"));
  EXPECT_TRUE(says(as_svg(design), "leaves: 128"));
  EXPECT_EQ(as_json(design)["parts"]["spines"], 64);
}

}  // namespace
}  // namespace railgauge::fabric
