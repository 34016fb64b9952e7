// Sending: ibv_post_send(), and the ibv_wr_* interface.

#include <cerrno>
#include <cstring>

#include "softroce/device/queue_pair.hpp"
#include "softroce/verbs/objects.hpp"

namespace railgauge::softroce {

namespace {

/// Windows of type 1 are bound by ibv_bind_mw(), those of type 2 by a work request (InfiniBand
/// volume 1, o10-37.2.34 and 35).
bool may_be_bound(const QueuePair& queue_pair, const ibv_mw* window, ibv_mw_type type) {
  return !queue_pair.datagram() && window != nullptr && window->type == type &&
         &port_of(window->context) == &queue_pair.port;
}

bool supported(const QueuePair& queue_pair, ibv_wr_opcode opcode) {
  switch (opcode) {
    case IBV_WR_SEND:
    case IBV_WR_SEND_WITH_IMM: return true;
    case IBV_WR_RDMA_WRITE:
    case IBV_WR_RDMA_WRITE_WITH_IMM:
    case IBV_WR_LOCAL_INV: return !queue_pair.datagram();
    case IBV_WR_RDMA_READ:
    case IBV_WR_ATOMIC_CMP_AND_SWP:
    case IBV_WR_ATOMIC_FETCH_AND_ADD:
    case IBV_WR_SEND_WITH_INV: return queue_pair.reliable();
    default: return false;
  }
}

int state_error(const QueuePair& queue_pair) {
  const ibv_qp_state state = queue_pair.qp_base.state;
  return state == IBV_QPS_RESET || state == IBV_QPS_INIT || state == IBV_QPS_RTR ? EINVAL : 0;
}

/// What was committed leaves, or is flushed.
void launch(QueuePair& queue_pair) {
  Engine& engine = engine_of(queue_pair.qp_base.context);
  engine.tick();
  if (!queue_pair.may_send()) return queue_pair.flush_sends();
  queue_pair.port.want(queue_pair);
  engine.transmit(queue_pair.port);
  engine.kick_if_early();
}

void set_remote(SendRequest& request, std::uint64_t address, std::uint32_t key) {
  request.remote_address = address;
  request.remote_key = key;
}

void set_operands(SendRequest& request, const ibv_send_wr& wr) {
  switch (wr.opcode) {
    case IBV_WR_ATOMIC_CMP_AND_SWP:
      request.compare = wr.wr.atomic.compare_add;
      request.swap_or_add = wr.wr.atomic.swap;
      return set_remote(request, wr.wr.atomic.remote_addr, wr.wr.atomic.rkey);
    case IBV_WR_ATOMIC_FETCH_AND_ADD:
      request.swap_or_add = wr.wr.atomic.compare_add;
      return set_remote(request, wr.wr.atomic.remote_addr, wr.wr.atomic.rkey);
    case IBV_WR_SEND_WITH_INV:
    case IBV_WR_LOCAL_INV: request.invalidate_key = wr.invalidate_rkey; return;
    default:
      request.immediate = wr.imm_data;
      return set_remote(request, wr.wr.rdma.remote_addr, wr.wr.rdma.rkey);
  }
}

void set_destination(SendRequest& request, const ibv_ah* handle, std::uint32_t number,
                     std::uint32_t key) {
  request.path = static_cast<const AddressHandle*>(handle)->path;
  request.remote_queue_pair = number;
  request.queue_key = key;
}

/// From now on the window's key is the new one, as far as the program can see (manual page of
/// ibv_bind_mw). Returns the errno.
int set_binding(SendQueue& queue, ibv_mw& window, std::uint32_t key, const ibv_mw_bind_info& info) {
  const Binding binding = binding_of(window, static_cast<std::uint8_t>(key & kTagMask), info);
  if (!queue.set_binding(binding)) return ENOMEM;
  window.rkey = (window.rkey & ~kTagMask) | (key & kTagMask);
  return 0;
}

// A queue key with its high bit set means the queue pair's own (InfiniBand volume 1, 10.2.5).
std::uint32_t queue_key(const QueuePair& queue_pair, std::uint32_t given) {
  return (given & 0x80000000U) != 0 ? queue_pair.attributes.qkey : given;
}

int build(QueuePair& queue_pair, const ibv_send_wr& wr, ibv_mw_type bindable) {
  if (queue_pair.send_queue.full()) return ENOMEM;
  const bool binds = wr.opcode == IBV_WR_BIND_MW;
  if (binds ? !may_be_bound(queue_pair, wr.bind_mw.mw, bindable)
            : !supported(queue_pair, wr.opcode) || wr.num_sge < 0) {
    return EINVAL;
  }
  if (queue_pair.datagram() && wr.wr.ud.ah == nullptr) return EINVAL;
  SendQueue& queue = queue_pair.send_queue;
  SendRequest& request = queue.build();
  request.id = wr.wr_id;
  request.opcode = wr.opcode;
  request.flags = wr.send_flags & ~unsigned{IBV_SEND_INLINE};
  if (binds) {
    return set_binding(queue, *wr.bind_mw.mw, wr.bind_mw.rkey, wr.bind_mw.bind_info);
  }
  if (queue_pair.datagram()) {
    request.immediate = wr.imm_data;
    set_destination(request, wr.wr.ud.ah, wr.wr.ud.remote_qpn,
                    queue_key(queue_pair, wr.wr.ud.remote_qkey));
  } else {
    set_operands(request, wr);
  }
  const std::span<const ibv_sge> elements(wr.sg_list, static_cast<std::size_t>(wr.num_sge));
  if ((wr.send_flags & IBV_SEND_INLINE) == 0) return queue.set_elements(elements) ? 0 : EINVAL;
  if (request.is_answered()) return EINVAL;
  for (const ibv_sge& element : elements) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): verbs carry addresses as integers
    const auto* data = reinterpret_cast<const void*>(static_cast<std::uintptr_t>(element.addr));
    if (const int error = queue.append_inline(data, element.length)) return error;
  }
  return 0;
}

