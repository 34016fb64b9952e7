#pragma once

#include <infiniband/verbs.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "verbs/completion_queue.hpp"
#include "verbs/device.hpp"
#include "verbs/memory.hpp"
#include "verbs/port.hpp"
#include "verbs/udp_source_port.hpp"

namespace railgauge::verbs {

struct Write {
  LocalSlice from{};
  RemoteSlice to{};
  std::uint64_t id = 0;  ///< comes back in the completion
  /// Whether success generates a completion; failure always does. A completion also frees the
  /// send-queue entries of all earlier writes, so at least one in `send_depth` must be signaled.
  bool signaled = true;
};

/// Bytes of the peer's, which it has to allow (QueuePairSettings::reads, PeerAccess).
struct Read {
  RemoteSlice from{};
  LocalSlice into{};
  std::uint64_t id = 0;  ///< comes back in the completion
};

/// Writes for one queue pair, handed to the device in order by one call, with one lock and one
/// doorbell. Filled, posted by QueuePair::post(), filled again.
class WriteChain {
 public:
  static constexpr std::size_t kMost = 16;  // of 144 bytes each

  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  [[nodiscard]] bool full() const noexcept { return count_ == kMost; }

  /// Needs !full(). With an immediate it consumes one receive at the peer, whose completion carries
  /// it. Inline bytes are read by post(), not here.
  void add(const Write& write, std::optional<std::uint32_t> immediate) noexcept;

 private:
  friend class QueuePair;

  // Only the first `count_` are filled; post() links them.
  std::array<ibv_send_wr, kMost> requests_;
  std::array<ibv_sge, kMost> slices_;
  std::size_t count_ = 0;
};

/// How a pair is made. The defaults suit a lossless fabric of any size.
struct QueuePairSettings {
  int send_depth = 128;            ///< writes outstanding
  int receive_depth = 128;         ///< receives outstanding
  int inline_bytes = 64;           ///< requested: writes up to this size go inside the request
  std::uint8_t traffic_class = 0;  ///< DSCP << 2 | ECN, as in the IP header
  /// RDMA reads outstanding, in each direction; 0: neither end may read from the other.
  std::uint8_t reads = 0;
  /// 20 bits. Drivers make the UDP source port of it, by which switches choose among equal paths,
  /// and devices of mlx5 are told it besides (udp_source_port.hpp); 0: of the numbers of both
  /// pairs.
  std::uint32_t flow_label = 0;
  /// Exponent: 4.096 us * 2^18 = 1.07 s; 0 waits for ever. Far above any round trip, so that it
  /// fires on loss only: if it fires on an acknowledgement that is merely late, software RoCE
  /// (Linux 6.1) can lose count of its packets, and the peer refuses the next request
  /// (REM_INV_REQ_ERR).
  std::uint8_t ack_timeout = 18;
  /// The pair fails with RETRY_EXC_ERR after (retries + 1) timeouts; at most 7. Not 7 by default:
  /// Linux's software RoCE takes that to mean "for ever".
  std::uint8_t retries = 6;
};

/// Where a pair can be reached. Trivially copyable; exchange it as bytes (between hosts of one byte
/// order).
struct Address {
  std::uint32_t qp_number = 0;
  std::uint32_t first_packet = 0;  ///< packet sequence number it sends first; random, 24 bits
  std::uint32_t mtu_bytes = 0;     ///< the smaller of the two ends' is used
  Gid gid{};
};

/// A connected reliable pair. One thread at a time posts to it. After construction nothing it does
/// allocates, locks or throws. Operations return 0 or an errno value (ENOMEM: the queue is full).
class QueuePair {
 public:
  /// Posts an RDMA write, inline if small enough. It may be empty.
  int write(const Write& write) noexcept;

  /// As write(), and consumes one receive at the peer, whose completion carries `immediate`.
  int write_with_immediate(const Write& write, std::uint32_t immediate) noexcept;

  /// Posts an RDMA read. No more than QueuePairSettings::reads are under way; others wait for them.
  int read(const Read& read) noexcept;

  /// Posts a send, which consumes one receive at the peer and goes where that says.
  int send(const LocalSlice& from, std::uint64_t id) noexcept;

  /// Posts the whole chain and empties it. After a failure some writes may have been posted.
  int post(WriteChain& chain) noexcept;

  /// Posts `count` empty receives, each for one write_with_immediate() of the peer, all with the
  /// same `id`. After a failure some may have been posted.
  int post_receives(int count, std::uint64_t id) noexcept;
  /// The same for sends of the peer, whose bytes all go to the same place.
  int post_receives(int count, std::uint64_t id, const LocalSlice& into) noexcept;

  std::uint32_t number() const noexcept { return raw_->qp_num; }
  std::uint32_t inline_bytes() const noexcept { return inline_bytes_; }  ///< as granted
  /// Whether it sends from the port of its flow label.
  SourcePort source_port() const noexcept { return source_port_; }

  /// The state as the device sees it: "ready to send", "error". Slow: for hang reports.
  std::string_view state() const noexcept;

 private:
  friend class PendingQueuePair;
  QueuePair(QueuePairHandle raw, std::uint32_t inline_bytes)
      : raw_(std::move(raw)), inline_bytes_(inline_bytes) {}

  std::shared_ptr<void> connection_;  // of librdmacm; disconnects after the pair is gone
  QueuePairHandle raw_;
  std::uint32_t inline_bytes_;
  SourcePort source_port_ = SourcePort::by_driver;
};

/// A pair that has an address but no peer yet. It takes receives and nothing else, and connecting
/// consumes it: a write on an unconnected pair does not compile.
class PendingQueuePair {
 public:
  /// Makes a reliable-connection pair on `port` (which must be usable) and moves it to INIT.
  /// `domain` and both queues, which may be the same, must outlive it and the QueuePair it
  /// becomes. Throws std::system_error.
  PendingQueuePair(ibv_pd& domain, CompletionQueue& sends, CompletionQueue& receives,
                   const Port& port, const QueuePairSettings& settings = {});

  Address address() const;

  /// As QueuePair::post_receives(). Receives for what the peer may send first must be posted
  /// before connecting: a write with immediate that finds no receive breaks the pair
  /// (RNR_RETRY_EXC_ERR at the sender).
  int post_receives(int count, std::uint64_t id) noexcept { return pair_.post_receives(count, id); }
  int post_receives(int count, std::uint64_t id, const LocalSlice& into) noexcept {
    return pair_.post_receives(count, id, into);
  }

  std::uint32_t number() const noexcept { return pair_.number(); }
  std::uint32_t inline_bytes() const noexcept { return pair_.inline_bytes(); }  ///< as granted
  std::string_view state() const noexcept { return pair_.state(); }

  /// Connects to the pair at `peer`, which does the same with our address(). Neither end may write
  /// before both have connected. Throws std::system_error.
  QueuePair connect(const Address& peer) &&;

 private:
  static QueuePair make(ibv_pd& domain, CompletionQueue& sends, CompletionQueue& receives,
                        const Port& port, const QueuePairSettings& settings);

  friend class Connection;
  // For the connection manager. advance() moves to RTR and to RTS with librdmacm's attributes,
  // except for this pair's own GID, timeouts and traffic class.
  void advance(ibv_qp_attr to, int mask);
  QueuePair connected(std::shared_ptr<void> connection) &&;  // it is ready to send

  QueuePair pair_;  // not connected yet
  Port port_;
  QueuePairSettings settings_;
  std::uint32_t first_packet_;
};

}  // namespace railgauge::verbs
