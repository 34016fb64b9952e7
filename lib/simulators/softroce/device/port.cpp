#include "softroce/device/port.hpp"

#include <algorithm>

#include "softroce/device/context.hpp"
#include "softroce/device/queue_pair.hpp"

namespace railgauge::softroce {
namespace {

// The only partition. The port is a full member, so limited members may talk to it (InfiniBand
// volume 1, 10.9.3). The highest bit tells the two apart.
constexpr std::uint16_t kDefaultPartition = 0x7fff;

}  // namespace

std::vector<std::pair<std::string, std::uint64_t>> Counters::named() const {
  return {{"sent_pkts", sent_pkts},
          {"rcvd_pkts", rcvd_pkts},
          {"sent_bytes", sent_bytes},
          {"rcvd_bytes", rcvd_bytes},
          {"duplicate_request", duplicate_request},
          {"out_of_seq_request", out_of_seq_request},
          {"rcvd_rnr_err", rcvd_rnr_err},
          {"send_rnr_err", send_rnr_err},
          {"rcvd_seq_err", rcvd_seq_err},
          {"ack_deferred", ack_deferred},
          {"retry_exceeded_err", retry_exceeded_err},
          {"retry_rnr_exceeded_err", retry_rnr_exceeded_err},
          {"completer_retry_err", completer_retry_err},
          {"send_err", send_err},
          {"link_downed", link_downed},
          {"rdma_sends", rdma_sends},
          {"rdma_recvs", rdma_recvs},
          {"icrc_err", icrc_err},
          {"rcvd_overflow", rcvd_overflow},
          {"malformed", malformed},
          {"unexpected", unexpected},
          {"retransmitted_pkts", retransmitted_pkts},
          {"np_ecn_marked_roce_packets", np_ecn_marked_roce_packets},
          {"np_cnp_sent", np_cnp_sent},
          {"rp_cnp_handled", rp_cnp_handled},
          {"rp_cnp_ignored", rp_cnp_ignored},
          {"shortcut_operations", shortcut_operations},
          {"shortcut_bytes", shortcut_bytes}};
}

Port::Port(Outbox& its_outbox, Address its_address, std::uint32_t first_queue_pair)
    : outbox(its_outbox), address(its_address), first_(first_queue_pair) {}

bool Port::add(QueuePair& queue_pair) {
  // Round robin, so that a number is reused as late as possible: a packet for its last owner must
  // not reach the next.
  for (std::uint32_t tried = 0; tried < kMostQueuePairs; ++tried) {
    const std::uint32_t place = next_place_++ % kMostQueuePairs;
    if (place >= queue_pairs_.size()) queue_pairs_.resize(place + 1);
    if (queue_pairs_[place] != nullptr) continue;
    queue_pairs_[place] = &queue_pair;
    queue_pair.qp_base.qp_num = first_ + place;
    queue_pair.identity = next_identity_++;
    return true;
  }
  return false;
}

void Port::take_shortcut(std::unique_ptr<Shortcut> taken) {
  memory.watcher = taken.get();
  shortcut = std::move(taken);
}

void Port::remove(QueuePair& queue_pair) {
  if (shortcut) shortcut->forget(queue_pair);
  queue_pairs_[queue_pair.number() - first_] = nullptr;
  std::ranges::replace(ready_, &queue_pair, static_cast<QueuePair*>(nullptr));
  std::ranges::replace(running_, &queue_pair, static_cast<QueuePair*>(nullptr));
}

QueuePair* Port::find(std::uint32_t number) const {
  const std::uint32_t place = number - first_;
  return place < queue_pairs_.size() ? queue_pairs_[place] : nullptr;
}

bool Port::send(const Path& path, const Packet& headers, std::span<const iovec> payload) {
  const std::size_t bytes = outbox.send(path, headers, payload);
  if (bytes == 0) return false;
  ++counters.sent_pkts;
  counters.sent_bytes += bytes;
  counters.sent_by_priority[priority_of(path.traffic_class)] += bytes;
  if (pacer.paces()) pacer.sent(bytes, held_back_, now);
  return true;
}

void Port::deliver(const Packet& packet, const Arrival& arrival) {
  ++counters.rcvd_pkts;
  QueuePair* queue_pair = find(packet.queue_pair);
  if (queue_pair == nullptr || (packet.partition & kDefaultPartition) != kDefaultPartition) {
    ++counters.unexpected;
    return;
  }
  queue_pair->deliver(packet, arrival);
}

void Port::want(QueuePair& queue_pair) {
  if (queue_pair.listed) return;
  queue_pair.listed = true;
  ready_.push_back(&queue_pair);
}

bool Port::transmit() {
  if (pacer.paces()) return transmit_in_turns();
  bool more = false;
  running_.swap(ready_);
  for (QueuePair* queue_pair : running_) {
    if (queue_pair == nullptr) continue;
    queue_pair->listed = false;
    if (!queue_pair->transmit()) continue;
    more = true;
    want(*queue_pair);
  }
  running_.clear();
  return more;
}

/// A packet of each in turn while the line is free, as a NIC's scheduler has it. Whoever had no
/// turn is before those that had one.
bool Port::transmit_in_turns() {
  running_.swap(ready_);
  std::size_t next = 0;
  for (; next < running_.size() && pacer.is_free(now); ++next) {
    QueuePair* queue_pair = running_[next];
    if (queue_pair == nullptr) continue;
    queue_pair->listed = false;
    if (!queue_pair->transmit(1) || queue_pair->listed) continue;
    queue_pair->listed = true;
    running_.push_back(queue_pair);
  }
  ready_.insert(ready_.begin(), running_.begin() + static_cast<std::ptrdiff_t>(next),
                running_.end());
  running_.clear();
  held_back_ = !ready_.empty();
  if (held_back_) arm(pacer.wake_up());
  return wants();
}

void Port::obey(const PauseQuanta& quanta) {
  if (pause.obey(quanta, line_bits_per_second, now)) resume();
  arm(pause.next_end());
}

/// Whoever had to wait is not on the list of those that want to send.
void Port::resume() {
  for (QueuePair* queue_pair : queue_pairs_) {
    if (queue_pair != nullptr) want(*queue_pair);
  }
}

void Port::reset_counters() {
  counters = {.rcvd_overflow = counters.rcvd_overflow};
}

std::vector<std::pair<std::string, std::uint64_t>> Port::named_counters() const {
  auto named = counters.named();
  for (std::size_t priority = 0; hears_pauses && priority < kPriorities; ++priority) {
    const std::string name = "_prio" + std::to_string(priority);
    named.emplace_back("rx" + name + "_pause", pause.frames(priority));
    named.emplace_back("rx" + name + "_pause_duration", pause.microseconds(priority));
    named.emplace_back("rx" + name + "_bytes", counters.rcvd_by_priority[priority]);
    named.emplace_back("tx" + name + "_bytes", counters.sent_by_priority[priority]);
  }
  return named;
}

void Port::run_timers() {
  if (now < next_timer_) return;
  next_timer_ = Time::max();
  if (pause.expire(now)) resume();
  arm(pause.next_end());
  for (QueuePair* queue_pair : queue_pairs_) {
    if (queue_pair == nullptr) continue;
    if (queue_pair->requester.deadline() <= now) queue_pair->requester.on_time();
    arm(queue_pair->requester.deadline());
    if (queue_pair->responder.deadline() <= now) want(*queue_pair);
    arm(queue_pair->responder.deadline());
  }
  if (shortcut) shortcut->run_timers();
}

void Port::set_link(bool up) {
  if (up == link_up) return;
  link_up = up;
  if (!up) ++counters.link_downed;
  for (Context* context : contexts) {
    context->events.raise_port(up ? IBV_EVENT_PORT_ACTIVE : IBV_EVENT_PORT_ERR);
    if (up) context->events.raise_port(IBV_EVENT_GID_CHANGE);
  }
}

}  // namespace railgauge::softroce
