#include "verbs/completion_queue.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <sstream>
#include <utility>

#include "verbs/error.hpp"

namespace railgauge::verbs {
namespace {

/// Completions taken from the device at once, on the stack: 16 are 768 bytes.
constexpr std::size_t kBatch = 16;

CompletionKind kind_of(const ibv_wc& raw) {
  if (raw.status != IBV_WC_SUCCESS) return CompletionKind::unknown;
  switch (raw.opcode) {
    case IBV_WC_RDMA_WRITE: return CompletionKind::write;
    case IBV_WC_RDMA_READ: return CompletionKind::read;
    case IBV_WC_SEND: return CompletionKind::send;
    case IBV_WC_RECV:
    case IBV_WC_RECV_RDMA_WITH_IMM: return CompletionKind::arrival;
    default: return CompletionKind::unknown;
  }
}

Completion convert(const ibv_wc& raw) {
  Completion completion{
      .id = raw.wr_id, .qp_number = raw.qp_num, .status = raw.status, .kind = kind_of(raw)};
  if (completion.kind == CompletionKind::arrival) {
    if (raw.opcode == IBV_WC_RECV_RDMA_WITH_IMM) completion.immediate = ntohl(raw.imm_data);
    completion.bytes = raw.byte_len;
  } else if (!completion.ok()) {
    completion.vendor_error = raw.vendor_err;
  }
  return completion;
}

CompletionChannel make_channel(ibv_context& context) {
  const char* device = context.device->name;
  CompletionChannel channel(
      created(ibv_create_comp_channel(&context), "ibv_create_comp_channel", device));
  make_non_blocking(channel->fd, "a completion channel", device);
  return channel;
}

CompletionQueueHandle make_queue(ibv_context& context, int depth, ibv_comp_channel& channel) {
  ibv_cq* queue = ibv_create_cq(&context, depth, nullptr, &channel, 0);
  if (queue == nullptr) {
    const int error = errno;
    fail(error, "ibv_create_cq with room for " + std::to_string(depth), context.device->name);
  }
  return CompletionQueueHandle(queue);
}

int poll_one(ibv_cq& queue, std::span<Completion> completions) noexcept {
  std::array<ibv_wc, kBatch> raw;  // filled by ibv_poll_cq; clearing it would cost more than a poll
  int taken = 0;
  while (!completions.empty()) {
    const auto room = static_cast<int>(std::min(completions.size(), raw.size()));
    const int count = ibv_poll_cq(&queue, room, raw.data());
    if (count < 0) return taken > 0 ? taken : -1;
    std::transform(raw.begin(), raw.begin() + count, completions.begin(), convert);
    taken += count;
    if (count < room) break;
    completions = completions.subspan(static_cast<std::size_t>(count));
  }
  return taken;
}

}  // namespace

std::string describe(const Completion& completion) {
  std::ostringstream text;
  text << name(completion.status) << " on queue pair 0x" << std::hex << completion.qp_number << ": "
       << meaning(completion.status);
  if (completion.vendor_error != 0) text << " (vendor error 0x" << completion.vendor_error << ")";
  return text.str();
}

/// Of one queue, or of several that are half full: then it does not matter which pairs share one.
CompletionQueue::CompletionQueue(ibv_context& context, int depth, int most)
    : channel_(make_channel(context)) {
  const int count = depth > most ? depth / std::max(1, most / 2) + 1 : 1;
  for (int i = 0; i < count; ++i)
    queues_.push_back({make_queue(context, std::min(depth, most), *channel_)});
}

int CompletionQueue::poll(std::span<Completion> completions) noexcept {
  int taken = 0;
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    if (++next_ >= queues_.size()) next_ = 0;
    const auto left = completions.subspan(static_cast<std::size_t>(taken));
    const int count = poll_one(*queues_[next_].raw, left);
    if (count < 0) return taken > 0 ? taken : -1;
    taken += count;
  }
  return taken;
}

int CompletionQueue::arm() noexcept {
  for (const Queue& queue : queues_)
    if (const int error = ibv_req_notify_cq(queue.raw.get(), 0); error != 0) return error;
  return 0;
}

bool CompletionQueue::take_events() noexcept {
  bool any = false;
  ibv_cq* raw = nullptr;
  void* ignored = nullptr;
  while (ibv_get_cq_event(channel_.get(), &raw, &ignored) == 0) {
    ++std::ranges::find(queues_, raw, [](const Queue& one) { return one.raw.get(); })->events;
    any = true;
  }
  // All at once, since it takes a lock; and always, since destroying a queue waits for it.
  for (Queue& queue : queues_) {
    if (queue.events > 0) ibv_ack_cq_events(queue.raw.get(), std::exchange(queue.events, 0));
  }
  return any;
}

int CompletionQueue::depth() const noexcept {
  return std::accumulate(queues_.begin(), queues_.end(), 0,
                         [](int sum, const Queue& one) { return sum + one.raw->cqe; });
}

ibv_cq& CompletionQueue::raw_for(int outstanding) noexcept {
  Queue& queue = *std::ranges::min_element(queues_, {}, &Queue::taken);
  queue.taken += outstanding;
  return *queue.raw;
}

}  // namespace railgauge::verbs
