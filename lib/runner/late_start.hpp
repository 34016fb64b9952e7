#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "job/missing_ranks.hpp"
#include "job/start_up_watch.hpp"
#include "results/document.hpp"
#include "runner/options/run_options.hpp"

namespace railgauge::runner {

/// What this host knows when MPI has not started for a while.
struct LateStart {
  std::vector<results::Failure> failures{};  // its ranks that have not started; then what follows
  bool speaks = false;  // this rank is the one that says so: the first of its host that has started
  bool records = false;  // and rank 0, which would keep the record, is of this host
  bool all_run = false;  // the whole job is of this host, and as far as this rank knows has started
};

/// Of the job, as one of its processes sees it.
struct StartingJob {
  int ranks = -1;           // job::ranks_of_job()
  int own = -1;             // job::own_rank()
  std::string host{};       // this one
  unsigned processors = 1;  // of this host
};

/// `ranks` are those of this host (job::local_ranks). Where all of them have started, or nothing is
/// known of them, the failure is that MPI did not start, which the host of rank 0 alone says.
[[nodiscard]] LateStart late_start(const std::vector<job::LocalRank>& ranks, const StartingJob& job,
                                   std::chrono::seconds waited);

/// How long MPI may take to start where all ranks are of one host: Open MPI 4.1 took 2.6 s for 64
/// ranks on two processors, 11 s for 128 and 51 to 140 s for 256, so it grows at least with the
/// square of the ranks of a processor.
[[nodiscard]] std::chrono::seconds start_of_crowd(const StartingJob& job);

/// What to do while MPI starts: after 15 s ranks of this host that have not started are named on
/// stderr. The process is ended, with `record`, which has nothing but its head, completed and
/// written by the rank that speaks on the host of rank 0: after 20 s if that host knows which rank
/// is missing and -T was not given, else after -T, which is no less than 20 s here. Without -T, a
/// job on one host all of whose ranks run has as long as start_of_crowd() says.
[[nodiscard]] std::vector<job::StartUpWatch::Step> late_start_steps(
    const std::string& program, const RunOptions& options, const results::Document& record);

}  // namespace railgauge::runner
