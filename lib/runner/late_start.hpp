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
};

/// `ranks` are those of this host (job::local_ranks), `own` this one. Where all of them have
/// started, or nothing is known of them, the failure is that MPI did not start, which the host of
/// rank 0 alone says.
[[nodiscard]] LateStart late_start(const std::vector<job::LocalRank>& ranks, int own,
                                   const std::string& host, std::chrono::seconds waited);

/// What to do while MPI starts: after 15 s ranks of this host that have not started are named on
/// stderr. The process is ended, with `record`, which has nothing but its head, completed and
/// written by the rank that speaks on the host of rank 0: after 20 s if that host knows which rank
/// is missing and -T was not given, else after -T, which is no less than 20 s here.
[[nodiscard]] std::vector<job::StartUpWatch::Step> late_start_steps(
    const std::string& program, const RunOptions& options, const results::Document& record);

}  // namespace railgauge::runner
