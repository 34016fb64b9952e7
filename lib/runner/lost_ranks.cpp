#include "runner/lost_ranks.hpp"

#include <algorithm>

#include "job/process_state.hpp"

namespace railgauge::runner {
namespace {

using results::Failure;

std::string what_became_of(const results::Rank& rank, const std::string& host, bool signalled) {
  const std::string process = "its process " + std::to_string(rank.pid);
  if (rank.host != host) {
    return signalled ? ""
                     : process +
                           " did not answer: it is stopped, gone or busy, its host is down, or the "
                           "network of MPI is";
  }
  switch (job::state_of_process(rank.pid)) {
    case job::ProcessState::ended:
      return process +
             " has ended without a word: killed (by the kernel for want of memory? see "
             "dmesg) or crashed";
    case job::ProcessState::stopped:
      return process + " is stopped: by SIGSTOP, a terminal or a debugger";
    case job::ProcessState::there: break;
  }
  return signalled ? "" : process + " is there but did not answer";
}

}  // namespace

std::vector<Failure> lost_ranks(const std::vector<results::Rank>& ranks, const std::string& host,
                                const std::vector<Failure>& reports, bool signalled) {
  std::vector<Failure> lost;
  for (const results::Rank& rank : ranks) {
    if (std::ranges::count(reports, rank.rank, &Failure::rank) > 0) continue;
    std::string text = what_became_of(rank, host, signalled);
    if (!text.empty()) {
      lost.push_back({rank.rank, rank.host, Failure::Kind::lost, std::move(text)});
    }
  }
  return lost;
}

}  // namespace railgauge::runner
