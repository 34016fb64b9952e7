#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/alarm.hpp"
#include "benchmarks/over_ranks.hpp"
#include "transport/exchange.hpp"

namespace railgauge::benchmarks {

/// All ranks of the job, over MPI. MPI carries addresses, barriers and times, and none of the data
/// under test. Every call with others in it ends at the deadline or when the alarm rings, with
/// RunFailure. One thread, one world a process.
class World final : public transport::Exchange {
 public:
  World(int& argc, char**& argv, std::chrono::seconds limit);
  ~World() override;
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  [[nodiscard]] transport::Rank rank() const override { return rank_; }
  [[nodiscard]] transport::Rank ranks() const override { return ranks_; }
  [[nodiscard]] const std::string& host() const { return host_; }
  [[nodiscard]] Alarm& alarm() { return *alarm_; }

  std::vector<transport::Bytes> all_gather(std::span<const std::byte> own) override;
  void barrier();
  /// Element by element one value of all ranks'; on rank 0 only.
  std::vector<double> over_ranks(std::span<const double> own, OverRanks which);
  /// What rank 0 has, on all ranks.
  std::uint64_t told_by_first(std::uint64_t value);
  /// Every rank's value, on all ranks.
  std::vector<double> of_all(double own);
  /// Over ranks; known to all.
  std::uint64_t sum(std::uint64_t own);

  /// Ends all ranks at once with this status. The run's last words must have been said.
  [[noreturn]] static void abort(int status);

 private:
  /// `buffers` are the request's: a collective that is given up may still be written by MPI, so
  /// they are kept then for as long as this process lives.
  void await(MPI_Request& request, const char* what, const std::shared_ptr<void>& buffers);

  std::chrono::seconds limit_;
  transport::Rank rank_ = 0;
  transport::Rank ranks_ = 1;
  std::string host_;
  std::unique_ptr<Alarm> alarm_;
  std::vector<std::shared_ptr<void>> given_up_;
};

}  // namespace railgauge::benchmarks
