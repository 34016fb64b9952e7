// What an executor does without waiting: copies, sends, grants, arrivals, and when each may happen.

#include <algorithm>
#include <cstring>
#include <limits>

#include "executor/executor.hpp"

namespace railgauge::executor {

using transport::Channel;

namespace {

// Ops of up to this size land in slots even if they only overwrite: copying so little costs less
// than making the peer wait until their destination is free.
constexpr std::size_t kSmallBytes = std::size_t{32} * 1024;

}  // namespace

/// Does all that channels can do without another event. Progress on one may unblock another.
void Executor::advance() {
  while (!to_look_at_.empty()) {
    const Channel channel = to_look_at_.back();
    to_look_at_.pop_back();
    listed_[channel] = false;
    advance_arrivals(channel);
    advance_grants(channel);
    advance_sends(channel);
    transport_.flush();
  }
}

void Executor::look_at(Channel channel) {
  if (listed_[channel]) return;
  listed_[channel] = true;
  to_look_at_.push_back(channel);
}

/// An all-to-all in place may copy a block over a part of itself.
void Executor::copy(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (offload_ == nullptr) {
    std::memmove(to, from, bytes);
    return;
  }
  see_arrivals();
  offload_->copy(to, from, bytes);
}

/// Copies at most a chunk, so that no peer waits long, unless another copies meanwhile; true if
/// there was something to copy.
bool Executor::copy_some() {
  std::size_t budget =
      offload_ == nullptr ? chunk_elements_ : std::numeric_limits<std::size_t>::max();
  bool copied = false;
  while (copy_.op < plan_.copies.size() && budget > 0 && works_.take_copies()) {
    const std::uint32_t number = plan_.copies[copy_.op];
    const PlannedOp& op = plan_.ops[number];
    const std::size_t elements = std::min(budget, chunk(op, copy_.elements));
    if (!ready(op, copy_.elements + elements)) break;
    const std::byte* from = region(op.reads).data + offset(op, op.own + copy_.elements);
    std::byte* to = region(op.writes).data + offset(op, op.at + copy_.elements);
    if (from != to) copy(to, from, elements * plan_.element_bytes);
    budget -= elements;
    copy_.elements += elements;
    end_work({.op = number, .elements = elements});
    if (copy_.elements == op.span.size()) copy_ = {copy_.op + 1, 0};
    copied = true;
  }
  return copied;
}

void Executor::advance_sends(Channel number) {
  RunProgress& channel = channels_[number].now;
  const auto& ops = plan_.sends[number];
  while (channel.send.op < ops.size()) {
    const std::uint32_t op_number = ops[channel.send.op];
    const PlannedOp& op = plan_.ops[op_number];
    const std::size_t elements = chunk(op, channel.send.elements);
    if (channel.sent == channel.credit || !transport_.can_post(number)) break;
    if (!ready(op, channel.send.elements + elements)) break;
    post_chunk(number, op, channel.send.elements, elements);
    channel.send.elements += elements;
    if (channel.send.elements == op.span.size()) {
      last_write_[op_number] = channels_[number].writes;
      channel.send = {channel.send.op + 1, 0};
      if (copied_on_post(op)) settle(op_number, op.span.size());
    }
  }
}

void Executor::post_chunk(Channel number, const PlannedOp& op, std::size_t at,
                          std::size_t elements) {
  ChannelProgress& channel = channels_[number];
  transport::Write write;
  write.local = region(op.reads);
  write.local_offset = offset(op, op.at + at);
  if (lands_in_slot(op)) {
    write.remote_id = landing_.id;
    write.remote_offset = slot_offset(number, transport_.peer_channel(number), channel.now.sent);
  } else {
    write.remote_id = region(op.writes).id;
    write.remote_offset = region(op.writes).offset + offset(op, op.peer + at);
  }
  write.bytes = static_cast<std::uint32_t>(elements * plan_.element_bytes);
  write.notification = Notification{false, run_, 0}.bits();
  const bool sample = samples_.wants(number, channel.now.sent);
  write.report = sample || (at + elements == op.span.size() && !copied_on_post(op));
  if (sample) samples_.posted(number, channel.writes + 1, write.bytes);
  transport_.write(number, write);
  ++channel.writes;
  ++channel.chunks;
  ++channel.now.sent;
  channel.payload_bytes += write.bytes;
}

void Executor::advance_grants(Channel number) {
  RunProgress& channel = channels_[number].now;
  const auto& ops = plan_.arrivals[number];
  while (channel.grant.op < ops.size()) {
    const PlannedOp& op = plan_.ops[ops[channel.grant.op]];
    const std::size_t elements = chunk(op, channel.grant.elements);
    // What lands in a slot disturbs no one; what lands in a buffer overwrites what is there.
    const bool slot = lands_in_slot(op);
    if (channel.granted - channel.applied >= (slot ? window_ : straight_window_)) break;
    if (!slot && !ready(op, channel.grant.elements + elements)) break;
    ++channel.granted;
    channel.grant.elements += elements;
    if (channel.grant.elements == op.span.size()) channel.grant = {channel.grant.op + 1, 0};
  }
  announce(number);
  if (channel.apply.op == ops.size() && channel.applied == channel.taken) promise(number);
}

/// Tells the peer of new grants, not one by one but once it knows of no more than half of what it
/// may still send.
void Executor::announce(Channel number) {
  RunProgress& channel = channels_[number].now;
  if (channel.granted == channel.announced) return;
  if (2 * (channel.announced - channel.arrived) > channel.granted - channel.arrived) return;
  if (!transport_.can_post(number)) return;
  notify(number, {true, run_, channel.granted});
  channel.announced = channel.granted;
}

/// Tells the peer what it may send in the next run of this plan: the first chunks that land in
/// slots.
void Executor::promise(Channel number) {
  ChannelProgress& channel = channels_[number];
  if (preauthorized_[number] || channel.promised > 0 || !transport_.can_post(number)) return;
  Cursor after;
  channel.promised = leading_chunks(plan_.arrivals[number], after);
  if (channel.promised > 0) notify(number, {true, run_ + 1, channel.promised});
}

/// Whether there are chunks both ways, all of which land in slots, and slots enough for two runs.
bool Executor::can_preauthorize(Channel number) const {
  for (const auto* ops : {&plan_.sends[number], &plan_.arrivals[number]}) {
    Cursor after;
    const std::uint32_t chunks = leading_chunks(*ops, after);
    if (chunks == 0 || chunks > window_ / 2 || after.op < ops->size()) return false;
  }
  return true;
}

/// How many of a list's first chunks land in slots, at most a window, and where the list continues.
std::uint32_t Executor::leading_chunks(const std::vector<std::uint32_t>& ops, Cursor& after) const {
  std::uint32_t chunks = 0;
  while (chunks < window_ && after.op < ops.size() && lands_in_slot(plan_.ops[ops[after.op]])) {
    const PlannedOp& op = plan_.ops[ops[after.op]];
    after.elements += chunk(op, after.elements);
    if (after.elements == op.span.size()) after = {after.op + 1, 0};
    ++chunks;
  }
  return chunks;
}

void Executor::notify(Channel number, const Notification& notification) {
  transport::Write write;
  write.notification = notification.bits();
  transport_.write(number, write);
  ++channels_[number].writes;
}

/// A peer is never more than one run ahead. If plans were loaded in between, the latest
/// notification counts.
void Executor::take_notification(Channel number, const Notification& notification) {
  ChannelProgress& channel = channels_[number];
  if (notification.is_times()) {
    ++channel.exchanges;
    return;
  }
  if (notification.is_of(run_)) {
    if (!notification.credit) {
      samples_.arrived(number, channel.now.arrived++);
    } else {
      channel.now.credit += (notification.chunks - channel.now.credit) & Notification::kChunksMask;
    }
    return;
  }
  if (!notification.credit) {
    samples_.arrived_early(number, channel.early++);
    return;
  }
  const std::uint32_t ahead = (notification.run - run_) & Notification::kRunMask;
  channel.next_run = run_ + ahead;
  channel.next_credit = notification.chunks;
}

void Executor::advance_arrivals(Channel number) {
  RunProgress& channel = channels_[number].now;
  const auto& ops = plan_.arrivals[number];
  while (channel.taken < channel.arrived) {
    const std::uint32_t op_number = ops[channel.apply.op];
    const PlannedOp& op = plan_.ops[op_number];
    const std::size_t elements = chunk(op, channel.apply.elements);
    if (lands_in_slot(op)) {
      if (!ready(op, channel.apply.elements + elements)) break;
      apply(number, op, channel.apply.elements, elements);
    } else {
      unseen_ = true;
    }
    ++channel.taken;
    channel.apply.elements += elements;
    if (channel.apply.elements == op.span.size()) channel.apply = {channel.apply.op + 1, 0};
    end_work({.channel = number, .op = op_number, .elements = elements});
  }
}

/// Of a chunk that is copied or applied, or has been handed over to be. Work ends in the order in
/// which it began: chunks of a channel are counted, so that no slot is taken for free too early.
void Executor::end_work(const Work& work) {
  if (offload_ == nullptr || (works_.empty() && offload_->done() == offload_->started())) {
    return settle(work);
  }
  works_.push({work, offload_->started()});
}

void Executor::settle(const Work& work) {
  if (work.channel) ++channels_[*work.channel].now.applied;
  settle(work.op, work.elements);
}

/// True if anything that was handed over has ended since the last call.
bool Executor::take_works() {
  if (works_.empty()) return false;
  const std::uint64_t done = offload_->done();
  bool any = false;
  for (; !works_.empty() && works_.front().number <= done; any = true) {
    const Work work = works_.front().work;
    works_.pop();
    settle(work);
    if (work.channel) look_at(*work.channel);
  }
  return any;
}

/// What peers wrote into memory of a device may be seen late by what is started there.
void Executor::see_arrivals() {
  if (!unseen_ || offload_ == nullptr) return;
  offload_->see_arrivals();
  unseen_ = false;
}

/// Takes a chunk from its slot.
void Executor::apply(Channel number, const PlannedOp& op, std::size_t at, std::size_t elements) {
  std::byte* to = region(op.writes).data + offset(op, op.at + at);
  const std::byte* landed =
      landing_.data + slot_offset(number, number, channels_[number].now.taken);
  if (op.action == Action::receive) return copy(to, landed, elements * plan_.element_bytes);
  const std::byte* own = region(op.reads).data + offset(op, op.own + at);
  if (offload_ != nullptr) {
    see_arrivals();
    offload_->combine(to, own, landed, elements, op.completes);
  } else if (op.completes) {
    reduction_->complete(to, own, landed, elements);
  } else {
    reduction_->combine(to, own, landed, elements);
  }
}

/// Both ends decide this alike. What goes to a device goes there itself: that is what is tested,
/// and a copy would cost more than the wait.
bool Executor::lands_in_slot(const PlannedOp& op) const {
  return op.action == Action::reduce || op.peer_reduces ||
         (offload_ == nullptr && op.span.size() * plan_.element_bytes <= kSmallBytes);
}

/// Whether the buffer is free again as soon as the op is posted.
bool Executor::copied_on_post(const PlannedOp& op) const {
  return !region(op.reads).of_device &&
         op.span.size() * plan_.element_bytes <= transport_.copy_threshold();
}

void Executor::acknowledge(Channel number, std::uint64_t completed) {
  RunProgress& channel = channels_[number].now;
  const auto& ops = plan_.sends[number];
  while (channel.acknowledged_op < channel.send.op &&
         last_write_[ops[channel.acknowledged_op]] <= completed) {
    const std::uint32_t number_of_op = ops[channel.acknowledged_op++];
    const PlannedOp& op = plan_.ops[number_of_op];
    if (!copied_on_post(op)) settle(number_of_op, op.span.size());
  }
}

void Executor::settle(std::uint32_t op, std::size_t elements) {
  settled_[op] += elements;
  if (settled_[op] == plan_.ops[op].span.size()) finish(plan_.ops[op]);
  for (const Channel channel : plan_.waiting_for(op)) look_at(channel);
}

/// Counts one more op as done, and of its rail.
void Executor::finish(const PlannedOp& op) {
  --unsettled_ops_;
  if (op.action == Action::copy) return;
  const unsigned rail = rails_[op.channel];
  if (--unsettled_of_rails_[rail] > 0) return;
  rail_times_[rail] = std::chrono::steady_clock::now() - begin_;
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

/// How many elements are in the chunk that begins `at` elements into the op. Both ends compute the
/// same: all places of an op are equally far from the end of a block.
std::size_t Executor::chunk(const PlannedOp& op, std::size_t at) const {
  const Layout& layout = plan_.stripes[op.stripe];
  const bool long_chunks = plan_.one_hop && !lands_in_slot(op);
  const std::size_t most =
      long_chunks ? longest_write(static_cast<std::uint32_t>(chunk_elements_)) : chunk_elements_;
  return std::min({most, op.span.size() - at, layout.run(op.at + at)});
}

/// In bytes, from the start of its buffer.
std::size_t Executor::offset(const PlannedOp& op, std::size_t place) const {
  return plan_.stripes[op.stripe].offset_of(place) * plan_.element_bytes;
}

/// In the landing memory of the rank whose number for the channel is `theirs`; ours is `ours`.
std::size_t Executor::slot_offset(Channel ours, Channel theirs, std::uint32_t chunk) const {
  const std::uint32_t first = preauthorized_[ours] ? run_ % 2 * (window_ / 2) : 0;
  return theirs * channel_bytes_ + (first + chunk) % window_ * slot_bytes_;
}

}  // namespace railgauge::executor
