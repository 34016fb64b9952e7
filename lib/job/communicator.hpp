#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "job/abort_channel.hpp"
#include "measure/timing.hpp"
#include "transport/exchange.hpp"

namespace railgauge::job {

/// All ranks of the job, over MPI, which carries addresses, barriers and times, but none of the
/// data under test. Every collective call ends at the deadline, or when the abort channel is
/// raised, with RunFailure; `what` names the exchange in that message. One thread, one object per
/// process.
class Communicator final : public transport::Exchange, public measure::RankGroup {
 public:
  /// Starts MPI, which takes as long as the last rank (start_up_watch.hpp). `limit` is that of
  /// every wait to come.
  Communicator(int& argc, char**& argv, std::chrono::seconds limit);
  /// Ends MPI. Ends the process with exit status 3 if that takes longer than the limit.
  ~Communicator() override;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  [[nodiscard]] transport::Rank rank() const override { return rank_; }
  [[nodiscard]] transport::Rank ranks() const override { return ranks_; }
  [[nodiscard]] bool is_leader() const { return rank_ == 0; }
  [[nodiscard]] const std::string& host() const { return host_; }
  [[nodiscard]] AbortChannel& abort_channel() { return *abort_channel_; }
  /// The hosts of all ranks, once they are known: for messages that name ranks.
  void know_hosts(std::vector<std::string> hosts) { hosts_ = std::move(hosts); }

  std::vector<transport::Bytes> all_gather(std::span<const std::byte> own) override;
  std::vector<transport::Bytes> exchange_with(std::span<const transport::Rank> peers,
                                              std::span<const transport::Bytes> own) override;
  /// The same for texts.
  std::vector<std::string> all_gather_text(std::string_view own);
  std::vector<double> all_gather(double own) override;
  void barrier() override;
  std::vector<double> reduce(std::span<const double> own, measure::OverRanks which) override;
  std::uint64_t broadcast(std::uint64_t value) override;
  /// Collective: the total over all ranks, on every rank.
  std::uint64_t sum(std::uint64_t own, const char* what);

  /// Ends all ranks at once with this status. Everything worth saying must have been said.
  [[noreturn]] static void abort(int status);

 private:
  struct Request;

  static constexpr std::chrono::microseconds kSleep{100};

  /// Until `is_done`; `what`, if that takes too long, is what this rank was waiting for. MPI may
  /// write to `buffers` until then. Asleep it looks again after kSleep, or after a longer time, up
  /// to `most_sleep`, the longer it has waited: ranks then go on as much later.
  void await(const std::function<bool()>& is_done, const std::function<std::string()>& what,
             const std::shared_ptr<void>& buffers, std::chrono::microseconds most_sleep = kSleep);
  void await(Request& request, const char* what, const std::shared_ptr<void>& buffers,
             std::chrono::microseconds most_sleep = kSleep);

  std::chrono::seconds limit_;
  transport::Rank rank_ = 0;
  transport::Rank ranks_ = 1;
  std::string host_;
  std::vector<std::string> hosts_;  // of all ranks, or empty
  std::unique_ptr<AbortChannel> abort_channel_;
  // Buffers of requests that were given up: MPI may still write to them.
  std::vector<std::shared_ptr<void>> given_up_;
};

/// "Open MPI v4.1.4".
[[nodiscard]] std::string mpi_version();

}  // namespace railgauge::job
