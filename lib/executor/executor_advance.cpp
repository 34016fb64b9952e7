// What an executor does without waiting: copies, sends, grants, arrivals, and when each may.

#include <algorithm>
#include <cstring>

#include "executor/executor.hpp"

namespace railgauge::executor {

using transport::Lane;

namespace {

// Ops of up to this size land in slots even if they overwrite: a copy of so little costs less than
// asking the peer to wait until their place is free.
constexpr std::size_t kSmallBytes = std::size_t{32} * 1024;

// With nothing to overlap, a piece is only a message to pay for.
constexpr std::size_t kOneHopPieces = 4;

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
    transport_.flush();
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
    const std::size_t elements = std::min(budget, piece(op, copy_.elements));
    if (!ready(op, copy_.elements + elements)) break;
    const std::byte* from = region(op.reads).data + offset(op, op.own + copy_.elements);
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
  RunProgress& lane = lanes_[number].now;
  const auto& ops = plan_.sends[number];
  while (lane.send.op < ops.size()) {
    const std::uint32_t op_number = ops[lane.send.op];
    const PlannedOp& op = plan_.ops[op_number];
    const std::size_t elements = piece(op, lane.send.elements);
    if (lane.sent == lane.credit || !transport_.room(number)) break;
    if (!ready(op, lane.send.elements + elements)) break;
    post_piece(number, op, lane.send.elements, elements);
    lane.send.elements += elements;
    if (lane.send.elements == op.span.size()) {
      last_write_[op_number] = lanes_[number].writes;
      lane.send = {lane.send.op + 1, 0};
      if (taken_at_once(op)) settle(op_number, op.span.size());
    }
  }
}

void Executor::post_piece(Lane number, const PlannedOp& op, std::size_t at, std::size_t elements) {
  LaneProgress& lane = lanes_[number];
  transport::Write write;
  write.local = region(op.reads);
  write.local_offset = offset(op, op.at + at);
  if (lands_in_slot(op)) {
    write.remote_id = landing_.id;
    write.remote_offset = slot_offset(number, transport_.peer_lane(number), lane.now.sent);
  } else {
    write.remote_id = region(op.writes).id;
    write.remote_offset = region(op.writes).offset + offset(op, op.peer + at);
  }
  write.bytes = static_cast<std::uint32_t>(elements * plan_.element_bytes);
  write.note = Note{false, run_, 0}.bits();
  write.report = at + elements == op.span.size() && !taken_at_once(op);
  transport_.write(number, write);
  ++lane.writes;
  ++lane.pieces;
  ++lane.now.sent;
  lane.payload_bytes += write.bytes;
}

void Executor::advance_grants(Lane number) {
  RunProgress& lane = lanes_[number].now;
  const auto& ops = plan_.arrivals[number];
  while (lane.grant.op < ops.size()) {
    const PlannedOp& op = plan_.ops[ops[lane.grant.op]];
    const std::size_t elements = piece(op, lane.grant.elements);
    // What lands in a slot disturbs nobody; what lands in a buffer overwrites what is there.
    const bool slot = lands_in_slot(op);
    if (lane.granted - lane.applied >= (slot ? window_ : straight_window_)) break;
    if (!slot && !ready(op, lane.grant.elements + elements)) break;
    ++lane.granted;
    lane.grant.elements += elements;
    if (lane.grant.elements == op.span.size()) lane.grant = {lane.grant.op + 1, 0};
  }
  announce(number);
  if (lane.apply.op == ops.size()) promise(number);
}

/// Tells the peer of new grants once it knows of no more than half of what it may still send, not
/// of each of them.
void Executor::announce(Lane number) {
  RunProgress& lane = lanes_[number].now;
  if (lane.granted == lane.announced) return;
  if (2 * (lane.announced - lane.arrived) > lane.granted - lane.arrived) return;
  if (!transport_.room(number)) return;
  notify(number, {true, run_, lane.granted});
  lane.announced = lane.granted;
}

/// Tells the peer what it may send in the next run of this plan: what will land in slots.
void Executor::promise(Lane number) {
  LaneProgress& lane = lanes_[number];
  if (open_[number] || lane.promised > 0 || !transport_.room(number)) return;
  Cursor after;
  lane.promised = leading_pieces(plan_.arrivals[number], after);
  if (lane.promised > 0) notify(number, {true, run_ + 1, lane.promised});
}

/// Pieces both ways, all of which land in slots, and slots for two runs of them.
bool Executor::can_stand_open(Lane number) const {
  for (const auto* ops : {&plan_.sends[number], &plan_.arrivals[number]}) {
    Cursor after;
    const std::uint32_t pieces = leading_pieces(*ops, after);
    if (pieces == 0 || pieces > window_ / 2 || after.op < ops->size()) return false;
  }
  return true;
}

/// How many of a list's first pieces land in slots, a window at the most, and where it goes on.
std::uint32_t Executor::leading_pieces(const std::vector<std::uint32_t>& ops, Cursor& after) const {
  std::uint32_t pieces = 0;
  while (pieces < window_ && after.op < ops.size() && lands_in_slot(plan_.ops[ops[after.op]])) {
    const PlannedOp& op = plan_.ops[ops[after.op]];
    after.elements += piece(op, after.elements);
    if (after.elements == op.span.size()) after = {after.op + 1, 0};
    ++pieces;
  }
  return pieces;
}

void Executor::notify(Lane number, const Note& note) {
  transport::Write notice;
  notice.note = note.bits();
  transport_.write(number, notice);
  ++lanes_[number].writes;
}

/// A peer is never more than one run ahead. Of plans that were loaded since, the later note counts.
void Executor::take_note(LaneProgress& lane, const Note& note) const {
  if (note.is_of(run_)) {
    if (!note.credit) {
      ++lane.now.arrived;
    } else {
      lane.now.credit += (note.pieces - lane.now.credit) & Note::kPiecesMask;
    }
    return;
  }
  if (!note.credit) {
    ++lane.early;
    return;
  }
  const std::uint32_t ahead = (note.run - run_) & Note::kRunMask;
  lane.next_run = run_ + ahead;
  lane.next_credit = note.pieces;
}

void Executor::advance_arrivals(Lane number) {
  RunProgress& lane = lanes_[number].now;
  const auto& ops = plan_.arrivals[number];
  while (lane.applied < lane.arrived) {
    const std::uint32_t op_number = ops[lane.apply.op];
    const PlannedOp& op = plan_.ops[op_number];
    const std::size_t elements = piece(op, lane.apply.elements);
    if (lands_in_slot(op)) {
      if (!ready(op, lane.apply.elements + elements)) break;
      apply(number, op, lane.apply.elements, elements);
    }
    ++lane.applied;
    lane.apply.elements += elements;
    if (lane.apply.elements == op.span.size()) lane.apply = {lane.apply.op + 1, 0};
    settle(op_number, elements);
  }
}

/// Takes a piece from its slot.
void Executor::apply(Lane number, const PlannedOp& op, std::size_t at, std::size_t elements) {
  std::byte* to = region(op.writes).data + offset(op, op.at + at);
  const std::byte* landed = landing_.data + slot_offset(number, number, lanes_[number].now.applied);
  if (op.action == Action::receive) {
    std::memcpy(to, landed, elements * plan_.element_bytes);
    return;
  }
  const std::byte* own = region(op.reads).data + offset(op, op.own + at);
  if (op.completes) {
    reduction_->complete(to, own, landed, elements);
  } else {
    reduction_->combine(to, own, landed, elements);
  }
}

/// Both ends know it alike.
bool Executor::lands_in_slot(const PlannedOp& op) const {
  return op.action == Action::reduce || op.peer_reduces ||
         op.span.size() * plan_.element_bytes <= kSmallBytes;
}

/// Whether the buffer is free again as soon as it is posted.
bool Executor::taken_at_once(const PlannedOp& op) const {
  return op.span.size() * plan_.element_bytes <= transport_.taken_at_once();
}

void Executor::acknowledge(Lane number, std::uint64_t completed) {
  RunProgress& lane = lanes_[number].now;
  const auto& ops = plan_.sends[number];
  while (lane.acknowledged_op < lane.send.op &&
         last_write_[ops[lane.acknowledged_op]] <= completed) {
    const std::uint32_t number_of_op = ops[lane.acknowledged_op++];
    const PlannedOp& op = plan_.ops[number_of_op];
    if (!taken_at_once(op)) settle(number_of_op, op.span.size());
  }
}

void Executor::settle(std::uint32_t op, std::size_t elements) {
  settled_[op] += elements;
  if (settled_[op] == plan_.ops[op].span.size()) finish(plan_.ops[op].stripe);
  for (const Lane lane : plan_.waiting_for(op)) look_at(lane);
}

/// One more op of that stripe.
void Executor::finish(std::uint32_t stripe) {
  --unsettled_ops_;
  if (--unsettled_of_stripe_[stripe] > 0) return;
  stripe_times_[stripe] = std::chrono::steady_clock::now() - begin_;
}

/// Whether the first `elements` of the op may be touched.
bool Executor::ready(const PlannedOp& op, std::size_t elements) const {
  const auto end = static_cast<std::ptrdiff_t>(op.span.begin + elements);
  for (const Dependency& dependency : plan_.dependencies_of(op)) {
    if (dependency.in_place && !in_place_) continue;
    const Layout::Span& before = plan_.ops[dependency.op].span;
    const auto until = std::min(end + dependency.shift, static_cast<std::ptrdiff_t>(before.end));
    const std::ptrdiff_t needed = until - static_cast<std::ptrdiff_t>(before.begin);
    if (needed > 0 && settled_[dependency.op] < static_cast<std::size_t>(needed)) return false;
  }
  return true;
}

/// How many elements the piece holds that begins `at` elements into the op. Both ends reckon alike:
/// all places of an op are as far from a block's end.
std::size_t Executor::piece(const PlannedOp& op, std::size_t at) const {
  const Layout& layout = plan_.stripes[op.stripe];
  const bool long_pieces = plan_.one_hop && !lands_in_slot(op);
  const std::size_t bytes = long_pieces ? kOneHopPieces * piece_bytes_ : piece_bytes_;
  return std::min({bytes / plan_.element_bytes, op.span.size() - at, layout.run(op.at + at)});
}

/// Bytes into its buffer.
std::size_t Executor::offset(const PlannedOp& op, std::size_t place) const {
  return plan_.stripes[op.stripe].offset_of(place) * plan_.element_bytes;
}

/// In the landing memory of the rank that calls the lane `theirs`; we call it `ours`.
std::size_t Executor::slot_offset(Lane ours, Lane theirs, std::uint32_t piece) const {
  const std::uint32_t first = open_[ours] ? run_ % 2 * (window_ / 2) : 0;
  return theirs * lane_bytes_ + (first + piece) % window_ * slot_bytes_;
}

}  // namespace railgauge::executor
