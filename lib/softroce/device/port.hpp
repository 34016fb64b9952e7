#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "softroce/device/counters.hpp"
#include "softroce/device/memory.hpp"
#include "softroce/device/outbox.hpp"
#include "softroce/device/shortcut.hpp"
#include "softroce/faults/faults.hpp"

namespace railgauge::softroce {

struct Context;
struct QueuePair;

/// What the IP and UDP headers of a received packet said.
struct Arrival {
  Address source{};
  std::uint8_t traffic_class = 0;
};

/// The largest path MTU of RoCEv2, and the speed that a soft port says it has: 4 lanes of 10 Gb/s.
inline constexpr unsigned kMaxMtuBytes = 4096;
inline constexpr double kLineBitsPerSecond = 40e9;

/// One device as a machine without wires: packets go in by deliver() and out by the outbox, time is
/// what `now` was set to. It has no thread and no socket, so that a test can drive it packet by
/// packet.
class Port {
 public:
  Port(Outbox& outbox, Address address, std::uint32_t first_queue_pair);

  Outbox& outbox;
  const Address address;
  Counters counters;
  MemoryTable memory;
  Time now{};                   ///< set by whoever drives, before every call
  unsigned mtu = kMaxMtuBytes;  ///< the largest that the interface takes
  bool link_up = true;
  std::vector<Context*> contexts;      ///< who has opened it
  std::unique_ptr<Shortcut> shortcut;  ///< null: all goes over the wire
  void take_shortcut(std::unique_ptr<Shortcut> taken);

  /// Gives a queue pair its number; false when there are too many.
  bool add(QueuePair& queue_pair);
  void remove(QueuePair& queue_pair);
  QueuePair* find(std::uint32_t number) const;

  /// Counts a packet and gives it to the outbox.
  void send(const Path& path, const Packet& headers, std::span<const iovec> payload);
  /// Hands a packet to its queue pair. What is for nobody is counted and dropped.
  void deliver(const Packet& packet, const Arrival& arrival);

  /// This queue pair has something to send, or may have.
  void want(QueuePair& queue_pair);
  /// Lets every queue pair that wants to send a little. True when some could send more at once.
  bool transmit();
  bool wants() const { return !ready_.empty(); }

  /// `time` is to be looked at again by run_timers().
  void arm(Time time) { next_timer_ = time < next_timer_ ? time : next_timer_; }
  Time next_timer() const { return next_timer_; }
  void run_timers();

  /// Link down or up: tells all contexts (IBV_EVENT_PORT_ERR, PORT_ACTIVE).
  void set_link(bool up);

 private:
  std::vector<QueuePair*> queue_pairs_;  // by place; the number is first_ + place
  std::vector<QueuePair*> ready_, running_;
  std::uint32_t first_;
  std::uint32_t next_place_ = 0;
  Time next_timer_ = Time::max();
};

}  // namespace railgauge::softroce