int post(ibv_qp* qp, ibv_send_wr* requests, ibv_send_wr** bad, ibv_mw_type bindable) {
  const Engine::Lock lock(engine_of(qp->context));
  QueuePair& queue_pair = queue_pair_of(qp);
  int error = state_error(queue_pair);
  ibv_send_wr* request = requests;
  for (; error == 0 && request != nullptr; request = request->next) {
    error = build(queue_pair, *request, bindable);
    if (error != 0) break;
    queue_pair.send_queue.commit();
  }
  if (error != 0) {
    queue_pair.send_queue.abort();
    *bad = request;
  }
  if (state_error(queue_pair) == 0) launch(queue_pair);
  return failed(error);
}

}  // namespace

int post_send(ibv_qp* qp, ibv_send_wr* requests, ibv_send_wr** bad) {
  return post(qp, requests, bad, IBV_MW_TYPE_2);
}

int bind_mw(ibv_qp* qp, ibv_mw* window, ibv_mw_bind* bind) {
  ibv_send_wr request{};
  request.wr_id = bind->wr_id;
  request.send_flags = bind->send_flags;
  request.opcode = IBV_WR_BIND_MW;
  request.bind_mw.mw = window;
  request.bind_mw.rkey = next_tag(static_cast<std::uint8_t>(window->rkey & kTagMask));
  request.bind_mw.bind_info = bind->bind_info;
  ibv_send_wr* bad = nullptr;
  return post(qp, &request, &bad, IBV_MW_TYPE_1);
}

