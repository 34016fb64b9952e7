#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "softfabric/balancer.hpp"
#include "softfabric/counters.hpp"
#include "softfabric/description.hpp"
#include "softfabric/event_queue.hpp"
#include "softfabric/routes.hpp"
#include "softfabric/shared_buffer.hpp"
#include "softfabric/topology.hpp"
#include "softfabric/wire.hpp"

namespace railgauge::softfabric {

/// Takes what the fabric sends to its hosts: sockets, or a test.
class HostSide {
 public:
  HostSide() = default;
  HostSide(const HostSide&) = delete;
  HostSide& operator=(const HostSide&) = delete;
  virtual ~HostSide() = default;

  /// A frame for the host of a link: a packet, whose bytes stay until Model::release(), or a pause
  /// frame, which is to be copied at once.
  virtual void packet(std::size_t link, std::span<const std::byte> frame) = 0;
  virtual void pause(std::size_t link, std::span<const std::byte> frame) = 0;
};

/// All switches of a fabric and the links between them and the hosts, as a machine of events:
/// frames go in by receive() and out through HostSide, time is what the caller says. No thread, no
/// socket, and no memory taken per packet.
///
/// A host's packets wait in the model for their turn on the host's link, as in a NIC's queue. A
/// packet goes through: the queue of its wire, the line (rate, faults, delay), the switch at its
/// end (TTL, route, choice of port, buffer, ECN), the queue of the next wire, and so on.
class Model {
 public:
  struct Limits {
    std::size_t packets = 65536;                     ///< in the whole fabric
    Time late_after = std::chrono::milliseconds(2);  ///< of a packet to a host
  };

  /// The fabric is copied. Throws std::runtime_error if a fault is none.
  Model(const Fabric& fabric, HostSide& hosts, Limits limits);
  Model(const Fabric& fabric, HostSide& hosts) : Model(fabric, hosts, Limits{}) {}
  ~Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  /// A frame from the host of a link. `at` is not before the time that the model has reached.
  void receive(std::size_t link, std::span<const std::byte> frame, Time at);
  /// Does what is due until now.
  void advance(Time now);
  /// The time outside, which lateness is counted by where receive() is told of earlier frames.
  void set_clock(Time now) { real_time_ = now; }
  /// When something is due next; nothing if nothing is.
  [[nodiscard]] std::optional<Time> next_event() const;
  /// The frames handed to HostSide are no longer needed.
  void release();
  /// So many frames of hosts were lost before they could be given to receive().
  void count_unread(std::uint64_t frames) { lateness_.unread_packets += frames; }
  /// So many frames to hosts were lost after they had been handed to HostSide.
  void count_refused(std::uint64_t frames) { lateness_.refused_packets += frames; }

  // What an operator, or somebody who plants faults, does. Links and switches are the
  // description's.

  enum class Direction { a_to_b, b_to_a };
  void set_faults(std::size_t link, Direction direction, const Faults& faults);
  [[nodiscard]] const Faults& faults(std::size_t link, Direction direction) const;
  /// The switch loses what it holds, and its links are down for so long.
  void reboot(std::size_t number, Time duration);
  void set_seed(std::size_t number, std::uint64_t seed);

  // What it counts. Wires are numbered as in Topology.

  [[nodiscard]] const Fabric& fabric() const { return fabric_; }
  [[nodiscard]] const Topology& topology() const { return topology_; }
  [[nodiscard]] const Wire& wire(Index index) const { return wires_[index]; }
  [[nodiscard]] const SharedBuffer& buffer(std::size_t number) const { return buffers_[number]; }
  [[nodiscard]] const Balancer& balancer(std::size_t number) const { return balancers_[number]; }
  [[nodiscard]] const ModelTotals& totals() const { return totals_; }
  [[nodiscard]] const Lateness& lateness() const { return lateness_; }
  [[nodiscard]] Time now() const { return time_; }
  [[nodiscard]] std::size_t packets_held() const { return pool_.used() - delivered_.size(); }
  /// Nothing if every packet that came in went out, was dropped with a reason or is still there;
  /// else a sentence that says where it does not add up.
  [[nodiscard]] std::optional<std::string> conservation_error() const;
  /// The wire that a packet takes from a switch with ECMP, as its 5-tuple says; kNone if there is
  /// no way. It changes nothing.
  [[nodiscard]] Index predicted_wire(std::size_t number, const Headers& headers) const;

