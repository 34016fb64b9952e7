#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "verbs/connection.hpp"
#include "verbs/queue_pair.hpp"

namespace railgauge::verbs {

/// Connects queue pairs through librdmacm instead of an exchange of addresses: the kernel's
/// connection manager resolves routes and carries the packet sequence numbers, in packets on the
/// rail itself. The result is an ordinary QueuePair, which keeps its librdmacm connection and
/// disconnects when it is destroyed.
///
/// One per rail and process, used by one thread. All calls but finish() only start something, so a
/// process may be active for some pairs and passive for others in any order, except that the peer
/// must have called listen() before start().
///
/// All throw std::system_error, naming the peer, the event and its status in words.
class ConnectionManager {
 public:
  /// `source_address` is the rail's own IP address (Port::address()): requests leave from it and
  /// arrive at it. Needs the kernel module rdma_ucm.
  explicit ConnectionManager(const std::string& source_address);

  /// Listens on a port that the kernel chooses, and returns it for the peers. Call once.
  std::uint16_t listen();

  /// Active side: connects `pair` to the pair that the peer expects under the same cookie. The
  /// cookie is a short text, at most 32 bytes, and names the connection in messages: "rank 3 > 4,
  /// channel 0". The pair must be on this rail.
  void start(PendingQueuePair pair, const std::string& peer_address, std::uint16_t peer_port,
             std::string_view cookie);

  /// Passive side: `pair` is for the request with this cookie. Each expect() of a process needs a
  /// cookie of its own. Requests with any other cookie are refused.
  void expect(PendingQueuePair pair, std::string_view cookie);

  /// Runs until every pair is connected; returns them in the order of the calls to start() and
  /// expect(). Throws at the first failure, and ETIMEDOUT at the deadline, naming all that is
  /// missing.
  /// `look_up` is called ten times a second while waiting; what it throws ends the wait.
  std::vector<QueuePair> finish(
      std::chrono::steady_clock::time_point deadline, const std::function<void()>& look_up = [] {});

 private:
  struct Event;

  void add(std::unique_ptr<Connection> connection);
  bool all_connected() const;
  void wait_and_handle(std::chrono::steady_clock::time_point deadline,
                       const std::function<void()>& look_up);
  void handle(const Event& event);
  void accept(const Event& request);
  [[noreturn]] void give_up() const;

  std::string source_address_;
  EventChannel channel_;
  ConnectionId listener_;
  std::vector<std::unique_ptr<Connection>> connections_;  // ids point to them
  int refused_ = 0;  // requests with an unknown cookie, for the message at the deadline
};

}  // namespace railgauge::verbs
