#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "transport/in_process.hpp"

namespace railgauge::transport {

/// The wire that a test binary is built with: all binaries run the same tests.
class Wire {
 public:
  Wire() = default;
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;
  virtual ~Wire() = default;
  [[nodiscard]] virtual unsigned rails() const = 0;
  /// Of the exchange, that join() takes.
  [[nodiscard]] virtual int rounds() const { return 2; }
  virtual std::unique_ptr<Transport> join(Exchange& exchange,
                                          std::span<const ChannelRequest> channels) = 0;
  /// From now on nothing that `from` writes reaches `to`, or `from` is told that it failed. Only
  /// the in-process wire can do that.
  virtual void sever(Rank from, Rank to) = 0;
  virtual void fail(Rank from, Rank to) = 0;
};

/// One wire for all ranks of a test. Null, with the reason, where it cannot run.
std::unique_ptr<Wire> make_wire(InProcessFabric& fabric, std::string& why_not);

/// Runs `body` once a rank, each on a thread of its own, over a wire and an exchange. An exception
/// of a rank fails the test. The test is skipped where the wire cannot run.
struct RankContext {
  Wire& wire;
  Exchange& exchange;
  Rank rank;
  Rank ranks;
};
void run_ranks(Rank ranks, const std::function<void(RankContext&)>& body);

/// Waits for one event, at most ten seconds.
Event next_event(Transport& transport);

}  // namespace railgauge::transport