 private:
  // model.cpp
  void make_wires();
  void make_switches();
  void happen(const Event& event);
  void schedule(Time at, EventType what, Index index, std::uint8_t priority = 0,
                std::uint16_t value = 0);
  [[nodiscard]] std::size_t number_of(Index node) const { return node - topology_.hosts; }
  void drop(Index packet, Index wire, Drop reason);
  void count_drop(Index wire, std::uint8_t priority, Drop reason);

  // forwarding.cpp: what a switch does with a packet that has come.
  [[nodiscard]] std::uint8_t priority_of(const Headers& headers, const Faults& faults) const;
  void forward(Index node, Index wire, Index packet);
  void route(Index node, Index packet, Index blamed);
  void admit(Index wire, Index packet);
  bool take_buffer(Index wire, Index packet);
  void mark(Index wire, Index packet);
  void answer_expired(Index node, Index packet);
  bool may_answer(std::size_t number);

  // transmission.cpp: queues and lines.
  void enqueue(Index wire, Index packet);
  void leave_queue(Index wire, Index packet);
  void transmit(Index wire);
  [[nodiscard]] static std::optional<std::uint8_t> sendable(const Wire& wire);
  void put_on_line(Index wire, Index packet);
  bool damage(Index wire, Index packet);
  void fly(Index wire, Index packet);
  void duplicate(Index wire, Index packet);
  void arrive(Index wire);
  void deliver(Index wire, Index packet);
  void flush_queue(Index wire, std::uint8_t priority, Drop reason);
  void flush(Index wire, Drop reason);

  // flow_control.cpp: PFC.
  void check_pause(Index ingress, std::uint8_t priority);
  void check_resume(Index ingress, std::uint8_t priority);
  void send_pause(Index ingress, std::uint8_t priority, std::uint16_t quanta);
  void refresh_pause(Index ingress, std::uint8_t priority);
  void obey_pause(Index wire, std::uint8_t priority, std::uint16_t quanta);
  void tell_host(Index wire, std::uint8_t priority, std::uint16_t quanta);
  void end_pause(Index wire, std::uint8_t priority);
  void look_after_pause(Index wire, std::uint8_t priority);

  // conservation.cpp
  [[nodiscard]] std::optional<std::string> wire_error(Index wire) const;

  // link_state.cpp
  [[nodiscard]] bool should_be_up(std::size_t link) const;
  [[nodiscard]] bool is_rebooting(Index node) const;
  void update_link(std::size_t link, Drop reason);
  void forget_pauses(Index wire);
  void update_links_of(Index node, Drop reason);
  void flap(Index wire, std::uint16_t faults_set);
  void reroute();

  using Mac = std::array<std::byte, 6>;
  Fabric fabric_;
  HostSide& hosts_;
  Limits limits_;
  Topology topology_;
  PacketPool pool_;
  EventQueue events_;
  std::vector<Wire> wires_;
  std::vector<std::uint64_t> queued_bytes_;  // by wire
  std::vector<Mac> macs_;                    // by wire, of its sending end
  Routes routes_;
  std::vector<SharedBuffer> buffers_;  // by switch, as what follows
  std::vector<Balancer> balancers_;
  std::vector<std::uint32_t> addresses_;
  std::vector<Time> rebooting_until_;
  std::vector<Time> next_icmp_;
  std::array<std::uint8_t, 64> priority_of_dscp_{};
  std::array<Priority, kPriorities> classes_{};
  std::vector<Index> delivered_;
  Time time_{};
  Time real_time_{};
  ModelTotals totals_;
  Lateness lateness_;
};

}  // namespace railgauge::softfabric
