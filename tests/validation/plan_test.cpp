#include "validation/plan.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace railgauge::validation {
namespace {

std::string plan_with(const std::string& stages) {
  return "{\n\"schema\": \"railgauge/plan/1\",\n\"name\": \"site\",\n\"stages\": [\n" + stages +
         "\n]}";
}

std::string refusal_of(const std::string& stages) {
  try {
    static_cast<void>(plan_in(plan_with(stages), "site.json"));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

/// Each word of the refusal that a reader needs.
void expect_refused(const std::string& stages, std::initializer_list<const char*> words) {
  const std::string said = refusal_of(stages);
  for (const char* const word : words)
    EXPECT_NE(said.find(word), std::string::npos) << "no '" << word << "' in: " << said;
}

constexpr const char* kDoctor = R"({"name": "doctor", "kind": "doctor", "limit": "1m"})";

TEST(Plan, AStageHasItsProgramLimitAndRequirement) {
  const Plan plan = plan_in(plan_with(R"({"name": "ar", "kind": "collective", "limit": "1m",
      "collective": "all_reduce", "criteria": {"line_rate": true, "policies": ["strict"]}})"),
                            "site.json");
  const Stage& stage = plan.stages.at(0);
  EXPECT_EQ(program_of(stage), "all_reduce_perf");
  EXPECT_EQ(limit_of(stage), std::chrono::seconds(60));
  EXPECT_EQ(
      requirement_of(stage),
      "right data, and the criteria of the plan; plateau at 90 % of line rate; policy strict");
}

TEST(Plan, EveryPlanThatComesWithRailgaugeIsRight) {
  for (const char* const name : {"quick", "acceptance", "new-rail", "ci"}) {
    EXPECT_EQ(plan_of(name).name, name);
    EXPECT_GT(plan_of(name).stages.size(), 5U);
  }
}

TEST(Plan, StagesComeAfterThoseThatTheyNeed) {
  const Plan plan = plan_in(plan_with(R"({"name": "soak", "kind": "soak", "limit": "1m",
      "needs": ["reach"]}, {"name": "reach", "kind": "reachability", "limit": "1m"})"),
                            "site.json");
  EXPECT_EQ(plan.stages.at(0).name, "reach");
  EXPECT_EQ(plan.stages.at(1).name, "soak");
}

TEST(Plan, AnUnknownKindIsRefusedWithItsLine) {
  expect_refused(R"({"name": "a", "kind": "dctor", "limit": "1m"})",
                 {"site.json:5", "stages[0].kind", "'dctor'", "doctor, reachability"});
}

TEST(Plan, AnUnknownFieldIsRefused) {
  expect_refused(R"({"name": "a", "kind": "doctor", "limt": "1m"})", {"site.json:5", "limit"});
  expect_refused(R"({"name": "a", "kind": "doctor",
      "limit": "1m",
      "need": []})",
                 {"site.json:7", "stages[0].need", "is unknown", "did you mean needs?"});
}

TEST(Plan, AnUnknownCriterionIsRefused) {
  expect_refused(R"({"name": "a", "kind": "collective", "collective": "all_reduce", "limit": "1m",
      "criteria": {"line_rat": true}})",
                 {"site.json:6", "criteria.line_rat", "did you mean line_rate?"});
}

TEST(Plan, ACriterionThatTheKindCannotHaveIsRefused) {
  expect_refused(R"({"name": "a", "kind": "soak", "limit": "1m", "criteria": {"line_rate": true}})",
                 {"stages[0].criteria", "collective"});
}

TEST(Plan, AReferenceThatIsNotThereIsRefused) {
  expect_refused(R"({"name": "a", "kind": "collective", "collective": "all_reduce", "limit": "1m",
      "criteria": {"references": ["oci-h100-16x200g-rose"]}})",
                 {"site.json:6", "criteria.references[0]", "did you mean oci-h100-16x200g-roce"});
  expect_refused(R"({"name": "a", "kind": "collective", "collective": "all_reduce", "limit": "1m",
      "criteria": {"baselines": ["/no/such/file.json"]}})",
                 {"criteria.baselines[0]", "/no/such/file.json"});
}

TEST(Plan, NeedsInACircleAreRefused) {
  expect_refused(R"({"name": "a", "kind": "soak", "limit": "1m", "needs": ["b"]},
      {"name": "b", "kind": "soak", "limit": "1m", "needs": ["a"]})",
                 {"site.json:5", "stages[0].needs", "circle", "remove one"});
}

TEST(Plan, AStageThatIsNotThereCannotBeNeeded) {
  expect_refused(R"({"name": "a", "kind": "soak", "limit": "1m", "needs": ["dcotor"]},
      {"name": "doctor", "kind": "doctor", "limit": "1m"})",
                 {"stages[0].needs[0]", "'dcotor'", "did you mean doctor?"});
}

TEST(Plan, TwoStagesOfOneNameAreRefused) {
  expect_refused(std::string(kDoctor) + ", " + kDoctor, {"stages[1].name", "name of its own"});
}

TEST(Plan, ANameThatIsNoFileNameIsRefused) {
  expect_refused(R"({"name": "../a", "kind": "doctor", "limit": "1m"})", {"stages[0].name"});
}

TEST(Plan, ALimitThatIsNoTimeIsRefused) {
  expect_refused(R"({"name": "a", "kind": "doctor", "limit": "soon"})",
                 {"stages[0].limit", "'soon'", "expected"});
}

TEST(Plan, ACollectiveIsNamedIfAndOnlyIfTheKindHasOne) {
  expect_refused(R"({"name": "a", "kind": "collective", "limit": "1m"})", {"is missing"});
  expect_refused(R"({"name": "a", "kind": "collective", "limit": "1m", "collective": "allreduce"})",
                 {"did you mean all_reduce?"});
  expect_refused(R"({"name": "a", "kind": "soak", "limit": "1m", "collective": "all_reduce"})",
                 {"leave it out"});
}

TEST(Plan, OptionsOfTheSupervisorAreRefused) {
  expect_refused(R"({"name": "a", "kind": "soak", "limit": "1m", "arguments": ["-J", "x"]})",
                 {"arguments[0]", "'-J'", "leave it out"});
}

TEST(Plan, APlanWithoutStagesIsRefused) {
  expect_refused("", {"stages", "empty"});
}

TEST(Plan, WhatIsNoJsonIsRefusedWithItsLine) {
  expect_refused("{\"name\": }", {"site.json", "line 5"});
}

TEST(Plan, ANameThatIsNearlyRightIsSuggested) {
  try {
    static_cast<void>(plan_of("acceptence"));
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean acceptance?"), std::string::npos);
  }
}

}  // namespace
}  // namespace railgauge::validation
