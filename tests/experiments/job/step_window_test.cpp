#include "experiments/job/step_window.hpp"

#include <gtest/gtest.h>

#include "workload/kinds.hpp"

namespace railgauge::runner {
namespace {

class StepWindowTest : public ::testing::Test {
 protected:
  const workload::Workload workload = workload::make("moe", "");
  const workload::Job job = workload::job_of(workload, 2, {{"moe_layers", 1}});
  StepWindow window{job};
};

TEST_F(StepWindowTest, OfOneStepIsThatStep) {
  window.add({.begin_s = 1.5,
              .time_us = 1000.5,
              .compute_us = 800.25,
              .slowest_rank = 1,
              .waited = Wait{1, 3, 12.5},
              .wrong = 3});
  const results::JobStep row = window.take();
  EXPECT_EQ(row.steps, 1);
  EXPECT_EQ(row.begin_s, 1.5);
  EXPECT_EQ(row.time_us, 1000.5);
  EXPECT_EQ(row.max_us, row.time_us);
  EXPECT_EQ(row.compute_us + row.exposed_us, row.time_us);
  EXPECT_EQ(row.slowest_rank, 1);
  EXPECT_EQ(row.waited_rank, 1);
  EXPECT_EQ(row.waited_operation, "combine");
  EXPECT_EQ(row.waited_us, 12.5);
  EXPECT_EQ(row.verified, 1);
  EXPECT_EQ(row.wrong, 3U);
}

TEST_F(StepWindowTest, HasTheOverlapOfCommunication) {
  window.add({.time_us = 100, .communication_us = 80, .overlapped_us = 20});
  EXPECT_NEAR(window.take().overlap_percent.value(), 25, 0.2);
  window.add({.time_us = 100});
  EXPECT_FALSE(window.take().overlap_percent);
}

TEST_F(StepWindowTest, CountsStepsAndBeginsBehindThem) {
  for (int step = 0; step < 5; ++step) window.add({.time_us = 10});
  EXPECT_EQ(window.take().steps, 5);
  EXPECT_TRUE(window.is_empty());
  window.add({.begin_s = 7, .time_us = 20});
  EXPECT_EQ(window.begin_s(), 7);
  const results::JobStep row = window.take();
  EXPECT_EQ(row.step, 5);
  EXPECT_EQ(row.steps, 1);
  EXPECT_EQ(row.time_us, 20) << "nothing of the window before";
  EXPECT_FALSE(row.waited_rank);
  EXPECT_EQ(row.verified, 0);
  EXPECT_FALSE(row.wrong);
}

TEST_F(StepWindowTest, HasMediansAndTheLongestStep) {
  for (int step = 0; step < 99; ++step) window.add({.time_us = 100, .slowest_rank = 1});
  window.add({.time_us = 5000, .slowest_rank = 0});
  const results::JobStep row = window.take();
  EXPECT_EQ(row.time_us, 100);
  EXPECT_EQ(row.max_us, 5000);
  EXPECT_EQ(row.slowest_rank, 1);
}

TEST_F(StepWindowTest, NamesWhatIsWaitedForLongestOverAllSteps) {
  window.add({.time_us = 100, .waited = Wait{0, 1, 90}});
  for (int step = 0; step < 10; ++step) window.add({.time_us = 100, .waited = Wait{1, 3, 20}});
  const results::JobStep row = window.take();
  EXPECT_EQ(row.waited_rank, 1) << "of ten steps more than of the longest";
  EXPECT_EQ(row.waited_us, 20);
}

}  // namespace
}  // namespace railgauge::runner
