// What an executor does without waiting: copies, sends, grants, arrivals, and when each may.

#include <algorithm>
#include <cstring>

#include "executor/executor.hpp"

namespace railgauge::executor {

using transport::Lane;

namespace {

// A note says either "a piece has come" or, with this bit, "so many pieces are allowed" (in all
// since the start, modulo 2^31).
constexpr std::uint32_t kCreditBit = std::uint32_t{1} << 31;

}  // namespace

/// Does all that lanes can do without another event. What one does may free another.
void Executor::advance() {
  while (!to_look_at_.empty()) {
    const Lane lane = to_look_at_.back();
    to_look_at_.pop_back();
    listed_[lane] = false;
    advance_arrivals(lane);
    advance_grants(lane);
    advance_sends(lane);
  }
}

void Executor::look_at(Lane lane) {
  if (listed_[lane]) return;
  listed_[lane] = true;
  to_look_at_.push_back(lane);
}

/// As much as a piece holds, so that nobody waits long; true if there was something to copy.
bool Executor::copy_some() {
  std::size_t budget = piece_bytes_ / plan_.element_bytes;
  bool copied = false;
  while (copy_.op < plan_.copies.size() && budget > 0) {
    const std::uint32_t number = plan_.copies[copy_.op];
    const PlannedOp& op = plan_.ops[number];
    if (copy_.elements == 0 && !ready(op, op.span.size())) break;
    const std::size_t elements = std::min(budget, piece(op, copy_.elements));
    const std::byte* from = region(op.reads).data + offset(op, op.other + copy_.elements);
    std::byte* to = region(op.writes).data + offset(op, op.at + copy_.elements);
    if (from != to) std::memcpy(to, from, elements * plan_.element_bytes);
    budget -= elements;
    copy_.elements += elements;
    settle(number, elements);
    if (copy_.elements == op.span.size()) copy_ = {copy_.op + 1, 0};
    copied = true;
  }
  return copied;
}

void Executor::advance_sends(Lane number) {
  LaneProgress& lane = lanes_[number];
  const auto& ops = plan_.sends[number];
  while (lane.send.op < ops.size()) {
    const PlannedOp& op = plan_.ops[ops[lane.send.op]];
    const std::size_t elements = piece(op, lane.send.elements);
    if (lane.sent == lane.credit || !transport_.room(number)) break;
    if (!ready(op, lane.send.elements + elements)) break;
    post_piece(number, op, lane.send.elements, elements);
    lane.send.elements += elements;
    if (lane.send.elements == op.span.size()) {
      last_write_[ops[lane.send.op]] = lane.writes;
      lane.send = {lane.send.op + 1, 0};
    }
  }
}

void Executor::post_piece(Lane number, const PlannedOp& op, std::size_t at, std::size_t elements) {
  LaneProgress& lane = lanes_[number];
  transport::Write write;
  write.local = region(op.reads);
  write.local_offset = offset(op, op.at + at);
  if (op.peer_reduces) {
    write.remote_id = landing_.id;
    write.remote_offset = slot_offset(transport_.peer_lane(number), lane.sent);
  } else {
    write.remote_id = region(op.writes).id;
    write.remote_offset = offset(op, op.other + at);
  }
  write.bytes = static_cast<std::uint32_t>(elements * plan_.element_bytes);
  write.report = at + elements == op.span.size();
  transport_.write(number, write);
  ++lane.writes;
  ++lane.sent;
  lane.payload_bytes += write.bytes;
}

void Executor::advance_grants(Lane number) {
  LaneProgress& lane = lanes_[number];
  const auto& ops = plan_.arrivals[number];
  while (lane.grant.op < ops.size() && lane.granted - lane.applied < window_) {
    const PlannedOp& op = plan_.ops[ops[lane.grant.op]];
    const std::size_t elements = piece(op, lane.grant.elements);
    // What lands in a slot disturbs nobody; what lands in a buffer overwrites what is there.
    if (op.action == Action::receive && !ready(op, lane.grant.elements + elements)) break;
    ++lane.granted;
    lane.grant.elements += elements;
    if (lane.grant.elements == op.span.size()) lane.grant = {lane.grant.op + 1, 0};
  }
  announce(number);
}

/// Tells the peer of new grants before it runs out of the old, not for each of them.
void Executor::announce(Lane number) {
  LaneProgress& lane = lanes_[number];
  if (lane.granted == lane.announced || lane.announced - lane.arrived > window_ / 2) return;
  if (!transport_.room(number)) return;
  transport::Write notice;
  notice.note = kCreditBit | (static_cast<std::uint32_t>(lane.granted) & (kCreditBit - 1));
  transport_.write(number, notice);
  ++lane.writes;
  lane.announced = lane.granted;
}

void Executor::take_note(LaneProgress& lane, std::uint32_t note) {
  if ((note & kCreditBit) == 0) {
    ++lane.arrived;
    return;
  }
  lane.credit += (note - static_cast<std::uint32_t>(lane.credit)) & (kCreditBit - 1);
}

void Executor::advance_arrivals(Lane number) {
  LaneProgress& lane = lanes_[number];
  const auto& ops = plan_.arrivals[number];
  while (lane.applied < lane.arrived) {
    const std::uint32_t op_number = ops[lane.apply.op];
    const PlannedOp& op = plan_.ops[op_number];
    const std::size_t elements = piece(op, lane.apply.elements);
    if (op.action == Action::reduce) {
      if (!ready(op, lane.apply.elements + elements)) break;
      combine(number, op, lane.apply.elements, elements);
    }
    ++lane.applied;
    lane.apply.elements += elements;
    if (lane.apply.elements == op.span.size()) lane.apply = {lane.apply.op + 1, 0};
    settle(op_number, elements);
  }
}

void Executor::combine(Lane number, const PlannedOp& op, std::size_t at, std::size_t elements) {
  const std::size_t place = offset(op, op.at + at);
  std::byte* to = region(op.writes).data + place;
  const std::byte* own = region(op.reads).data + place;
  const std::byte* landed = landing_.data + slot_offset(number, lanes_[number].applied);
  if (op.completes) {
    reduction_->complete(to, own, landed, elements);
  } else {
    reduction_->combine(to, own, landed, elements);
  }
}

void Executor::acknowledge(Lane number, std::uint64_t completed) {
  LaneProgress& lane = lanes_[number];
  const auto& ops = plan_.sends[number];
  while (lane.acknowledged_op < lane.send.op &&
         last_write_[ops[lane.acknowledged_op]] <= completed) {
    const std::uint32_t op = ops[lane.acknowledged_op++];
    settle(op, plan_.ops[op].span.size());
  }
}

void Executor::settle(std::uint32_t op, std::size_t elements) {
  settled_[op] += elements;
  if (settled_[op] == plan_.ops[op].span.size()) --unsettled_ops_;
  for (const Lane lane : plan_.waiting_for(op)) look_at(lane);
}

/// Whether the first `elements` of the op may be touched.
bool Executor::ready(const PlannedOp& op, std::size_t elements) const {
  for (const std::uint32_t number : plan_.dependencies_of(op)) {
    const Layout::Span& before = plan_.ops[number].span;
    // A copy reads other positions than its span's.
    const std::size_t until =
        op.action == Action::copy ? before.end : std::min(op.span.begin + elements, before.end);
    if (until > before.begin && settled_[number] < until - before.begin) return false;
  }
  return true;
}

/// How many elements the piece holds that begins `at` elements into the op. Both ends reckon alike.
std::size_t Executor::piece(const PlannedOp& op, std::size_t at) const {
  const Layout& layout = plan_.stripes[op.stripe];
  return std::min({piece_bytes_ / plan_.element_bytes, op.span.size() - at, layout.run(op.at + at),
                   layout.run(op.other + at)});
}

/// Bytes into its buffer.
std::size_t Executor::offset(const PlannedOp& op, std::size_t place) const {
  return plan_.stripes[op.stripe].offset_of(place) * plan_.element_bytes;
}

std::size_t Executor::slot_offset(Lane lane, std::uint64_t piece) const {
  return (std::size_t{lane} * window_ + piece % window_) * piece_bytes_;
}

}  // namespace railgauge::executor
