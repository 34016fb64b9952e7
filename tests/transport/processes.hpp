#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "transport/exchange.hpp"

namespace railgauge::transport {

/// An exchange between processes that fork() has made: a pipe from every rank to every other.
class PipeExchange final : public Exchange {
 public:
  using Pipe = std::array<int, 2>;
  using Pipes = std::vector<std::vector<Pipe>>;  // [from][to]

  PipeExchange(Rank rank, const Pipes& pipes) : rank_(rank), pipes_(pipes) {}
  [[nodiscard]] Rank rank() const override { return rank_; }
  [[nodiscard]] Rank ranks() const override { return static_cast<Rank>(pipes_.size()); }
  std::vector<Bytes> all_gather(std::span<const std::byte> own) override;
  std::vector<Bytes> exchange_with(std::span<const Rank> peers,
                                   std::span<const Bytes> own) override;

 private:
  void hand(Rank to, std::span<const std::byte> own) const;
  [[nodiscard]] Bytes take(Rank from) const;

  Rank rank_;
  const Pipes& pipes_;
};

/// How a rank's process ended, in words: "" if its body returned and no expectation failed,
/// "signal 9" if it was killed.
using Endings = std::vector<std::string>;

/// Runs `body` once a rank, each in a process of its own, and waits for all of them.
Endings run_processes(Rank ranks, const std::function<void(Exchange&)>& body);

/// From now on a system call of this thread, other than exit_group(), ends the process with SIGSYS.
void forbid_system_calls();

}  // namespace railgauge::transport
