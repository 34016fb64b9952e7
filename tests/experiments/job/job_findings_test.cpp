#include "experiments/job/job_findings.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "workload/kinds.hpp"

namespace railgauge::runner {
namespace {

constexpr schedule::Rank kRanks = 4;
constexpr double kStepMicroseconds = 4000;
constexpr std::uint32_t kAttention = 0;  // of the operations of moe

std::vector<results::Rank> ranks_on_hosts() {
  std::vector<results::Rank> ranks;
  for (schedule::Rank number = 0; number < kRanks; ++number) {
    results::Rank rank;
    rank.rank = static_cast<int>(number);
    rank.host = "host" + std::to_string(number);
    rank.rails.push_back(
        {.rail = 0, .device = "mlx5_0", .address = "10.0.0." + std::to_string(number)});
    ranks.push_back(rank);
  }
  return ranks;
}

std::string text_with(const std::string& attention_us) {
  std::string text(workload::moe_text());
  const std::string word = "\"microseconds\": \"attention_us\"";
  return text.replace(text.find(word), word.size(), "\"microseconds\": \"" + attention_us + "\"");
}

class JobFindingsTest : public ::testing::Test {
 protected:
  /// Of all periods alike but for the change.
  std::vector<finding::Finding> found(const std::function<void(JobPeriod&)>& change,
                                      std::size_t periods = JobFindings::kFewest,
                                      const std::string& attention_us = "attention_us") {
    const workload::Workload workload = workload::workload_in(text_with(attention_us), "test.json");
    const workload::Job job = workload::job_of(workload, kRanks, {{"moe_layers", 10}});
    JobFindings findings(job, ranks_, {});
    for (std::size_t i = 0; i < periods; ++i) {
      JobPeriod period = healthy(i);
      change(period);
      findings.take(std::move(period));
    }
    findings.finish();
    return findings.all();
  }

  /// A little different each time, as on any machine.
  [[nodiscard]] JobPeriod healthy(std::size_t seed) const {
    JobPeriod period{
        .begin = start_, .end = start_ + std::chrono::minutes(1), .step_us = kStepMicroseconds};
    for (const std::uint64_t bytes : {4096U, 65536U}) {
      results::CollectiveRow row{.size_bytes = bytes, .algorithm = "pairwise"};
      for (int from = 0; from < static_cast<int>(kRanks); ++from) {
        for (int to = 0; to < static_cast<int>(kRanks); ++to) {
          if (from == to) continue;
          const auto more =
              static_cast<double>((seed + static_cast<std::size_t>(from * 3 + to)) % 5);
          const double us = 40 + static_cast<double>(bytes) / 1000 + more;
          const results::Quantiles there{us, us + 5, us + 10, us + 30, us + 90};
          const results::Quantiles round{us + 8, us + 13, us + 18, us + 38, us + 98};
          row.edges.push_back({.from = from,
                               .to = to,
                               .samples = 40,
                               .bytes = bytes,
                               .most_bytes = bytes,
                               .round = round,
                               .there = there});
        }
      }
      period.operations.push_back(std::move(row));
    }
    for (schedule::Rank rank = 0; rank < kRanks; ++rank) {
      const auto more = static_cast<double>((seed + rank) % 3);
      period.compute_us.push_back({1000 + more, 0, 1000 + 2 * more, 0});
      period.loads.push_back(
          {.rank = static_cast<int>(rank), .wall_us = 1e6, .ran_us = 9e5, .queued_us = 1e3});
    }
    return period;
  }

  const std::vector<results::Rank> ranks_ = ranks_on_hosts();
  const std::chrono::system_clock::time_point start_{};
};

void slow_sender(JobPeriod& period) {
  for (results::CollectiveRow& row : period.operations) {
    for (results::EdgeTimes& edge : row.edges) {
      if (edge.from != 2) continue;
      for (results::Quantiles* times : {&edge.round, &*edge.there}) {
        for (double* us :
             {&times->min_us, &times->p10_us, &times->p50_us, &times->p90_us, &times->max_us})
          *us += 1000;
      }
    }
  }
}

void slow_rank(JobPeriod& period) {
  period.compute_us[3][kAttention] = 3000;
}

TEST_F(JobFindingsTest, AreSilentWhereAllIsWell) {
  EXPECT_TRUE(found([](JobPeriod&) {}).empty());
  EXPECT_TRUE(found([](JobPeriod&) {}, 3 * JobFindings::kPeriods).empty());
}

TEST_F(JobFindingsTest, NameThePortThatIsWaitedFor) {
  const auto findings = found(slow_sender);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].cause, finding::Cause::latency);
  EXPECT_EQ(findings[0].where.at.host, "host2");
  EXPECT_EQ(findings[0].where.direction, finding::Direction::transmit);
}

TEST_F(JobFindingsTest, NameTheRankWhoseComputeIsWaitedFor) {
  const auto findings = found(slow_rank);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].cause, finding::Cause::slow_processor);
  EXPECT_EQ(findings[0].where.at.ranks, std::vector{3});
  EXPECT_EQ(findings[0].severity, finding::Severity::warning);
  EXPECT_EQ(findings[0].evidence[0].metric, "compute 'attention'");
  EXPECT_EQ(findings[0].evidence[0].observed, 3000);
}

TEST_F(JobFindingsTest, SayWhatTheWorkloadHasPlanned) {
  const auto findings = found(slow_rank, JobFindings::kFewest, "attention_us + 200 * (rank == 3)");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, finding::Severity::info);
  EXPECT_EQ(findings[0].where.at.ranks, std::vector{3});
}

TEST_F(JobFindingsTest, ExcuseARankWithoutAProcessor) {
  const auto findings = found([](JobPeriod& period) {
    slow_rank(period);
    for (results::RankLoad& load : period.loads) load.ran_us = 2e5, load.queued_us = 7e5;
  });
  EXPECT_TRUE(findings.empty()) << sentence(findings[0]);
}

TEST_F(JobFindingsTest, ExcuseWhatIsNotNoticed) {
  EXPECT_TRUE(found([](JobPeriod& period) { period.compute_us[3][kAttention] = 1500; }).empty())
      << "an eighth of a step";
}

TEST_F(JobFindingsTest, NeedMoreThanAFewPeriods) {
  EXPECT_TRUE(found(slow_rank, JobFindings::kFewest - 1).empty());
  std::size_t period = 0;
  EXPECT_TRUE(found([&](JobPeriod& one) {
                if (period++ % 2 == 0) slow_rank(one);
              }).empty())
      << "half of the time is not always";
}

TEST_F(JobFindingsTest, HaveEachPlaceOnceWithItsTime) {
  const auto findings = found(slow_sender, 2 * JobFindings::kPeriods);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].when->count, 2 * JobFindings::kPeriods);
}

TEST_F(JobFindingsTest, DoNotJudgeAClassOfTwo) {
  const workload::Workload workload = workload::make("moe", "");
  const workload::Job job = workload::job_of(workload, 2);
  JobFindings findings(job, ranks_, {});
  for (std::size_t i = 0; i < JobFindings::kPeriods; ++i) {
    JobPeriod period = healthy(i);
    period.operations.clear();
    period.compute_us.resize(2);
    period.compute_us[1][kAttention] = 3000;
    period.loads.resize(2);
    findings.take(std::move(period));
  }
  EXPECT_TRUE(findings.all().empty());
}

}  // namespace
}  // namespace railgauge::runner
