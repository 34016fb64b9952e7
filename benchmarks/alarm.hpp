#pragma once

#include <mpi.h>

#include <chrono>
#include <string>
#include <vector>

#include "results/document.hpp"
#include "results/exit_code.hpp"

namespace railgauge::benchmarks {

/// What ends a run before its time, thrown by whoever finds it and caught by run().
struct RunFailure : std::runtime_error {
  RunFailure(results::Failure::Kind why, const std::string& text)
      : std::runtime_error(text), kind(why) {}
  results::Failure::Kind kind;
};

[[nodiscard]] results::ExitCode exit_code_of(results::Failure::Kind kind);

/// One fails, all end: within seconds, each having told rank 0 what it saw or waited for. Speaks
/// over MPI, on a communicator of its own, and never waits for a rank that does not answer.
/// One thread.
class Alarm {
 public:
  /// Collective.
  Alarm(MPI_Comm world, std::string host);

  /// Whether this rank has to stop: another one failed, or a signal came. Asked in every wait;
  /// looks at MPI once a millisecond at the most.
  [[nodiscard]] bool rings();
  /// Throws RunFailure if it does: interrupted for a signal, else stopped.
  void check();

  /// Rank 0: tells all others to stop, and gathers what each of them says: causes before ranks
  /// that were only stopped, its own first of either. Ranks that say nothing within `limit` are
  /// left out.
  std::vector<results::Failure> gather(const RunFailure& own, std::chrono::milliseconds limit);

  /// Any other rank: tells rank 0, then waits for it to end all ranks.
  [[noreturn]] void tell(const RunFailure& own);

 private:
  void take_report(const MPI_Status& envelope);

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int ranks_ = 1;
  std::string host_;
  bool ringing_ = false;
  std::chrono::steady_clock::time_point next_look_;
  std::vector<results::Failure> reports_;  // rank 0
};

}  // namespace railgauge::benchmarks
