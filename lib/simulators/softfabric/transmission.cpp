// Queues and lines.

#include <algorithm>
#include <cmath>
#include <cstring>

#include "softfabric/damage.hpp"
#include "softfabric/model.hpp"

namespace railgauge::softfabric {
namespace {

Time time_on_line(const Wire& wire, std::uint32_t bytes) {
  double rate = wire.bits_per_second;
  if (wire.faults.bits_per_second > 0) rate = std::min(rate, wire.faults.bits_per_second);
  return Time(std::llround(8e9 * bytes / rate));
}

}  // namespace

void Model::enqueue(Index index, Index packet) {
  Wire& wire = wires_[index];
  const Packet& one = pool_[packet];
  PacketQueue& queue = wire.queues[one.priority];
  PriorityCounters& counters = wire.counters[one.priority];
  ++counters.queue_depths[depth_bucket(queue.bytes())];
  const bool ahead = one.ingress != kNone && wires_[one.ingress].faults.ahead;
  ahead ? queue.push_ahead(pool_, packet) : queue.push(pool_, packet);
  queued_bytes_[index] += one.bytes;
  ++wire.totals.enqueued;
  counters.most_queued_bytes = std::max(counters.most_queued_bytes, queue.bytes());
  transmit(index);
}

/// Gives back what it takes of its switch's buffer, and of its sender's patience.
void Model::leave_queue(Index index, Index packet) {
  const Packet& one = pool_[packet];
  queued_bytes_[index] -= one.bytes;
  const Index node = topology_.wires[index].from;
  if (topology_.is_host(node)) return;
  SharedBuffer& buffer = buffers_[number_of(node)];
  if (!classes_[one.priority].lossless || one.ingress == kNone) return buffer.give(one.bytes);
  buffer.give(wires_[one.ingress].ingress[one.priority], one.bytes);
  check_resume(one.ingress, one.priority);
}

void Model::transmit(Index index) {
  Wire& wire = wires_[index];
  if (time_ < wire.busy_until || !wire.up) return;
  const auto priority = sendable(wire);
  if (!priority) return;
  const Index packet = wire.queues[*priority].pop(pool_);
  const std::uint32_t bytes = pool_[packet].bytes;
  wire.busy_until = time_ + time_on_line(wire, bytes);
  schedule(wire.busy_until, EventType::line_free, index);
  ++wire.totals.sent;
  ++wire.counters[*priority].sent_packets;
  wire.counters[*priority].sent_bytes += bytes;
  leave_queue(index, packet);
  put_on_line(index, packet);
}

std::optional<std::uint8_t> Model::sendable(const Wire& wire) {
  std::optional<std::uint8_t> found;
  for (std::uint8_t priority = 0; priority < kPriorities; ++priority) {
    if (!wire.queues[priority].empty() && !wire.paused[priority].active) found = priority;
  }
  return found;
}

void Model::put_on_line(Index index, Index packet) {
  Wire& wire = wires_[index];
  const bool too_large =
      wire.faults.largest_bytes > 0 && pool_[packet].headers.ip_bytes > wire.faults.largest_bytes;
  if (too_large || damage(index, packet)) {
    ++wire.totals.lost;
    return drop(packet, index, Drop::fault);
  }
  fly(index, packet);
}

/// True if the packet is lost.
bool Model::damage(Index index, Index packet) {
  Wire& wire = wires_[index];
  const Faults& faults = wire.faults;
  Packet& one = pool_[packet];
  if (!concern(faults, one)) return false;
  if (wire.random.happens(faults.loss)) return true;
  if (wire.random.happens(faults.duplication)) duplicate(index, packet);
  const auto frame = pool_.frame(packet);
  if (faults.rewritten_dscp) set_dscp(frame, one.headers, *faults.rewritten_dscp);
  if (wire.random.happens(faults.corruption)) corrupt(frame, one.headers, wire.random.number());
  if (wire.random.happens(faults.payload_corruption)) {
    corrupt_payload(frame, one.headers, wire.random.number());
  }
  return false;
}

void Model::duplicate(Index index, Index packet) {
  const Index copy = pool_.take();
  if (copy == kNone) return;
  pool_[copy] = pool_[packet];
  std::memcpy(pool_.room(copy).data(), pool_.frame(packet).data(), pool_[packet].bytes);
  ++totals_.made;
  ++wires_[index].totals.duplicated;
  fly(index, copy);
}

void Model::fly(Index index, Index packet) {
  Wire& wire = wires_[index];
  Time due = wire.busy_until + wire.delay + wire.faults.delay;
  if (wire.faults.jitter > Time{}) {
    due += Time(static_cast<std::int64_t>(wire.random.uniform() *
                                          static_cast<double>(wire.faults.jitter.count())));
  }
  due = std::max(due, wire.last_due);
  wire.last_due = due;
  pool_[packet].due = due;
  wire.flying.push(pool_, packet);
  schedule(due, EventType::arrival, index);
}

/// Of those that a link took with it when it went down, the event has stayed.
void Model::arrive(Index index) {
  Wire& wire = wires_[index];
  if (wire.flying.empty() || pool_[wire.flying.first()].due > time_) return;
  const Index packet = wire.flying.pop(pool_);
  PriorityCounters& counters = wire.counters[pool_[packet].priority];
  ++counters.received_packets;
  counters.received_bytes += pool_[packet].bytes;
  ++wire.totals.arrived;
  const Index node = topology_.wires[index].to;
  if (topology_.is_host(node)) return deliver(index, packet);
  forward(node, index, packet);
}

void Model::deliver(Index index, Index packet) {
  const auto frame = pool_.frame(packet);
  set_mac_addresses(frame, macs_[opposite(index)].data(), macs_[index].data());
  ++totals_.delivered;
  const Time late = real_time_ - time_;
  lateness_.most = std::max(lateness_.most, late);
  if (late > limits_.late_after) ++lateness_.late_packets;
  delivered_.push_back(packet);
  hosts_.packet(link_of(index), frame);
}

void Model::flush_queue(Index index, std::uint8_t priority, Drop reason) {
  Wire& wire = wires_[index];
  while (!wire.queues[priority].empty()) {
    const Index packet = wire.queues[priority].pop(pool_);
    ++wire.totals.flushed;
    leave_queue(index, packet);
    drop(packet, index, reason);
  }
}

void Model::flush(Index index, Drop reason) {
  for (std::uint8_t priority = 0; priority < kPriorities; ++priority) {
    flush_queue(index, priority, reason);
  }
  Wire& wire = wires_[index];
  while (!wire.flying.empty()) {
    ++wire.totals.lost;
    drop(wire.flying.pop(pool_), index, reason);
  }
}

}  // namespace railgauge::softfabric
