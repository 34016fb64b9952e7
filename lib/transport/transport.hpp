#pragma once

// lib/transport holds all ranks connected: memory that peers may write into, writes, notifications.
// It must not know schedules, element types, collectives or MPI.

#include <poll.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "finding/finding.hpp"
#include "transport/exchange.hpp"

namespace railgauge::transport {

/// One connection of this rank: to a peer, on a rail. Ordered: writes and notifications of a
/// channel arrive in the order they were posted. Channels are numbered from 0 in the order they
/// were requested.
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
  /// It is memory of a device (a GPU): no processor may touch it.
  bool of_device = false;

  /// Without its first bytes.
  [[nodiscard]] Region from(std::size_t begin) const {
    return {id, data + begin, bytes - begin, offset + begin, of_device};
  }
};

/// Memory of a device, as a NIC gets at it. Belongs to the caller.
struct DeviceMemory {
  std::span<std::byte> bytes;  // at the device's own addresses
  int dma_buf = -1;            // a file that shows it; -1: by its addresses alone, as peer memory
  std::uint64_t offset = 0;    // where it begins in that
};

/// Copies `bytes` from our `local` into the peer's region `remote_id`, and then hands the peer
/// `notification`. Without bytes it is the notification alone. Bytes may come as late as the peer
/// polls the notification: until it has said that it did, nothing else is to be written there.
struct Write {
  Region local;
  std::size_t local_offset = 0;
  std::uint32_t remote_id = 0;
  std::size_t remote_offset = 0;
  std::uint32_t bytes = 0;
  std::uint32_t notification = 0;
  /// Report completion of this write, and so of all before it on the channel, as soon as it is
  /// known. Otherwise the report may wait for later writes.
  bool report = false;
};

struct Event {
  enum class Kind : std::uint8_t {
    completed,  // value: how many writes of the channel, since it was made, are done: their memory
                // is free again and the peer has the bytes
    arrived,    // value: the notification of a peer's write, whose bytes are in place
    failed,     // value: a code for explain(); the channel is unusable from now on
  };
  Kind kind = Kind::failed;
  Channel channel = 0;
  std::uint64_t value = 0;
};

/// Not thread-safe: one thread per transport. write(), flush(), poll() and can_post() neither
/// allocate, lock, log nor throw.
///
/// This side provides the space for a peer's notifications: no more than notifications_in_flight()
/// may be in flight on a channel in one direction. The caller's flow control must see to that.
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  [[nodiscard]] virtual Rank rank() const = 0;
  [[nodiscard]] virtual std::span<const ChannelRequest> channels() const = 0;
  /// The peer's number for this channel.
  [[nodiscard]] virtual Channel peer_channel(Channel channel) const = 0;
  [[nodiscard]] virtual std::uint32_t notifications_in_flight() const = 0;
  /// Writes of up to this many bytes no longer need their local memory once flush() has returned:
  /// it may change before they complete. Not memory of a device.
  [[nodiscard]] virtual std::uint32_t copy_threshold() const = 0;

  /// Collective, in the same order on all ranks; the sizes may differ. It waits for the peers of
  /// this rank's channels only: when it returns they may write into the region, and this rank into
  /// theirs, while others may not have called yet. Page-aligned, zeroed. Throws std::runtime_error
  /// if memory is short, or what registering throws.
  virtual Region allocate(std::size_t bytes) = 0;
  /// Collective in the same way: a region in memory that is there already, and outlives this
  /// transport. So several transports of a rank, each with its own thread, work on the same
  /// buffers. Throws std::logic_error if the wire needs memory of a kind of its own.
  virtual Region share(std::span<std::byte> memory);

  /// Collective in the same way, on all ranks alike: a region in memory of a device, which outlives
  /// this transport. Throws std::system_error if a NIC cannot get at it, std::logic_error as above.
  virtual Region share_device(const DeviceMemory& memory);

  /// Whether the channel takes another write. If not, poll() first.
  [[nodiscard]] virtual bool can_post(Channel channel) const noexcept = 0;
  /// Needs can_post(). Consecutive writes of a channel may be gathered and posted together: they
  /// leave with flush() or poll() at the latest. One that cannot be posted comes back as a failed
  /// event.
  virtual void write(Channel channel, const Write& write) noexcept = 0;
  /// Posts what has been gathered.
  virtual void flush() noexcept = 0;
  /// Fills the front of `events` and returns how many.
  [[nodiscard]] virtual std::size_t poll(std::span<Event> events) noexcept = 0;
  /// Gives the processor away until there may be something to poll, or for `limit`.
  virtual void idle(std::chrono::microseconds limit) noexcept = 0;

  /// Whether a write is posted whose end is not known: it may still fail. For reports.
  [[nodiscard]] virtual bool in_flight() const noexcept { return false; }

  /// Where the channel runs and its present state: for reports, never on the hot path.
  [[nodiscard]] virtual std::string describe(Channel channel) const = 0;
  /// From this end to the peer; nowhere if no rail carries it.
  [[nodiscard]] virtual finding::Location path(Channel /*channel*/) const { return {}; }
  /// What the value of a failed event means.
  [[nodiscard]] virtual std::string explain(const Event& failed) const = 0;
  /// What this side knows to be wrong by now with its channels and ports, a finding of the check
  /// "transport" each: what has failed, and what did not pass. For reports.
  [[nodiscard]] virtual std::vector<finding::Finding> faults() const { return {}; }
};

inline Region Transport::share(std::span<std::byte> /*memory*/) {
  throw std::logic_error("this wire cannot share memory with another transport");
}

inline Region Transport::share_device(const DeviceMemory& /*memory*/) {
  throw std::logic_error("this wire does not reach memory of a device");
}

/// A transport on which a thread can sleep together with other transports.
class Pollable : public Transport {
 public:
  /// What becomes readable when there may be something to poll, for poll(2). It does not change.
  [[nodiscard]] virtual std::vector<pollfd> sleepers() const = 0;
  /// From now on whatever comes wakes the sleepers. False if something has come already: then do
  /// not sleep.
  virtual bool arm() noexcept = 0;
  /// After arm(), whether or not the thread slept.
  virtual void disarm() noexcept = 0;
};

/// ppoll() until one is readable, or for `limit`.
inline void sleep_on(std::vector<pollfd>& sleepers, std::chrono::microseconds limit) noexcept {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit);
  const timespec time{seconds.count(), (limit - seconds).count() * 1000};
  ::ppoll(sleepers.data(), sleepers.size(), &time, nullptr);
}

}  // namespace railgauge::transport
