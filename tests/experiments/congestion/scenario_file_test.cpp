#include "experiments/congestion/scenario_file.hpp"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

namespace railgauge::runner {
namespace {

constexpr std::array<std::size_t, 4> kNics{10, 11, 12, 13};

std::string file_with(const std::string& flows, const std::string& judged_as = "incast") {
  return R"({"schema": "railgauge/scenario/1", "name": "mine", "judged_as": ")" + judged_as +
         R"(", "steps": [{"name": "both", "flows": )" + flows + "}]}";
}

/// The sentence that refuses it; empty: it is taken.
std::string refusal_of(const std::string& text) {
  try {
    (void)steps_of_file(text, "mine.json", kNics);
    return "";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(ScenarioFile, BecomesStepsOfTheNicsOfItsRanks) {
  const auto steps = steps_of_file(
      file_with(R"([{"from": 1, "to": 0, "load": 0.5}, {"from": 2, "to": 0, "begin": 0.25}])"),
      "mine.json", kNics);
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps[0].name, "mine: both");
  EXPECT_EQ(steps[0].scenario, congestion::Scenario::incast);
  EXPECT_DOUBLE_EQ(steps[0].load, 1.5);
  EXPECT_EQ(steps[0].flows[0], (congestion::PlannedFlow{.from = 11, .to = 10, .load = 0.5}));
  EXPECT_EQ(steps[0].flows[1].begin, 0.25);
}

TEST(ScenarioFile, ThatCannotBeRunIsRefusedWithFileAndField) {
  const auto refused = [](const std::string& text, const std::string& words) {
    const std::string what = refusal_of(text);
    EXPECT_NE(what.find("scenario mine.json: "), std::string::npos) << what;
    EXPECT_NE(what.find(words), std::string::npos) << what;
  };
  refused("{", "");
  refused("{}", "schema");
  refused(file_with("[]"), "steps[0].flows");
  refused(file_with(R"([{"from": 1, "to": 9}])"), "steps[0].flows[0].to");
  refused(file_with(R"([{"from": 1, "to": 1}])"), "its own receiver");
  refused(file_with(R"([{"from": 1}])"), "'steps[0].flows[0].to' is missing");
  refused(file_with(R"([{"from": 1, "to": 0, "lode": 1}])"), "lode");
  refused(file_with(R"([{"from": 1, "to": 0, "load": 2}])"), "load");
  refused(file_with(R"([{"from": 1, "to": 0}])", "outcast"), "judged_as");
}

}  // namespace
}  // namespace railgauge::runner