namespace {

// The ibv_wr_* interface builds requests in the send queue itself. Between wr_start() and
// wr_complete() one thread works on the queue pair, and what it builds does not count yet, so the
// lock is held only at the end.

SendRequest& begin(ibv_qp_ex* qp, ibv_wr_opcode opcode) {
  static thread_local SendRequest nowhere;
  QueuePair& queue_pair = queue_pair_of(qp);
  if (queue_pair.build_error) return nowhere;
  const Engine::Lock lock(engine_of(qp->qp_base.context));
  if (queue_pair.send_queue.full()) {
    queue_pair.build_error = ENOMEM;
    return nowhere;
  }
  SendRequest& request = queue_pair.send_queue.build();
  request.id = qp->wr_id;
  request.flags = qp->wr_flags & ~unsigned{IBV_SEND_INLINE};
  request.opcode = opcode;
  return request;
}

void wr_start(ibv_qp_ex* qp) {
  queue_pair_of(qp).build_error.reset();
  queue_pair_of(qp).send_queue.abort();
}

void wr_abort(ibv_qp_ex* qp) {
  queue_pair_of(qp).send_queue.abort();
}

int wr_complete(ibv_qp_ex* qp) {
  const Engine::Lock lock(engine_of(qp->qp_base.context));
  QueuePair& queue_pair = queue_pair_of(qp);
  const int error = queue_pair.build_error.value_or(state_error(queue_pair));
  if (error != 0) {
    queue_pair.send_queue.abort();
    return failed(error);
  }
  queue_pair.send_queue.commit();
  launch(queue_pair);
  return 0;
}

void fail_build(QueuePair& queue_pair, int error) {
  if (!queue_pair.build_error) queue_pair.build_error = error;
}

void wr_set_sge_list(ibv_qp_ex* qp, std::size_t count, const ibv_sge* elements) {
  QueuePair& queue_pair = queue_pair_of(qp);
  if (queue_pair.build_error) return;
  if (!queue_pair.send_queue.set_elements({elements, count})) fail_build(queue_pair, EINVAL);
}

void wr_set_sge(ibv_qp_ex* qp, std::uint32_t key, std::uint64_t address, std::uint32_t length) {
  const ibv_sge element{address, length, key};
  wr_set_sge_list(qp, 1, &element);
}

void wr_set_inline_data(ibv_qp_ex* qp, void* data, std::size_t bytes) {
  QueuePair& queue_pair = queue_pair_of(qp);
  if (queue_pair.build_error) return;
  if (const int error = queue_pair.send_queue.append_inline(data, bytes)) {
    fail_build(queue_pair, error);
  }
}

void wr_set_inline_data_list(ibv_qp_ex* qp, std::size_t count, const ibv_data_buf* buffers) {
  for (std::size_t i = 0; i < count; ++i) {
    wr_set_inline_data(qp, buffers[i].addr, buffers[i].length);
  }
}

void wr_set_ud_addr(ibv_qp_ex* qp, ibv_ah* handle, std::uint32_t number, std::uint32_t key) {
  QueuePair& queue_pair = queue_pair_of(qp);
  if (queue_pair.build_error) return;
  set_destination(queue_pair.send_queue.last_built(), handle, number, queue_key(queue_pair, key));
}

void wr_send(ibv_qp_ex* qp) {
  begin(qp, IBV_WR_SEND);
}

void wr_send_imm(ibv_qp_ex* qp, __be32 immediate) {
  begin(qp, IBV_WR_SEND_WITH_IMM).immediate = immediate;
}

void wr_send_inv(ibv_qp_ex* qp, std::uint32_t key) {
  begin(qp, IBV_WR_SEND_WITH_INV).invalidate_key = key;
}

void wr_local_inv(ibv_qp_ex* qp, std::uint32_t key) {
  begin(qp, IBV_WR_LOCAL_INV).invalidate_key = key;
}

void wr_bind_mw(ibv_qp_ex* qp, ibv_mw* window, std::uint32_t key, const ibv_mw_bind_info* info) {
  QueuePair& queue_pair = queue_pair_of(qp);
  if (!may_be_bound(queue_pair, window, IBV_MW_TYPE_2)) return fail_build(queue_pair, EINVAL);
  begin(qp, IBV_WR_BIND_MW);
  if (queue_pair.build_error) return;
  if (const int error = set_binding(queue_pair.send_queue, *window, key, *info)) {
    fail_build(queue_pair, error);
  }
}

void wr_rdma_read(ibv_qp_ex* qp, std::uint32_t key, std::uint64_t address) {
  set_remote(begin(qp, IBV_WR_RDMA_READ), address, key);
}

void wr_rdma_write(ibv_qp_ex* qp, std::uint32_t key, std::uint64_t address) {
  set_remote(begin(qp, IBV_WR_RDMA_WRITE), address, key);
}

void wr_rdma_write_imm(ibv_qp_ex* qp, std::uint32_t key, std::uint64_t address, __be32 immediate) {
  SendRequest& request = begin(qp, IBV_WR_RDMA_WRITE_WITH_IMM);
  set_remote(request, address, key);
  request.immediate = immediate;
}

void wr_atomic_cmp_swp(ibv_qp_ex* qp, std::uint32_t key, std::uint64_t address,
                       std::uint64_t compare, std::uint64_t swap) {
  SendRequest& request = begin(qp, IBV_WR_ATOMIC_CMP_AND_SWP);
  set_remote(request, address, key);
  request.compare = compare;
  request.swap_or_add = swap;
}

void wr_atomic_fetch_add(ibv_qp_ex* qp, std::uint32_t key, std::uint64_t address,
                         std::uint64_t add) {
  SendRequest& request = begin(qp, IBV_WR_ATOMIC_FETCH_AND_ADD);
  set_remote(request, address, key);
  request.swap_or_add = add;
}

}  // namespace

void set_work_requests(ibv_qp_ex& qp, std::uint64_t operations) {
  const auto set = [&](std::uint64_t operation, auto member, auto function) {
    if ((operations & operation) != 0) qp.*member = function;
  };
  qp.wr_start = wr_start;
  qp.wr_complete = wr_complete;
  qp.wr_abort = wr_abort;
  qp.wr_set_sge = wr_set_sge;
  qp.wr_set_sge_list = wr_set_sge_list;
  qp.wr_set_inline_data = wr_set_inline_data;
  qp.wr_set_inline_data_list = wr_set_inline_data_list;
  qp.wr_set_ud_addr = wr_set_ud_addr;
  set(IBV_QP_EX_WITH_SEND, &ibv_qp_ex::wr_send, wr_send);
  set(IBV_QP_EX_WITH_SEND_WITH_IMM, &ibv_qp_ex::wr_send_imm, wr_send_imm);
  set(IBV_QP_EX_WITH_SEND_WITH_INV, &ibv_qp_ex::wr_send_inv, wr_send_inv);
  set(IBV_QP_EX_WITH_LOCAL_INV, &ibv_qp_ex::wr_local_inv, wr_local_inv);
  set(IBV_QP_EX_WITH_BIND_MW, &ibv_qp_ex::wr_bind_mw, wr_bind_mw);
  set(IBV_QP_EX_WITH_RDMA_READ, &ibv_qp_ex::wr_rdma_read, wr_rdma_read);
  set(IBV_QP_EX_WITH_RDMA_WRITE, &ibv_qp_ex::wr_rdma_write, wr_rdma_write);
  set(IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM, &ibv_qp_ex::wr_rdma_write_imm, wr_rdma_write_imm);
  set(IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP, &ibv_qp_ex::wr_atomic_cmp_swp, wr_atomic_cmp_swp);
  set(IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD, &ibv_qp_ex::wr_atomic_fetch_add, wr_atomic_fetch_add);
}

}  // namespace railgauge::softroce
