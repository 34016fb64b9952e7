// What a switch does with a packet that has come to it.

#include <algorithm>
#include <cstring>

#include "softfabric/icmp.hpp"
#include "softfabric/model.hpp"

namespace railgauge::softfabric {
namespace {

double mark_probability(const Priority& priority, const Faults& faults,
                        std::uint64_t queued_bytes) {
  const std::uint64_t kmin = faults.ecn_kmin_bytes.value_or(*priority.ecn_kmin_bytes);
  const std::uint64_t kmax = std::max(kmin, *priority.ecn_kmax_bytes);
  if (queued_bytes >= kmax) return 1;
  if (queued_bytes <= kmin) return 0;
  return priority.ecn_pmax * static_cast<double>(queued_bytes - kmin) /
         static_cast<double>(kmax - kmin);
}

}  // namespace

std::uint8_t Model::priority_of(const Headers& headers, const Faults& faults) const {
  if (faults.mapped_dscp == headers.dscp) return faults.mapped_priority;
  return priority_of_dscp_[headers.dscp];
}

void Model::forward(Index node, Index wire, Index packet) {
  Packet& arrived = pool_[packet];
  arrived.ingress = wire;
  arrived.priority = priority_of(arrived.headers, wires_[wire].faults);
  if (arrived.headers.ttl <= 1) {
    answer_expired(node, packet);
    return drop(packet, wire, Drop::ttl_expired);
  }
  decrement_ttl(pool_.frame(packet), arrived.headers);
  route(node, packet, wire);
}

/// What cannot go on is counted where it came from.
void Model::route(Index node, Index packet, Index blamed) {
  const Packet& routed = pool_[packet];
  if (routed.destination == kNone) return drop(packet, blamed, Drop::no_route);
  const NextHops& hops = routes_.to(node, routed.destination);
  if (hops.wires.empty()) return drop(packet, blamed, Drop::no_route);
  const Index next = balancers_[number_of(node)].choose(hops, routed.headers, time_, queued_bytes_);
  if (routed.headers.ip_bytes > wires_[next].mtu_bytes) return drop(packet, next, Drop::too_large);
  admit(next, packet);
}

void Model::admit(Index wire, Index packet) {
  const std::uint8_t priority = pool_[packet].priority;
  if (!wires_[wire].up) return drop(packet, wire, Drop::link_down);
  if (wires_[wire].paused[priority].dropping) return drop(packet, wire, Drop::watchdog);
  if (!take_buffer(wire, packet)) return;
  mark(wire, packet);
  const Index ingress = pool_[packet].ingress;
  enqueue(wire, packet);
  if (ingress != kNone && classes_[priority].lossless) check_pause(ingress, priority);
}

bool Model::take_buffer(Index wire, Index packet) {
  const Packet& one = pool_[packet];
  SharedBuffer& buffer = buffers_[number_of(topology_.wires[wire].from)];
  if (classes_[one.priority].lossless && one.ingress != kNone) {
    if (buffer.take(wires_[one.ingress].ingress[one.priority], one.bytes)) return true;
    drop(packet, one.ingress, Drop::headroom_full);
    return false;
  }
  if (buffer.take(wires_[wire].queues[one.priority].bytes(), one.bytes)) return true;
  drop(packet, wire, Drop::buffer_full);
  return false;
}

void Model::mark(Index index, Index packet) {
  Packet& one = pool_[packet];
  Wire& wire = wires_[index];
  const Priority& priority = classes_[one.priority];
  const bool capable = one.headers.ecn == Ecn::capable_0 || one.headers.ecn == Ecn::capable_1;
  if (!capable || !priority.ecn_kmin_bytes || !wire.faults.ecn) return;
  const std::uint64_t queued = wire.queues[one.priority].bytes();
  if (!wire.random.happens(mark_probability(priority, wire.faults, queued))) return;
  set_ecn(pool_.frame(packet), one.headers, Ecn::congested);
  ++wire.counters[one.priority].ce_marks;
}

void Model::answer_expired(Index node, Index packet) {
  const std::size_t number = number_of(node);
  if (pool_[packet].headers.protocol == kIcmp || !may_answer(number)) return;
  const Index answer = pool_.take();
  if (answer == kNone) return;
  const std::size_t bytes =
      write_time_exceeded(pool_.frame(packet), addresses_[number], pool_.room(answer));
  pool_[answer].bytes = static_cast<std::uint32_t>(bytes);
  pool_[answer].headers = parse(pool_.frame(answer)).value();
  pool_[answer].destination = topology_.wire_to(pool_[answer].headers.destination);
  pool_[answer].priority = priority_of(pool_[answer].headers, Faults{});
  ++totals_.made;
  route(node, answer, pool_[packet].ingress);
}

bool Model::may_answer(std::size_t number) {
  const double rate = fabric_.switching.icmp_per_second;
  if (rate <= 0) return true;
  if (time_ < next_icmp_[number]) return false;
  next_icmp_[number] = time_ + Time(static_cast<std::int64_t>(1e9 / rate));
  return true;
}

Index Model::predicted_wire(std::size_t number, const Headers& headers) const {
  const Index destination = topology_.wire_to(headers.destination);
  if (destination == kNone) return kNone;
  const NextHops& hops = routes_.to(static_cast<Index>(topology_.hosts + number), destination);
  return hops.wires.empty() ? kNone : balancers_[number].by_flow(hops, headers);
}

}  // namespace railgauge::softfabric
