#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace railgauge::job {

/// A rank of this job on this host, as the kernel shows its processes.
struct LocalRank {
  int rank = 0;
  int pid = 0;
  bool started = false;  // a process of it runs this program, and is not stopped
  std::string state{};   // if it has not: "its process 4711 runs sleep, not all_reduce_perf"
};

/// The ranks of this process's job on this host, in order, before MPI is up: by the variables that
/// a launcher with PMIx gives to each (PMIX_RANK, and PMIX_NAMESPACE, which tells jobs apart), in
/// PROC/PID/environ (proc(5)) of this user's processes. A rank's wrappers (shells, numactl) have
/// them, too: it has started as soon as any of its processes runs this program. None where no
/// launcher has set them.
[[nodiscard]] std::vector<LocalRank> local_ranks(const std::filesystem::path& proc = "/proc");

/// Whether one of them before this process's own has started: without a look at all processes.
[[nodiscard]] bool earlier_rank_runs(const std::filesystem::path& proc = "/proc");

/// Whether `ranks`, those of this host that there are, have all that are numbered before this one.
[[nodiscard]] bool earlier_ranks_live(const std::vector<LocalRank>& ranks);

/// The rank of this process; -1 where no launcher has said.
[[nodiscard]] int own_rank();

/// How many ranks this process's job has, and how many of them this host has; -1 where no launcher
/// has said.
[[nodiscard]] int ranks_of_job();
[[nodiscard]] int ranks_of_host();

}  // namespace railgauge::job
