#pragma once

#include <sys/uio.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "softroce/device/link_speed.hpp"
#include "softroce/device/memory.hpp"
#include "softroce/device/pacer.hpp"
#include "softroce/device/priority_pause.hpp"
#include "softroce/device/profile.hpp"
#include "softroce/device/shortcut.hpp"
#include "softroce/faults/faults.hpp"
#include "softroce/wire/address.hpp"
#include "softroce/wire/packet.hpp"

namespace railgauge::softroce {

/// What a device counts, under the names of rdma_rxe (drivers/infiniband/sw/rxe/rxe_hw_counters.c)
/// and, for congestion, of mlx5 (np_cnp_sent and so on): tools that read those read these.
struct Counters {
  std::uint64_t sent_pkts = 0;
  std::uint64_t rcvd_pkts = 0;
  std::uint64_t sent_bytes = 0;  ///< UDP payload
  std::uint64_t rcvd_bytes = 0;
  std::uint64_t duplicate_request = 0;
  std::uint64_t out_of_seq_request = 0;
  std::uint64_t rcvd_rnr_err = 0;
  std::uint64_t send_rnr_err = 0;
  std::uint64_t rcvd_seq_err = 0;
  std::uint64_t ack_deferred = 0;
  std::uint64_t retry_exceeded_err = 0;
  std::uint64_t retry_rnr_exceeded_err = 0;
  std::uint64_t completer_retry_err = 0;  ///< how often a requester's timer made it go back
  std::uint64_t send_err = 0;             ///< datagrams that the kernel refused
  std::uint64_t link_downed = 0;
  std::uint64_t rdma_sends = 0;
  std::uint64_t rdma_recvs = 0;
  std::uint64_t icrc_err = 0;
  std::uint64_t rcvd_overflow = 0;  ///< datagrams that our socket had no room for
  std::uint64_t malformed = 0;
  std::uint64_t unexpected = 0;  ///< for an unknown queue pair, or one that is not ready
  std::uint64_t retransmitted_pkts = 0;
  std::uint64_t np_ecn_marked_roce_packets = 0;
  std::uint64_t np_cnp_sent = 0;
  std::uint64_t rp_cnp_handled = 0;
  std::uint64_t rp_cnp_ignored = 0;
  std::uint64_t shortcut_operations = 0;  ///< WRITEs and READs without packets
  std::uint64_t shortcut_bytes = 0;
  std::array<std::uint64_t, kPriorities> sent_by_priority{};  ///< of sent_bytes
  std::array<std::uint64_t, kPriorities> rcvd_by_priority{};

  /// Without those by priority.
  std::vector<std::pair<std::string, std::uint64_t>> named() const;
};

/// Where packets go, and what their IP and UDP headers say.
struct Path {
  Address destination{};
  std::uint16_t source_port = kRocePort;  ///< from the flow label: entropy for ECMP
  std::uint8_t traffic_class = 0;
  std::uint8_t hop_limit = kDefaultHopLimit;
  bool operator==(const Path&) const = default;
};

/// What the socket of a peer on this host holds and has room for, as its kernel counts: bytes of
/// packets with their bookkeeping (SO_RCVBUF in socket(7)).
struct Backlog {
  std::uint32_t waiting_bytes = 0;
  std::uint32_t capacity_bytes = 0;
};

/// Who has a UDP port of an address, as far as the kernel of this host says.
enum class PortHolder { device, another_user, unknown };

/// Takes a queue pair's packets: a socket, or a test.
class Outbox {
 public:
  Outbox() = default;
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;
  virtual ~Outbox() = default;

