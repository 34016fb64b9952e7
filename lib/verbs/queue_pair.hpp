#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "verbs/completion_queue.hpp"
#include "verbs/handle.hpp"
#include "verbs/port.hpp"
#include "verbs/write_chain.hpp"

namespace railgauge::verbs {

/// How a pair is made. The defaults suit a lossless fabric of any size.
struct QueuePairSettings {
  int send_depth = 128;            ///< writes outstanding
  int receive_depth = 128;         ///< receives outstanding
  int inline_bytes = 64;           ///< wish: writes up to this size travel inside the request
  std::uint8_t traffic_class = 0;  ///< DSCP << 2 | ECN, as it stands in the IP header
  /// Exponent: 4.096 us * 2^18 = 1.07 s; 0 waits for ever. Far above any round trip, so that it
  /// only speaks of loss: when it fires on an acknowledgement that is merely late, software RoCE
  /// (Linux 6.1) can lose count of its packets, and the peer refuses the next request
  /// (REM_INV_REQ_ERR).
  std::uint8_t ack_timeout = 18;
  /// Time-outs before the pair gives up with RETRY_EXC_ERR, so after (retries + 1) time-outs; at
  /// most 7. Not 7 by default: Linux' software RoCE takes that for "for ever".
  std::uint8_t retries = 6;
};

/// Where a pair can be reached. Trivially copyable; exchange it as bytes (hosts of one byte order).
struct Address {
  std::uint32_t qp_number = 0;
  std::uint32_t first_packet = 0;  ///< packet sequence number it sends first; random, 24 bits
  std::uint32_t mtu_bytes = 0;     ///< the smaller of the two ends' is used
  Gid gid{};
};

/// A connected reliable pair. One thread at a time posts to it. Nothing it does after it was made
/// allocates, locks or throws. Operations return 0 or an errno value (ENOMEM: the queue is full).
class QueuePair {
 public:
  /// Posts an RDMA write. Goes inline when small enough. No bytes are allowed.
  int write(const Write& write) noexcept;

  /// As write(), and takes one receive at the peer, whose completion carries `immediate`.
  int write_with_immediate(const Write& write, std::uint32_t immediate) noexcept;

  /// Posts all of them, and empties the chain. After a failure some may have been posted.
  int post(WriteChain& chain) noexcept;

  /// Posts `count` receives of no bytes, each for one write_with_immediate() of the peer, all with
  /// the same `id`. After a failure some may have been posted.
  int post_receives(int count, std::uint64_t id) noexcept;

  std::uint32_t number() const noexcept { return raw_->qp_num; }
  std::uint32_t inline_bytes() const noexcept { return inline_bytes_; }  ///< as granted

  /// The state as the device sees it, in words: "ready to send", "error". For hang reports: slow.
  std::string_view state() const noexcept;

 private:
  friend class PendingQueuePair;
  QueuePair(QueuePairHandle raw, std::uint32_t inline_bytes)
      : raw_(std::move(raw)), inline_bytes_(inline_bytes) {}

  std::shared_ptr<void> connection_;  // of librdmacm; hangs up after the pair is gone
  QueuePairHandle raw_;
  std::uint32_t inline_bytes_;
};

/// A pair that has an address and no peer yet. It takes receives and nothing else; connecting uses
/// it up. A write on an unconnected pair does not compile.
class PendingQueuePair {
 public:
  /// Makes a reliable-connection pair on `port` (which has to be usable) and takes it to INIT.
  /// `domain` and both queues, which may be the same, have to outlive it and the QueuePair it
  /// becomes. Throws std::system_error.
  PendingQueuePair(ibv_pd& domain, CompletionQueue& sends, CompletionQueue& receives,
                   const Port& port, const QueuePairSettings& settings = {});

  Address address() const;

  /// As QueuePair::post_receives(). What the peer may send first has to be awaited before
  /// connecting: a write with immediate that finds no receive breaks the pair (RNR_RETRY_EXC_ERR at
  /// the sender).
  int post_receives(int count, std::uint64_t id) noexcept { return pair_.post_receives(count, id); }

  std::uint32_t number() const noexcept { return pair_.number(); }
  std::uint32_t inline_bytes() const noexcept { return pair_.inline_bytes(); }  ///< as granted
  std::string_view state() const noexcept { return pair_.state(); }

  /// Connects to the pair at `peer`, which does the same with address(). Both ends may write as
  /// soon as both have connected, not before. Throws std::system_error.
  QueuePair connect(const Address& peer) &&;

 private:
  static QueuePair make(ibv_pd& domain, CompletionQueue& sends, CompletionQueue& receives,
                        const Port& port, const QueuePairSettings& settings);

  friend class Connection;
  // What the connection manager needs. advance() goes to RTR and to RTS with librdmacm's
  // attributes, in which this pair's own GID, time-outs and traffic class replace librdmacm's.
  void advance(ibv_qp_attr to, int mask);
  QueuePair connected(std::shared_ptr<void> connection) &&;

  QueuePair pair_;  // not connected yet
  Port port_;
  QueuePairSettings settings_;
  std::uint32_t first_packet_;
};

}  // namespace railgauge::verbs
