#pragma once

// lib/transport holds all ranks connected: memory that peers may write into, writes, notices.
// It must not know schedules, element types, collectives or MPI.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "transport/exchange.hpp"

namespace railgauge::transport {

/// One connection of this rank: to a peer, on a rail. Ordered: writes and notices of a channel
/// arrive in the order they were posted. Channels are numbered from 0 in the order they were asked
/// for.
using Channel = std::uint32_t;

struct ChannelRequest {
  Rank peer = 0;
  unsigned rail = 0;

  friend bool operator==(const ChannelRequest&, const ChannelRequest&) = default;
};

/// Memory of this rank that channels may read from and that peers may write into. Plain value; the
/// memory itself belongs to the transport and ends with it.
struct Region {
  std::uint32_t id = 0;  // the same on every rank: the order of allocate()
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  std::size_t offset = 0;  // of a part: where it begins in what was allocated

  /// Without its first bytes.
  [[nodiscard]] Region from(std::size_t begin) const {
    return {id, data + begin, bytes - begin, offset + begin};
  }
};

/// Copies `bytes` from our `local` into the peer's region of number `remote_id`, and then hands the
/// peer `notification`. Of no bytes, it is the notification alone.
struct Write {
  Region local;
  std::size_t local_offset = 0;
  std::uint32_t remote_id = 0;
  std::size_t remote_offset = 0;
  std::uint32_t bytes = 0;
  std::uint32_t notification = 0;
  /// Report completion of this write, and so of all before it on the channel, as soon as it is
  /// known. Without it the report may wait until enough have gathered.
  bool report = false;
};

struct Event {
  enum class Kind : std::uint8_t {
    completed,  // value: how many writes of the channel, since it was made, are done: their memory
                // is free again and the peer has the bytes
    arrived,    // value: the notification of a peer's write, whose bytes are in place
    failed,     // value: a code for explain(); the channel is of no more use
  };
  Kind kind = Kind::failed;
  Channel channel = 0;
  std::uint64_t value = 0;
};

/// Not thread-safe: one thread per transport. write(), flush(), poll(), can_post() neither
/// allocate, lock, log nor throw.
///
/// A peer's notifications take room that this side provides: no more than
/// `notifications_in_flight()` may be on their way on a channel in one direction, which is for the
/// caller's flow control to see to.
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  [[nodiscard]] virtual Rank rank() const = 0;
  [[nodiscard]] virtual std::span<const ChannelRequest> channels() const = 0;
  /// The number that the peer has given to this channel.
  [[nodiscard]] virtual Channel peer_channel(Channel channel) const = 0;
  [[nodiscard]] virtual std::uint32_t notifications_in_flight() const = 0;
  /// Writes of up to so many bytes have left their local memory when flush() returns: it need not
  /// stay as it is until they complete.
  [[nodiscard]] virtual std::uint32_t copy_threshold() const = 0;

  /// Collective, in the same order on all ranks; the sizes may differ. Page-aligned, zeroed. Throws
  /// std::runtime_error for want of memory, or what registering throws.
  virtual Region allocate(std::size_t bytes) = 0;

  /// Whether the channel takes another write. If not, poll() first.
  [[nodiscard]] virtual bool can_post(Channel channel) const noexcept = 0;
  /// Needs can_post(). Writes of a channel that follow each other may be gathered and posted
  /// together: they leave with flush() or poll() at the latest. One that cannot be posted comes
  /// back as a failed event.
  virtual void write(Channel channel, const Write& write) noexcept = 0;
  /// Posts what has been gathered.
  virtual void flush() noexcept = 0;
  /// Fills the front of `events` and says how many.
  [[nodiscard]] virtual std::size_t poll(std::span<Event> events) noexcept = 0;
  /// Gives the processor away until there may be something to poll, or for `limit`.
  virtual void idle(std::chrono::microseconds limit) noexcept = 0;

  /// Where the channel runs, in words, with its present state: for reports, never on the hot path.
  [[nodiscard]] virtual std::string describe(Channel channel) const = 0;
  /// What the value of a failed event means.
  [[nodiscard]] virtual std::string explain(const Event& failed) const = 0;
};

}  // namespace railgauge::transport
