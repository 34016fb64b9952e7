#include "flow/null_device.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <vector>

#include "verbs/device.hpp"

#undef ibv_reg_mr

namespace railgauge::flow {
namespace {

constexpr const char* kName = "null0";
constexpr int kMostCompletions = 1 << 16;

int completions_per_poll = std::numeric_limits<int>::max();
bool is_silent = false;

/// A ring: what pairs have outstanding fits.
struct Queue {
  ibv_cq raw{};
  std::vector<ibv_wc> ring{};
  std::size_t put = 0;
  std::size_t taken = 0;

  void add(const ibv_wc& one) { ring[put++ % ring.size()] = one; }
};

struct Pair {
  ibv_qp raw{};
  std::uint32_t peer = 0;
  std::deque<std::uint64_t> receives{};  // ids
};

std::map<std::uint32_t, Pair*>& pairs() {
  static std::map<std::uint32_t, Pair*> all;
  return all;
}

template <class T, class Raw>
T& of(Raw* raw) {
  return *reinterpret_cast<T*>(raw);  // of which it is the first member
}

ibv_wc completion(std::uint64_t id, const ibv_qp& pair, ibv_wc_opcode opcode) {
  ibv_wc one{};
  one.wr_id = id;
  one.qp_num = pair.qp_num;
  one.opcode = opcode;
  return one;
}

void announce(const ibv_send_wr& write, Pair& there) {
  ibv_wc one = completion(there.receives.front(), there.raw, IBV_WC_RECV_RDMA_WITH_IMM);
  there.receives.pop_front();
  one.imm_data = write.imm_data;
  of<Queue>(there.raw.recv_cq).add(one);
}

int post_send(ibv_qp* raw, ibv_send_wr* write, ibv_send_wr** /*refused*/) {
  Pair& pair = of<Pair>(raw);
  NullDevice::Counts& counts = NullDevice::counts();
  ++counts.posts;
  for (; write != nullptr; write = write->next) {
    ++counts.messages;
    if (write->opcode == IBV_WR_RDMA_WRITE_WITH_IMM) announce(*write, *pairs().at(pair.peer));
    if ((write->send_flags & IBV_SEND_SIGNALED) == 0) continue;
    ++counts.signals;
    if (!is_silent) of<Queue>(raw->send_cq).add(completion(write->wr_id, *raw, IBV_WC_RDMA_WRITE));
  }
  return 0;
}

int post_receive(ibv_qp* raw, ibv_recv_wr* receive, ibv_recv_wr** /*refused*/) {
  for (; receive != nullptr; receive = receive->next)
    of<Pair>(raw).receives.push_back(receive->wr_id);
  return 0;
}

int poll(ibv_cq* raw, int room, ibv_wc* into) {
  Queue& queue = of<Queue>(raw);
  ++NullDevice::counts().polls;
  int count = 0;
  const int most = std::min(room, completions_per_poll);
  while (count < most && queue.taken != queue.put)
    into[count++] = queue.ring[queue.taken++ % queue.ring.size()];
  return count;
}

ibv_device& device() {
  static ibv_device one = [] {
    ibv_device made{};
    std::copy_n(kName, sizeof("null0"), made.name);
    return made;
  }();
  return one;
}

}  // namespace

NullDevice::Counts& NullDevice::counts() {
  static Counts all;
  return all;
}

void NullDevice::set_completions_per_poll(int most) {
  completions_per_poll = most;
}

void NullDevice::set_silent(bool silent) {
  is_silent = silent;
}

verbs::Port NullDevice::port() {
  verbs::Port port{.device = kName, .mtu_bytes = 4096};
  port.gid.emplace();
  return port;
}

}  // namespace railgauge::flow

using railgauge::flow::device;
using railgauge::flow::Pair;
using railgauge::flow::Queue;

// What lib/verbs calls, in place of the library's.
extern "C" {

ibv_device** ibv_get_device_list(int* count) {
  static ibv_device* list[] = {&device(), nullptr};
  *count = 1;
  return list;
}
void ibv_free_device_list(ibv_device** /*list*/) {}
const char* ibv_get_device_name(ibv_device* one) {
  return one->name;
}

ibv_context* ibv_open_device(ibv_device* one) {
  auto* context = new ibv_context{};
  context->device = one;
  context->async_fd = eventfd(0, 0);
  context->ops.post_send = railgauge::flow::post_send;
  context->ops.post_recv = railgauge::flow::post_receive;
  context->ops.poll_cq = railgauge::flow::poll;
  return context;
}
int ibv_close_device(ibv_context* context) {
  close(context->async_fd);
  delete context;
  return 0;
}
int ibv_query_device(ibv_context* /*context*/, ibv_device_attr* limits) {
  limits->max_cqe = railgauge::flow::kMostCompletions;
  return 0;
}

ibv_pd* ibv_alloc_pd(ibv_context* context) {
  auto* domain = new ibv_pd{};
  domain->context = context;
  return domain;
}
int ibv_dealloc_pd(ibv_pd* domain) {
  delete domain;
  return 0;
}

ibv_mr* ibv_reg_mr_iova2(ibv_pd* domain, void* address, size_t bytes, uint64_t /*iova*/,
                         unsigned int /*access*/) {
  auto* region = new ibv_mr{};
  region->context = domain->context;
  region->pd = domain;
  region->addr = address;
  region->length = bytes;
  return region;
}
ibv_mr* ibv_reg_mr(ibv_pd* domain, void* address, size_t bytes, int access) {
  return ibv_reg_mr_iova2(domain, address, bytes, 0, static_cast<unsigned>(access));
}
int ibv_dereg_mr(ibv_mr* region) {
  delete region;
  return 0;
}

ibv_comp_channel* ibv_create_comp_channel(ibv_context* context) {
  return new ibv_comp_channel{context, eventfd(0, 0), 0};
}
int ibv_destroy_comp_channel(ibv_comp_channel* channel) {
  close(channel->fd);
  delete channel;
  return 0;
}

ibv_cq* ibv_create_cq(ibv_context* context, int depth, void* /*own*/, ibv_comp_channel* channel,
                      int /*vector*/) {
  auto* queue = new Queue;
  queue->raw.context = context;
  queue->raw.channel = channel;
  queue->raw.cqe = depth;
  queue->ring.resize(static_cast<std::size_t>(depth));
  return &queue->raw;
}
int ibv_destroy_cq(ibv_cq* queue) {
  delete &railgauge::flow::of<Queue>(queue);
  return 0;
}

ibv_qp* ibv_create_qp(ibv_pd* domain, ibv_qp_init_attr* wanted) {
  static std::uint32_t next = 1;
  auto* pair = new Pair;
  pair->raw.context = domain->context;
  pair->raw.pd = domain;
  pair->raw.send_cq = wanted->send_cq;
  pair->raw.recv_cq = wanted->recv_cq;
  pair->raw.qp_num = next++;
  railgauge::flow::pairs()[pair->raw.qp_num] = pair;
  return &pair->raw;
}
int ibv_modify_qp(ibv_qp* pair, ibv_qp_attr* to, int mask) {
  if ((mask & IBV_QP_DEST_QPN) != 0) railgauge::flow::of<Pair>(pair).peer = to->dest_qp_num;
  return 0;
}
int ibv_destroy_qp(ibv_qp* pair) {
  railgauge::flow::pairs().erase(pair->qp_num);
  delete &railgauge::flow::of<Pair>(pair);
  return 0;
}

}  // extern "C"
