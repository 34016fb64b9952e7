#pragma once

#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "results/document.hpp"
#include "results/exit_code.hpp"
#include "transport/exchange.hpp"

// lib/job holds the ranks of one MPI job: communicator, abort, consistency, signals, start-up. It
// is the only folder that includes <mpi.h>, and must not know what the ranks measure.

namespace railgauge::job {

/// Ends a run early. Thrown by whoever finds the reason, caught by runner::run().
struct RunFailure : std::runtime_error {
  RunFailure(results::Failure::Kind why, const std::string& text,
             std::vector<finding::Finding> found = {})
      : std::runtime_error(text), kind(why), findings(std::move(found)) {}
  results::Failure::Kind kind;
  std::vector<finding::Finding> findings;  ///< what is known of the place; empty: nothing
};

/// Throws a RunFailure: the run was asked for what it cannot do.
[[noreturn]] void refuse_use(const std::string& why);

/// That other ranks did not come to `what`, "a barrier", in time. Of a short time-out it is said
/// that ranks also set up devices and memory in it, which may be all that was late.
[[nodiscard]] RunFailure timed_out(std::chrono::seconds limit, const std::string& what);

/// What a rank was waiting for whose neighbours did not all answer: "an exchange with neighbours,
/// of which rank 3 (node2) and rank 5 (node3) have not answered". `hosts` are those of all ranks,
/// or empty.
[[nodiscard]] std::string exchange_without(const std::vector<transport::Rank>& unanswered,
                                           const std::vector<std::string>& hosts);

/// The process's exit status for a failure of this kind.
[[nodiscard]] results::ExitCode exit_code_of(results::Failure::Kind kind);

}  // namespace railgauge::job
