#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "sample_runs.hpp"
#include "verdict/against.hpp"

namespace railgauge::verdict {
namespace {

constexpr std::uint64_t kMiB = 1U << 20U;

/// What is predicted of straight_run(10, 20): its times, half to twice.
Prediction prediction() {
  Prediction made{.name = "p.json", .collective = "all_reduce", .hosts = 4, .ranks = 4};
  for (const Point& point : straight_run(10, 20).points) {
    made.rows.push_back(
        {"ring", *point.size_bytes, *point.time_us, *point.time_us / 2, *point.time_us * 2});
  }
  return made;
}

Rows compared_with(const verdict::Run& run, const Prediction& with = prediction()) {
  return against_prediction(measurement_with(run), with, {});
}

TEST(AgainstPrediction, PassesWithinTheBandAndFailsAboveIt) {
  EXPECT_EQ(outcome_of(compared_with(straight_run(10, 20))), Outcome::pass);
  EXPECT_EQ(outcome_of(compared_with(straight_run(18, 12))), Outcome::pass);
  const Rows slow = compared_with(straight_run(10, 8));
  EXPECT_EQ(outcome_of(slow), Outcome::fail);
  const Row row = only(slow, Subject::size, kMiB);
  EXPECT_EQ(row.answer, Answer::failed);
  EXPECT_NEAR(*row.ratio, 0.4, 0.1);
  EXPECT_EQ(row.theirs, straight_run(10, 20).points[17].time_us);
  EXPECT_EQ(only(slow, Subject::size, 8).answer, Answer::passed);  // its latency is as predicted
  EXPECT_EQ(report_of(slow).findings.size(), 1);
  EXPECT_EQ(report_of(slow).findings[0].cause, finding::Cause::bandwidth);
}

TEST(AgainstPrediction, HasNoAnswerForWhatIsFasterThanTheBand) {
  const Rows fast = compared_with(straight_run(1, 200));
  EXPECT_EQ(outcome_of(fast), Outcome::inconclusive);
  EXPECT_NE(only(fast, Subject::size, kMiB).remark.find("faster than predicted"),
            std::string::npos);
}

TEST(AgainstPrediction, LetsTheIntervalOfTheMedianDecide) {
  verdict::Run run = straight_run(10, 20);
  Point& point = run.points[17];
  const double most_us = 1.05 * prediction().rows[17].most_us;  // with the tolerance
  point.time_us = 0.99 * most_us;
  EXPECT_EQ(only(compared_with(run), Subject::size, kMiB).answer, Answer::passed);
  point.time_us = 1.01 * most_us;
  point.median_interval = measure::MedianInterval{0.99 * most_us, 1.03 * most_us};
  EXPECT_EQ(only(compared_with(run), Subject::size, kMiB).answer, Answer::open);
  point.median_interval = measure::MedianInterval{1.001 * most_us, 1.03 * most_us};
  EXPECT_EQ(only(compared_with(run), Subject::size, kMiB).answer, Answer::failed);
}

TEST(AgainstPrediction, NamesWhatWasNotPredicted) {
  Prediction partial = prediction();
  partial.rows.erase(partial.rows.begin() + 17);
  const Row row = only(compared_with(straight_run(10, 20), partial), Subject::size, kMiB);
  EXPECT_EQ(row.answer, Answer::open);
  EXPECT_EQ(row.remark, "the prediction has no such size");
  verdict::Run run = straight_run(10, 20);
  for (Point& point : run.points) point.algorithm = "tree";
  const Rows rows = compared_with(run);
  EXPECT_EQ(outcome_of(rows), Outcome::inconclusive);
  EXPECT_EQ(only(rows, Subject::size, kMiB).remark, "the prediction has no tree");
}

TEST(AgainstPrediction, LeavesPredictedSizesOpenThatWereNotMeasured) {
  EXPECT_EQ(only(compared_with(straight_run(10, 20)), Subject::missing).remark,
            "there is not one of it");
  verdict::Run run = straight_run(10, 20);
  run.points.erase(run.points.begin() + 3, run.points.begin() + 5);
  Prediction with = prediction();
  with.rows.push_back({"tree", 7, 1, 1, 1});  // an algorithm that did not run
  const Rows rows = compared_with(run, with);
  const Row row = only(rows, Subject::missing);
  EXPECT_EQ(row.answer, Answer::open);
  EXPECT_EQ(row.remark, "sizes of the prediction were not measured: 64, 128");
  const finding::Report report = report_of(rows);
  EXPECT_EQ(report.coverage.at(0).planned, report.coverage[0].tested + 2);
  EXPECT_EQ(report.coverage[0].skipped, std::vector<std::string>{row.remark});
  EXPECT_EQ(outcome(report), Outcome::inconclusive);
}

TEST(AgainstPrediction, RefusesRunsThatItIsNotAbout) {
  const auto refused = [](const verdict::Run& run) {
    const Rows rows = compared_with(run);
    EXPECT_EQ(outcome_of(rows), Outcome::inconclusive);
    return rows.at(0).remark;
  };
  verdict::Run run = straight_run(10, 20);
  run.ranks = 8;
  EXPECT_EQ(refused(run), "the prediction is for 4 ranks, and this run had 8");
  run = straight_run(10, 20);
  run.nodes.reset();
  EXPECT_EQ(refused(run), "the prediction is for 4 hosts, and this run had unknown");
  run = straight_run(10, 20);
  run.collective = "alltoall";
  EXPECT_EQ(refused(run), "the prediction is for all_reduce");
  run = straight_run(10, 20);
  run.point.emplace().queue_pairs = 4;
  EXPECT_EQ(refused(run), "the prediction is for 1 queue pairs, and this run had 4");
  run.point.emplace().unreduced = true;
  EXPECT_EQ(refused(run), kOfUnreduced);
}

TEST(AgainstPrediction, IsReadWithErrorsThatNameTheField) {
  auto json = nlohmann::ordered_json::parse(R"({"schema": "railgauge/prediction/1",
    "collective": "all_reduce", "hosts": 2, "ranks": 4, "queue_pairs": 1, "rows": [{"algorithm":
    "ring", "bytes": 8, "microseconds": 3, "least_microseconds": 2, "most_microseconds": 4}]})");
  EXPECT_EQ(prediction_of(json, "p.json").rows.at(0).most_us, 4);
  const auto error = [&] {
    try {
      static_cast<void>(prediction_of(json, "p.json"));
    } catch (const std::runtime_error& refused) {
      return std::string(refused.what());
    }
    return std::string();
  };
  json["rows"][0]["microseconds"] = 5;
  EXPECT_EQ(error(), "the field 'rows[0].microseconds' is not within its band");
  json["schema"] = "railgauge/design/1";
  EXPECT_NE(error().find("this railgauge reads railgauge/prediction/1"), std::string::npos);
}

}  // namespace
}  // namespace railgauge::verdict
