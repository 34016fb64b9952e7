#include "experiments/job/resumed_job.hpp"

#include <gtest/gtest.h>

namespace railgauge::runner {
namespace {

results::JobStep row(double begin_s, std::int64_t step, std::int64_t steps,
                     const std::string& running = "") {
  return {.running = running, .step = step, .steps = steps, .begin_s = begin_s, .time_us = 10'000};
}

results::Document document(std::vector<results::JobStep> rows) {
  results::Document made;
  made.ranks = {{.rank = 0, .host = "host0"}, {.rank = 1, .host = "host1"}};
  made.options["qps"] = {.value = std::int64_t{1}};
  made.options["duration"] = {.value = std::string("1h")};
  results::JobBody body;
  body.job.workload = "moe";
  body.job.parameters = {{"ep", 2}};
  body.rows = std::move(rows);
  made.body = std::move(body);
  return made;
}

std::string error_of(const results::Document& earlier, const results::Document& now) {
  try {
    check_resumable(earlier, now);
    return "";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(JobProgress, GoesToTheEndOfTheLastRow) {
  EXPECT_EQ(progress_of({}, "").steps, 0U);
  const JobProgress one = progress_of({row(0, 0, 100)}, "");
  EXPECT_EQ(one.steps, 100U);
  EXPECT_DOUBLE_EQ(one.steps_s, 1);  // 100 steps of 10 ms
  const JobProgress two = progress_of({row(0.5, 0, 100), row(2.5, 100, 50)}, "");
  EXPECT_EQ(two.steps, 150U);
  EXPECT_DOUBLE_EQ(two.steps_s, 3) << "a step takes 20 ms with what is between steps";
  EXPECT_DOUBLE_EQ(two.elapsed_s, 3.5);
}

TEST(JobProgress, OfAMixIsOfRowsInWhichAllRun) {
  const std::vector<results::JobStep> parts{row(0, 0, 10, "train"), row(1, 0, 10, "save")};
  EXPECT_EQ(progress_of(parts, "train and save").steps, 0U);
  EXPECT_DOUBLE_EQ(progress_of(parts, "train and save").elapsed_s, 1.1);
  auto all = parts;
  all.push_back(row(2, 0, 100, "train and save"));
  EXPECT_EQ(progress_of(all, "train and save").steps, 100U);
  EXPECT_DOUBLE_EQ(progress_of(all, "train and save").steps_s, 1);
  EXPECT_DOUBLE_EQ(progress_of(all, "train and save").elapsed_s, 3);
}

TEST(ResumedJob, IsOfTheSameJob) {
  const results::Document earlier = document({row(0, 0, 100)});
  results::Document now = document({});
  now.options["duration"].value = std::string("2h");
  EXPECT_EQ(error_of(earlier, now), "");
  EXPECT_EQ(error_of(now, now), "has no row: there is nothing to resume");
  EXPECT_EQ(error_of(results::Document{}, now), "is no document of job_perf");
  std::get<results::JobBody>(now.body).job.parameters["ep"] = 4;
  EXPECT_EQ(error_of(earlier, now), "the parameter ep is 4, and the record's is 2");
  std::get<results::JobBody>(now.body).job.workload = "dense";
  EXPECT_EQ(error_of(earlier, now), "the workload is dense, and the record's is moe");
}

TEST(ResumedJob, HasTheSameParametersAndNoOther) {
  const results::Document earlier = document({row(0, 0, 100)});
  results::Document now = document({});
  auto& parameters = std::get<results::JobBody>(now.body).job.parameters;
  parameters["aa"] = 1;
  EXPECT_EQ(error_of(earlier, now), "the parameter aa is 1, and the record's is absent");
  parameters = {};
  EXPECT_EQ(error_of(earlier, now), "the parameter ep is absent, and the record's is 2");
  parameters = {{"ep", 2}};
  EXPECT_EQ(error_of(earlier, now), "");
}

TEST(ResumedJob, IsOnTheSameHostsWithTheSameOptions) {
  const results::Document earlier = document({row(0, 0, 100)});
  results::Document now = document({});
  now.options["qps"].value = std::int64_t{4};
  EXPECT_EQ(error_of(earlier, now), "--qps is 4, and the record's is 1");
  now = document({});
  now.ranks[1].host = "host2";
  EXPECT_EQ(error_of(earlier, now),
            "host2 has taken the place of host1, which had rank 1: a record is of one fabric");
}

TEST(ResumedJob, HasTheRowsOfAllRunsBefore) {
  results::Document first = document({row(0, 0, 100)});
  first.start = std::chrono::system_clock::time_point(std::chrono::hours(1));
  results::Document second = document({});
  second.start = std::chrono::system_clock::time_point(std::chrono::hours(2));
  second.exit_code = results::ExitCode::interrupted;
  auto& body = std::get<results::JobBody>(second.body);
  put_first(first, progress_of(std::get<results::JobBody>(first.body).rows, ""), body);
  EXPECT_EQ(body.job.resumed->status, "running");
  body.rows.push_back(row(1, 100, 50));
  results::JobBody third;
  put_first(second, progress_of(body.rows, ""), third);
  EXPECT_EQ(third.rows.size(), 2U);
  EXPECT_EQ(third.job.resumed->start, first.start);
  EXPECT_EQ(third.job.resumed->status, "interrupted");
  EXPECT_EQ(third.job.resumed->rows, 2);
  EXPECT_EQ(third.job.resumed->steps, 150);
}

}  // namespace
}  // namespace railgauge::runner