  /// Takes one packet. Headers are copied; the bytes that `payload` points at must not change until
  /// flush(). At most kMaxPieces pieces. Returns its size in bytes of UDP payload; 0 if some of the
  /// payload is not there (memory_guard.hpp), and nothing is sent.
  virtual std::size_t send(const Path& path, const Packet& headers,
                           std::span<const iovec> payload) = 0;
  /// Prepares a path, off the hot path: opens the source port, until it has been released as often.
  /// False if that fails; errno says why.
  virtual bool prepare(const Path& path) = 0;
  /// No more packets take a path that was prepared. Of one that was not, nothing happens.
  virtual void release(const Path&) {}
  /// Sends everything taken so far; what cannot be sent is lost.
  virtual void flush() = 0;
  /// What waits unread at the other end of a path; nothing if that is not on this host, or not
  /// known. Asks the kernel: not for every packet.
  virtual std::optional<Backlog> backlog(const Path&) { return {}; }
  /// Whether packets from this port of an address can only come from the device that has the
  /// address. Asks the kernel, too.
  virtual PortHolder holder(const Address&, std::uint16_t /*source_port*/) {
    return PortHolder::unknown;
  }
  /// Whether a packet of so many bytes that nobody will repeat may be sent now, or had better wait
  /// until the peer has read. True takes the room.
  virtual bool take_room(const Path&, std::size_t /*bytes*/, Time /*now*/) { return true; }
};

struct Context;
struct QueuePair;

/// What the IP and UDP headers of a received packet said.
struct Arrival {
  Address source{};
  std::uint8_t traffic_class = 0;
  std::uint16_t source_port = kRocePort;
  std::uint8_t hop_limit = kDefaultHopLimit;
};

/// The largest path MTU of RoCEv2.
inline constexpr unsigned kMaxMtuBytes = 4096;

/// Of a port, with numbers that follow each other. 0 and 1 are special, and 0xffffff means all of a
/// multicast group.
inline constexpr std::uint32_t kMostQueuePairs = 32768;

/// How many objects of each kind a device has: verbs refuse more than ibv_query_device() promises.
/// Queue pairs are counted by their numbers.
struct Census {
  int domains = 0;
  int regions = 0;
  int windows = 0;
  int completion_queues = 0;
  int shared_receive_queues = 0;
  int address_handles = 0;
};

/// One device without wires: packets go in through deliver() and out through the outbox, and `now`
/// is the time. It has no thread and no socket, so a test can drive it packet by packet.
class Port {
 public:
  Port(Outbox& outbox, Address address, std::uint32_t first_queue_pair);

  Outbox& outbox;
  const Address address;
  Counters counters;
  MemoryTable memory;
  Census census;
  Time now{};                   ///< set by the caller before every call
  unsigned mtu = kMaxMtuBytes;  ///< the largest that the interface allows
  /// What verbs say, and what congestion control returns to. What is sent, `pacer` holds back.
  double line_bits_per_second = kLineBitsPerSecond;
  Pacer pacer;  ///< without a rate unless it is given one
  /// Packets may overtake each other: WRITEs are placed as they come, and all completes in order.
  bool any_order = false;
  /// As NICs may be, where it hides mistakes that they are not: see the README.
  bool strict = false;
  Profile profile{};
  bool link_up = true;
  bool ignores_cnps = false;           ///< its reaction point is off
  PriorityPause pause;                 ///< what priorities must wait
  bool hears_pauses = false;           ///< pause frames reach it, so it counts by priority
  std::vector<Context*> contexts;      ///< who has opened it
  std::unique_ptr<Shortcut> shortcut;  ///< null: everything goes over the wire
  void take_shortcut(std::unique_ptr<Shortcut> taken);

  /// Gives a queue pair its number; false if there are too many.
  bool add(QueuePair& queue_pair);
  void remove(QueuePair& queue_pair);
  QueuePair* find(std::uint32_t number) const;

  /// Counts a packet and gives it to the outbox. False if some of the payload is not there.
  bool send(const Path& path, const Packet& headers, std::span<const iovec> payload);
  /// Hands a packet to its queue pair. Packets for no queue pair are counted and dropped.
  void deliver(const Packet& packet, const Arrival& arrival);

  /// This queue pair has something to send, or may have.
  void want(QueuePair& queue_pair);
  /// Lets every queue pair that wants to send do so for a burst, or, at a rate, for a packet at a
  /// time until the line is taken. True if some could send more at once.
  bool transmit();
  bool wants() const { return !ready_.empty() && pacer.is_free(now); }

  /// run_timers() must run at `time`.
  void arm(Time time) { next_timer_ = time < next_timer_ ? time : next_timer_; }
  Time next_timer() const { return next_timer_; }
  void run_timers();

  /// A pause frame: queue pairs of these priorities stop, or go on.
  void obey(const PauseQuanta& quanta);

  /// Link down or up: tells all contexts (IBV_EVENT_PORT_ERR, PORT_ACTIVE).
  void set_link(bool up);

  /// All counters begin at 0 again but rcvd_overflow, which is the kernel's, and those of pauses.
  void reset_counters();

  /// All that it counts, by name.
  std::vector<std::pair<std::string, std::uint64_t>> named_counters() const;

 private:
  void resume();
  bool transmit_in_turns();

  std::vector<QueuePair*> queue_pairs_;  // by place; the number is first_ + place
  std::vector<QueuePair*> ready_, running_;
  bool held_back_ = false;  // some of the ready wait for the line
  std::uint32_t first_;
  std::uint32_t next_place_ = 0;
  std::uint64_t next_identity_ = 1;
  Time next_timer_ = Time::max();
};

}  // namespace railgauge::softroce
