#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "transport/transport.hpp"

namespace railgauge::transport {

/// A wire on which ranks are threads of one process: for tests, and for the sanitizers. All ranks
/// share one fabric, which must outlive their transports and keeps their memory: a peer may still
/// write into it after a rank has gone. One transport per rank.
class InProcessFabric {
 public:
  /// `limit` is that of a wait for neighbours; the default is no limit, and the test's own ends it.
  explicit InProcessFabric(Rank ranks, std::chrono::milliseconds limit = std::chrono::hours(24));
  ~InProcessFabric();
  InProcessFabric(const InProcessFabric&) = delete;
  InProcessFabric& operator=(const InProcessFabric&) = delete;

  /// The exchange of one rank. Gathering, its thread waits without a deadline until all ranks have
  /// called.
  std::unique_ptr<Exchange> exchange(Rank rank);
  /// Collective.
  std::unique_ptr<Transport> join(Exchange& exchange, std::span<const ChannelRequest> channels);

  /// Drops whatever `from` writes to `to` from now on, like a link that is down. Any thread.
  void sever(Rank from, Rank to);
  /// Fails whatever `from` writes to `to` from now on, with a failed event. Any thread.
  void fail(Rank from, Rank to);

 private:
  friend class InProcessExchange;
  friend class InProcessTransport;
  struct Endpoint;  // a rank's events and its memory
  enum class Link : std::uint8_t { whole, severed, failing };

  std::vector<Bytes> gather(Rank rank, std::span<const std::byte> own);
  void hand_over(Rank from, std::span<const Rank> peers, std::span<const Bytes> own);
  std::vector<Bytes> await(Rank rank, std::span<const Rank> peers);
  Link link(Rank from, Rank to);
  void set_link(Rank from, Rank to, Link link);

  using Pair = std::pair<Rank, Rank>;  // from, to

  std::vector<std::unique_ptr<Endpoint>> endpoints_;
  std::chrono::milliseconds limit_;
  std::mutex mutex_;  // guards all below
  std::condition_variable gathered_;
  std::vector<Bytes> brought_;
  std::vector<Bytes> result_;
  std::uint64_t round_ = 0;
  Rank waiting_ = 0;
  std::condition_variable came_;
  std::map<Pair, std::deque<Bytes>> handed_;  // and not yet taken
  std::map<Pair, Link> broken_;
};

}  // namespace railgauge::transport
