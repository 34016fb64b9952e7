#include "experiments/job/job_findings.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <utility>

#include "diagnosis/diagnosis.hpp"
#include "finding/words.hpp"
#include "measure/statistics.hpp"
#include "normal/cohorts.hpp"
#include "normal/expectation.hpp"
#include "normal/others.hpp"

namespace railgauge::runner {
namespace {

using finding::Finding;
using workload::Job;

/// Of an operation in a step, by the workload.
double planned_us(const Job& job, schedule::Rank rank, std::uint32_t operation) {
  std::uint64_t all = 0;
  for (const workload::RankStream& stream : job.streams[rank]) {
    for (const workload::Entry& entry : stream.entries)
      all += entry.operation == operation ? entry.microseconds : 0;
  }
  return static_cast<double>(all);
}

std::vector<schedule::Rank> members_of(const Job& job, std::uint32_t of_class) {
  std::vector<schedule::Rank> members;
  for (schedule::Rank rank = 0; rank < job.ranks; ++rank) {
    if (job.class_of[rank] == of_class) members.push_back(rank);
  }
  return members;
}

/// Whether it would not have computed longer than the others if it had had a CPU all the time.
bool is_excused(double own_us, double usual_us, std::size_t others, const results::RankLoad& load) {
  const double share = results::cpu_share(std::span(&load, 1)).value_or(1);
  const normal::Expectation expected{
      .value = 1 / usual_us, .n = others, .basis = normal::Basis::majority};
  return normal::compare(1 / own_us, share, expected, normal::kFastShare) !=
         normal::Deviation::real;
}

/// What ports counted, and between which of them all operations sent: without times, of which one
/// sample is too few.
results::CollectiveRow row_of_events(const JobPeriod& period) {
  results::CollectiveRow all{.events = period.events};
  for (const results::CollectiveRow& row : period.operations) {
    for (results::EdgeTimes edge : row.edges) {
      edge.samples = 1;
      all.edges.push_back(edge);
    }
  }
  return all;
}

/// What members computed in an operation, as diagnose() takes it: who is no member, or excused, is
/// as usual.
results::CollectiveRow row_of(const JobPeriod& period, std::uint32_t operation,
                              const std::vector<schedule::Rank>& members) {
  std::vector<double> of_members;
  of_members.reserve(members.size());
  for (const schedule::Rank rank : members)
    of_members.push_back(period.compute_us[rank][operation]);
  const normal::Others others(of_members);
  std::vector<double> own_us(period.compute_us.size(), normal::majority(of_members));
  for (std::size_t i = 0; i < members.size(); ++i) {
    const double usual_us = others.of(i);
    const bool slow = usual_us > 0 && of_members[i] > usual_us;
    const bool excused =
        slow && is_excused(of_members[i], usual_us, members.size() - 1, period.loads[members[i]]);
    own_us[members[i]] = excused ? usual_us : of_members[i];
  }
  results::CollectiveRow row;
  row.out_of_place.emplace();
  row.out_of_place->time.p50_us = period.step_us;
  row.out_of_place->rank_own_us = std::move(own_us);
  return row;
}

/// For how long the rank computed in a step, and others did; of the rows of one operation.
finding::Evidence evidence_of(const std::vector<results::CollectiveRow>& rows,
                              schedule::Rank rank) {
  std::vector<double> own_us;
  std::vector<double> usual_us;
  for (const results::CollectiveRow& row : rows) {
    own_us.push_back(row.out_of_place->rank_own_us[rank]);
    usual_us.push_back(normal::majority(row.out_of_place->rank_own_us));
  }
  return {.unit = "us in a step",
          .observed = measure::median(own_us),
          .expected = measure::median(usual_us)};
}

/// Whether most of what it computes longer than others is what the workload says.
bool is_planned(const Job& job, schedule::Rank rank, std::uint32_t operation,
                const std::vector<schedule::Rank>& members, const finding::Evidence& evidence) {
  constexpr double kMost = 0.5;
  std::vector<double> planned;
  planned.reserve(members.size());
  for (const schedule::Rank member : members) planned.push_back(planned_us(job, member, operation));
  const double more_us = planned_us(job, rank, operation) - normal::majority(planned);
  return more_us > kMost * (*evidence.observed - *evidence.expected);
}

}  // namespace

bool JobFindings::take(JobPeriod period) {
  periods_.push_back(std::move(period));
  if (periods_.size() < kPeriods) return false;
  const std::size_t before = all_.size();
  judge();
  return all_.size() > before;
}

void JobFindings::finish() {
  if (periods_.size() >= kFewest) judge();
}

void JobFindings::judge() {
  judge_paths();
  for (std::uint32_t operation = 0; operation < job_.operations.size(); ++operation) {
    if (job_.operations[operation].kind != workload::Kind::compute) continue;
    const std::uint32_t classes = std::ranges::max(job_.class_of) + 1;
    for (std::uint32_t one = 0; one < classes; ++one) judge_computes(operation, one);
  }
  periods_.clear();
}

void JobFindings::add(Finding finding) {
  const std::string id = id_of(finding);
  const auto known = std::ranges::find(all_, id, [](const Finding& one) { return id_of(one); });
  if (known != all_.end()) {
    known->when->end = periods_.back().end;
    known->when->count += periods_.size();
    return;
  }
  finding.when = finding::TimeWindow{
      .begin = periods_.front().begin, .end = periods_.back().end, .count = periods_.size()};
  all_.push_back(std::move(finding));
}

void JobFindings::judge_paths() {
  std::vector<results::CollectiveRow> rows;
  for (const JobPeriod& period : periods_) {
    rows.push_back(row_of_events(period));
    for (results::CollectiveRow row : period.operations) {
      row.rank_loads = period.loads;
      rows.push_back(std::move(row));
    }
  }
  for (Finding& one : diagnosis::diagnose(ranks_, rows)) add(std::move(one));
}

void JobFindings::judge_computes(std::uint32_t operation, std::uint32_t of_class) {
  constexpr std::size_t kFewestMembers = 3;  // two have nothing usual
  const std::vector<schedule::Rank> members = members_of(job_, of_class);
  if (members.size() < kFewestMembers) return;
  std::vector<results::CollectiveRow> rows;
  rows.reserve(periods_.size());
  for (const JobPeriod& period : periods_) rows.push_back(row_of(period, operation, members));
  for (Finding& one : diagnosis::diagnose(ranks_, rows)) {
    const auto rank = static_cast<schedule::Rank>(one.where.at.ranks.front());
    finding::Evidence evidence = evidence_of(rows, rank);
    const std::string name = "'" + job_.operations[operation].name + "'";
    evidence.metric = "compute " + name;
    evidence.expected_from =
        "median of " + finding::counted(members.size(), "rank") + " of its class";
    if (is_planned(job_, rank, operation, members, evidence)) {
      one.severity = finding::Severity::info;
      one.detail = "more compute in " + name + " than other ranks, by the workload";
      one.remedy = "distribute the work evenly";
    }
    one.evidence.insert(one.evidence.begin(), std::move(evidence));
    add(std::move(one));
  }
}

}  // namespace railgauge::runner
