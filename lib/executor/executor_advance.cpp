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

/// Does all that can be done without another event. What one lane does may free another.
void Executor::advance() {
  for (bool moved = true; moved;) {
    moved = advance_copies();
    for (Lane lane = 0; lane < lanes_.size(); ++lane) {
      moved |= advance_arrivals(lane);
      moved |= advance_grants(lane);
      moved |= advance_sends(lane);
    }
  }
}

bool Executor::advance_copies() {
  bool moved = false;
  for (; next_copy_ < plan_.copies.size(); ++next_copy_) {
    const std::uint32_t number = plan_.copies[next_copy_];
    const PlannedOp& op = plan_.ops[number];
    if (!ready(op, op.span.size())) break;
    const Layout& layout = plan_.stripes[op.stripe];
    for (std::size_t at = op.span.begin; at < op.span.end;) {
      const std::size_t run = std::min(layout.run(at), op.span.end - at);
      const std::size_t offset = layout.offset_of(at) * plan_.element_bytes;
      if (buffers_.input.data != buffers_.output.data) {
        std::memcpy(buffers_.output.data + offset, buffers_.input.data + offset,
                    run * plan_.element_bytes);
      }
      at += run;
    }
    settle(number, op.span.size());
    moved = true;
  }
  return moved;
}

bool Executor::advance_sends(Lane number) {
  LaneProgress& lane = lanes_[number];
  const auto& ops = plan_.sends[number];
  bool moved = false;
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
    moved = true;
  }
  return moved;
}

void Executor::post_piece(Lane number, const PlannedOp& op, std::size_t at, std::size_t elements) {
  LaneProgress& lane = lanes_[number];
  const Layout& layout = plan_.stripes[op.stripe];
  transport::Write write;
  write.local = op.from_input ? buffers_.input : buffers_.output;
  write.local_offset = layout.offset_of(op.span.begin + at) * plan_.element_bytes;
  if (op.peer_reduces) {
    write.remote_id = landing_.id;
    write.remote_offset = slot_offset(transport_.peer_lane(number), lane.sent);
  } else {
    write.remote_id = buffers_.output.id;
    write.remote_offset = layout.offset_of(op.peer_begin + at) * plan_.element_bytes;
  }
  write.bytes = static_cast<std::uint32_t>(elements * plan_.element_bytes);
  write.report = at + elements == op.span.size();
  transport_.write(number, write);
  ++lane.writes;
  ++lane.sent;
  lane.payload_bytes += write.bytes;
}

bool Executor::advance_grants(Lane number) {
  LaneProgress& lane = lanes_[number];
  const auto& ops = plan_.arrivals[number];
  bool moved = false;
  while (lane.grant.op < ops.size() && lane.granted - lane.applied < window_) {
    const PlannedOp& op = plan_.ops[ops[lane.grant.op]];
    const std::size_t elements = piece(op, lane.grant.elements);
    // What lands in a slot disturbs nobody; what lands in the output overwrites what is there.
    if (op.action == Action::receive && !ready(op, lane.grant.elements + elements)) break;
    ++lane.granted;
    lane.grant.elements += elements;
    if (lane.grant.elements == op.span.size()) lane.grant = {lane.grant.op + 1, 0};
    moved = true;
  }
  announce(number);
  return moved;
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

bool Executor::advance_arrivals(Lane number) {
  LaneProgress& lane = lanes_[number];
  const auto& ops = plan_.arrivals[number];
  bool moved = false;
  while (lane.applied < lane.arrived) {
    const PlannedOp& op = plan_.ops[ops[lane.apply.op]];
    const std::size_t elements = piece(op, lane.apply.elements);
    if (op.action == Action::reduce) {
      if (!ready(op, lane.apply.elements + elements)) break;
      combine(number, op, lane.apply.elements, elements);
    }
    ++lane.applied;
    settle(ops[lane.apply.op], elements);
    lane.apply.elements += elements;
    if (lane.apply.elements == op.span.size()) lane.apply = {lane.apply.op + 1, 0};
    moved = true;
  }
  return moved;
}

void Executor::combine(Lane number, const PlannedOp& op, std::size_t at, std::size_t elements) {
  const std::size_t offset =
      plan_.stripes[op.stripe].offset_of(op.span.begin + at) * plan_.element_bytes;
  reduction_->combine(buffers_.output.data + offset, own(op, offset),
                      landing_.data + slot_offset(number, lanes_[number].applied), elements);
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
}

/// Whether the first `elements` of the op may be touched.
bool Executor::ready(const PlannedOp& op, std::size_t elements) const {
  for (const std::uint32_t number : plan_.dependencies_of(op)) {
    const Layout::Span& before = plan_.ops[number].span;
    const std::size_t until = std::min(op.span.begin + elements, before.end);
    if (until > before.begin && settled_[number] < until - before.begin) return false;
  }
  return true;
}

/// How many elements the piece holds that begins `at` elements into the op. Both ends reckon alike.
std::size_t Executor::piece(const PlannedOp& op, std::size_t at) const {
  const Layout& layout = plan_.stripes[op.stripe];
  return std::min({piece_bytes_ / plan_.element_bytes, op.span.size() - at,
                   layout.run(op.span.begin + at), layout.run(op.peer_begin + at)});
}

std::size_t Executor::slot_offset(Lane lane, std::uint64_t piece) const {
  return (std::size_t{lane} * window_ + piece % window_) * piece_bytes_;
}

const std::byte* Executor::own(const PlannedOp& op, std::size_t offset) const {
  return (op.from_input ? buffers_.input.data : buffers_.output.data) + offset;
}

}  // namespace railgauge::executor
