#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "job/failure.hpp"
#include "job/signals.hpp"

namespace railgauge::job {

/// When one rank fails, all ranks end within seconds, and each first tells rank 0 what it saw or
/// what it was waiting for. Uses a communicator of its own over MPI, and never waits for a rank
/// that does not answer. Not thread-safe.
class AbortChannel {
 public:
  /// Collective, after MPI_Init.
  explicit AbortChannel(std::string host);
  ~AbortChannel();
  AbortChannel(const AbortChannel&) = delete;
  AbortChannel& operator=(const AbortChannel&) = delete;

  /// Whether this rank has to stop: another rank failed, or a signal arrived. Every wait asks this;
  /// MPI is polled at most once a millisecond.
  [[nodiscard]] bool raised();
  /// Throws RunFailure if it is raised: interrupted after a signal, otherwise stopped.
  void check();

  struct Reports {
    std::vector<results::Failure> failures{};
    /// What ranks attached to their reports: bytes that only their reader understands.
    std::vector<std::string> attachments{};
  };

  /// Rank 0: tells all other ranks to stop and collects their reports. Causes come first, then
  /// ranks that were merely stopped; rank 0's own report leads either group. Ranks that do not
  /// answer within `limit` are left out, as is what they have not attached by then.
  Reports collect_reports(const RunFailure& own, std::chrono::milliseconds limit);

  /// Any other rank: reports to rank 0, then sends what `attach` returns, which may take its time
  /// or come too late, then waits for rank 0 to end the job.
  [[noreturn]] void report(const RunFailure& own, const std::function<std::string()>& attach);

 private:
  struct Mpi;  // its communicator

  [[nodiscard]] results::Failure failure_of(const RunFailure& own) const;
  void receive_report(int source, int tag, int bytes);
  bool receive_attachment();
  [[nodiscard]] bool all_have_reported() const;

  std::unique_ptr<Mpi> mpi_;
  int rank_ = 0;
  int ranks_ = 1;
  std::string host_;
  bool raised_ = false;
  std::chrono::steady_clock::time_point next_poll_;
  Reports reports_;  // rank 0
};

}  // namespace railgauge::job
