#include "softfabric/model.hpp"
#include "softfabric/netdevs.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "fabric/addresses.hpp"
#include "softfabric/fault_injection.hpp"
namespace railgauge::softfabric {
namespace {

// What a host's port holds for its link: 0.7 s at 200 Mbit/s, far beyond what queue pairs have
// unacknowledged.
constexpr std::uint64_t kNicQueueBytes = 16U << 20U;
constexpr std::size_t kEventsPerWire = 64;

Time time_of(double amount, double nanoseconds_each) {
  return Time(std::llround(amount * nanoseconds_each));
}

std::size_t largest_frame(const Fabric& fabric) {
  int mtu = 0;
  for (const Link& link : fabric.links) mtu = std::max(mtu, link.mtu_bytes);
  return kEthernetBytes + static_cast<std::size_t>(mtu);
}

}  // namespace

Model::Model(const Fabric& fabric, HostSide& hosts, Limits limits)
    : fabric_(fabric),
      hosts_(hosts),
      limits_(limits),
      topology_(fabric_),
      pool_(limits.packets, largest_frame(fabric_)),
      events_(limits.packets + kEventsPerWire * topology_.wires.size()),
      routes_(fabric_, topology_, std::vector<bool>(fabric_.links.size(), true)) {
  delivered_.reserve(limits.packets);
  make_wires();
  make_switches();
  for (const Fault& fault : fabric_.faults) plant(*this, fault.at, fault.direction, fault.fault);
}

void Model::make_wires() {
  wires_.resize(topology_.wires.size());
  queued_bytes_.resize(wires_.size());
  for (Index index = 0; index < wires_.size(); ++index) {
    const Link& link = fabric_.links[link_of(index)];
    Wire& wire = wires_[index];
    wire.bits_per_second = link.rate_mbit_per_s * 1e6;
    wire.delay = time_of(link.delay_us, 1e3);
    wire.mtu_bytes = static_cast<std::uint32_t>(link.mtu_bytes);
    wire.random = Random(mixed(fabric_.seed) ^ index);
    macs_.push_back(mac_of(mac_address(link_of(index), index % 2 == 0 ? End::a : End::b)));
  }
}

void Model::make_switches() {
  const Switching& switching = fabric_.switching;
  const Time gap = time_of(switching.flowlet_gap_us, 1e3);
  for (std::size_t number = 0; number < fabric_.switches.size(); ++number) {
    const Switch& one = fabric_.switches[number];
    buffers_.emplace_back(one.buffer_bytes.value_or(switching.buffer_bytes),
                          switching.dynamic_threshold, switching.pfc_headroom_bytes);
    balancers_.emplace_back(one.balance.value_or(switching.balance), gap,
                            mixed(fabric_.seed + number));
    addresses_.push_back(fabric::described::ipv4_of(one.address).value_or(0));
  }
  rebooting_until_.resize(fabric_.switches.size(), Time::min());
  next_icmp_.resize(fabric_.switches.size(), Time::min());
  for (const Priority& priority : switching.priorities) {
    const auto number = static_cast<std::uint8_t>(priority.priority);
    classes_[number] = priority;
    for (const int dscp : priority.dscp) priority_of_dscp_[static_cast<std::size_t>(dscp)] = number;
  }
}

void Model::schedule(Time at, EventType what, Index index, std::uint8_t priority,
                     std::uint16_t value) {
  events_.push({.at = at, .index = index, .what = what, .priority = priority, .value = value});
}

void Model::receive(std::size_t link, std::span<const std::byte> frame, Time at) {
  advance(at);
  const bool from_a = topology_.is_host(topology_.wires[2 * link].from);
  const auto wire = static_cast<Index>(2 * link + (from_a ? 0 : 1));
  if (const auto pause = parse_pause(frame)) {
    for (std::uint8_t priority = 0; priority < kPriorities; ++priority) {
      if ((*pause)[priority]) obey_pause(opposite(wire), priority, *(*pause)[priority]);
    }
    return;
  }
  ++totals_.received;
  const auto headers = parse(frame);
  if (!headers) return count_drop(wire, 0, Drop::malformed);
  const std::uint8_t priority = priority_of(*headers, Faults{});
  if (headers->ip_bytes > wires_[wire].mtu_bytes || frame.size() > pool_.frame_bytes()) {
    return count_drop(wire, priority, Drop::too_large);
  }
  if (!wires_[wire].up) return count_drop(wire, priority, Drop::link_down);
  if (queued_bytes_[wire] + frame.size() > kNicQueueBytes) {
    return count_drop(wire, priority, Drop::nic_full);
  }
  const Index packet = pool_.take();
  if (packet == kNone) return count_drop(wire, priority, Drop::no_memory);
  std::memcpy(pool_.room(packet).data(), frame.data(), frame.size());
  pool_[packet].headers = *headers;
  pool_[packet].bytes = static_cast<std::uint32_t>(frame.size());
  pool_[packet].destination = topology_.wire_to(headers->destination);
  pool_[packet].priority = priority;
  enqueue(wire, packet);
}

void Model::advance(Time now) {
  real_time_ = std::max(real_time_, now);
  while (!events_.empty() && events_.next() <= now) {
    const Event event = events_.pop();
    time_ = std::max(time_, event.at);
    happen(event);
  }
  time_ = std::max(time_, now);
}

void Model::happen(const Event& event) {
  switch (event.what) {
    case EventType::line_free: return transmit(event.index);
    case EventType::arrival: return arrive(event.index);
    case EventType::pause_arrival: return obey_pause(event.index, event.priority, event.value);
    case EventType::pause_end:
      if (time_ >= wires_[event.index].paused[event.priority].until) {
        end_pause(event.index, event.priority);
      }
      return;
    case EventType::pause_refresh: return refresh_pause(event.index, event.priority);
    case EventType::watchdog: return look_after_pause(event.index, event.priority);
    case EventType::flap: return flap(event.index, event.value);
    case EventType::reroute: return reroute();
    case EventType::boot:
      return update_links_of(static_cast<Index>(topology_.hosts + event.index), Drop::reboot);
  }
}

std::optional<Time> Model::next_event() const {
  std::optional<Time> next;
  if (!events_.empty()) next = events_.next();
  return next;
}

void Model::release() {
  for (const Index packet : delivered_) pool_.give(packet);
  delivered_.clear();
}

void Model::drop(Index packet, Index wire, Drop reason) {
  count_drop(wire, pool_[packet].priority, reason);
  pool_.give(packet);
}

void Model::count_drop(Index wire, std::uint8_t priority, Drop reason) {
  ++totals_.dropped;
  ++wires_[wire].counters[priority].drops[static_cast<std::size_t>(reason)];
}

}  // namespace railgauge::softfabric
