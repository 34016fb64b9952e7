#include "runner/late_start.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <thread>
#include <utility>

#include "runner/failure_findings.hpp"
#include "runner/failure_summary.hpp"
#include "runner/output.hpp"

namespace railgauge::runner {
namespace {

using job::LocalRank;
using results::Failure;
using Seconds = std::chrono::seconds;

constexpr Seconds kNamed{15};
constexpr Seconds kGivenUp{20};
// Others let the one that keeps the record end first: the launcher ends all with the first.
constexpr Seconds kForTheRecord{2};

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

Failure not_started(const LocalRank& one, const std::string& host, const std::string& after) {
  return lost_rank(one.rank, host, "has not started after " + after + ": " + one.state);
}

std::string who_waits(const StartingJob& job, std::size_t ranks, bool all_run) {
  if (all_run) {
    return ". All " + std::to_string(ranks) + " ranks run on " + std::to_string(job.processors) +
           (job.processors == 1 ? " processor" : " processors") +
           "; start fewer ranks, or allow more time (-T)";
  }
  const std::string here = ranks == 0   ? "this rank has"
                           : ranks == 1 ? "the rank of this host has"
                                        : "all " + std::to_string(ranks) + " of this host have";
  return ", as not all ranks have: " + here +
         "; other hosts name theirs, unless the network that mpirun uses does not reach them";
}

Failure waits(const StartingJob& job, std::size_t ranks, bool all_run, const std::string& after) {
  return {std::max(job.own, 0), job.host, Failure::Kind::time_out,
          "MPI has not started after " + after + who_waits(job, ranks, all_run)};
}

void print(const std::string& program, const LateStart& late) {
  for (const Failure& one : late.failures) std::cerr << program << ": " << in_words(one) << "\n";
  std::cerr << std::flush;
}

bool knows_who(const LateStart& late) {
  return !late.failures.empty() && late.failures.front().kind == Failure::Kind::lost;
}

StartingJob this_job() {
  return {job::ranks_of_job(), job::own_rank(), host_name(),
          std::max(std::thread::hardware_concurrency(), 1U)};
}

/// Where many ranks have started, one of them looks at all; another leaves it to that one.
LateStart look(Seconds waited) {
  if (job::earlier_rank_runs()) return {.all_run = true};
  return late_start(job::local_ranks(), this_job(), waited);
}

[[noreturn]] void end(const LateStart& late, const RunOptions& options, results::Document record) {
  const auto code = results::ExitCode::time_out;
  if (!late.records) {
    std::this_thread::sleep_for(kForTheRecord);
    std::_Exit(static_cast<int>(code));
  }
  record.exit_code = code;
  record.end = std::chrono::system_clock::now();
  record.failures = late.failures;
  record.report.findings = findings_of(late.failures);
  for (const Failure& one : late.failures) record.reasons.push_back(in_words(one));
  try {
    Output(options).write(record);
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
  }
  std::_Exit(static_cast<int>(code));
}

}  // namespace

LateStart late_start(const std::vector<LocalRank>& ranks, const StartingJob& job, Seconds waited) {
  const std::string after = std::to_string(waited.count()) + " s";
  const auto first = std::ranges::find(ranks, true, &LocalRank::started);
  LateStart late;
  late.speaks = first == ranks.end() || first->rank == job.own;
  late.records =
      late.speaks && (job.own <= 0 || std::ranges::count(ranks, 0, &LocalRank::rank) > 0);
  for (const LocalRank& one : ranks) {
    if (!one.started) late.failures.push_back(not_started(one, job.host, after));
  }
  late.all_run = late.failures.empty() && std::cmp_equal(ranks.size(), job.ranks);
  if (late.failures.empty() && late.records) {
    late.failures.push_back(waits(job, ranks.size(), late.all_run, after));
  }
  return late;
}

Seconds start_of_crowd(const StartingJob& job) {
  constexpr double kOfRankAndNeighbour = 0.01;  // seconds of a processor; three times what was seen
  const double ranks = std::max(job.ranks, 0);
  return Seconds(std::llround(kOfRankAndNeighbour * ranks * ranks / job.processors));
}

std::vector<job::StartUpWatch::Step> late_start_steps(const std::string& program,
                                                      const RunOptions& options,
                                                      const results::Document& record) {
  const auto timeout = options.in_force.find("timeout");
  const bool said = timeout != options.in_force.end() &&
                    timeout->second.origin != results::Option::Origin::default_value;
  const Seconds last = std::max(options.limit, kGivenUp);
  const bool of_one_host = job::ranks_of_host() == job::ranks_of_job();
  const Seconds of_crowd = said || !of_one_host ? last : std::max(last, start_of_crowd(this_job()));
  return {{kNamed,
           [program] {
             const LateStart late = look(kNamed);
             if (late.speaks) print(program, late);
           }},
          {kGivenUp,
           [=] {
             const LateStart late = look(kGivenUp);
             if (!said && knows_who(late) && late.records) end(late, options, record);
           }},
          {last,
           [=] {
             const LateStart late = look(last);
             if (!late.all_run || of_crowd == last) end(late, options, record);
           }},
          {of_crowd, [=] { end(look(of_crowd), options, record); }}};
}

}  // namespace railgauge::runner
