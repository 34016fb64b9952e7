// Queue pairs: create, modify, query, destroy.

#include <cerrno>
#include <memory>

#include "softroce/device/queue_pair.hpp"
#include "softroce/verbs/calls.hpp"
#include "softroce/verbs/objects.hpp"

namespace railgauge::softroce {

namespace {

bool within(const Limits& limits, const ibv_qp_cap& capacity) {
  const auto most = static_cast<std::uint32_t>(limits.requests);
  const auto elements = static_cast<std::uint32_t>(limits.elements);
  return capacity.max_send_wr <= most && capacity.max_recv_wr <= most &&
         capacity.max_send_sge <= elements && capacity.max_recv_sge <= elements &&
         capacity.max_inline_data <= limits.inline_bytes;
}

bool objects_known(const ibv_qp_init_attr_ex& init) {
  return known(domain_of(init.pd)) && known(*QueuePair::queue_of(init.send_cq)) &&
         known(*QueuePair::queue_of(init.recv_cq)) &&
         (init.srq == nullptr || known(*static_cast<SharedReceiveQueue*>(init.srq)));
}

/// Objects of another device may have another engine, and so another lock.
bool of_one_engine(const ibv_qp_init_attr_ex& init) {
  const Engine* engine = &engine_of(init.pd->context);
  return &engine_of(init.send_cq->context) == engine &&
         &engine_of(init.recv_cq->context) == engine &&
         (init.srq == nullptr || &engine_of(init.srq->context) == engine);
}

int check(const ibv_qp_init_attr_ex& init) {
  constexpr std::uint32_t kKnown =
      IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_CREATE_FLAGS | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
  if ((init.comp_mask & ~kKnown) != 0) return EOPNOTSUPP;
  if ((init.comp_mask & IBV_QP_INIT_ATTR_CREATE_FLAGS) != 0 && init.create_flags != 0) {
    return EOPNOTSUPP;
  }
  if ((init.comp_mask & IBV_QP_INIT_ATTR_PD) == 0) return EINVAL;
  if (init.qp_type != IBV_QPT_RC && init.qp_type != IBV_QPT_UC && init.qp_type != IBV_QPT_UD) {
    return EOPNOTSUPP;
  }
  if (init.pd == nullptr || init.send_cq == nullptr || init.recv_cq == nullptr) return EINVAL;
  if (!objects_known(init) || !of_one_engine(init)) return ENOENT;
  const Profile& profile = port_of(init.pd->context).profile;
  if (!profile.has_rc && init.qp_type != IBV_QPT_UD) return EOPNOTSUPP;
  return within(profile.limits, init.cap) ? 0 : EINVAL;
}

constexpr std::uint64_t kDatagramOperations = IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM;
constexpr std::uint64_t kUnreliableOperations = kDatagramOperations | IBV_QP_EX_WITH_RDMA_WRITE |
                                                IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM |
                                                IBV_QP_EX_WITH_LOCAL_INV | IBV_QP_EX_WITH_BIND_MW;
constexpr std::uint64_t kReliableOperations =
    kUnreliableOperations | IBV_QP_EX_WITH_SEND_WITH_INV | IBV_QP_EX_WITH_RDMA_READ |
    IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP | IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD;

std::uint64_t operations_of(ibv_qp_type type) {
  if (type == IBV_QPT_RC) return kReliableOperations;
  return type == IBV_QPT_UC ? kUnreliableOperations : kDatagramOperations;
}

void allocate(QueuePair& queue_pair, ibv_qp_cap& capacity) {
  capacity.max_send_wr = std::max(capacity.max_send_wr, 1U);
  capacity.max_send_sge = std::max(capacity.max_send_sge, 1U);
  capacity.max_recv_sge = std::max(capacity.max_recv_sge, 1U);
  queue_pair.send_queue.allocate(capacity.max_send_wr, capacity.max_send_sge,
                                 capacity.max_inline_data);
  if (queue_pair.qp_base.srq == nullptr) {
    queue_pair.receive_queue.allocate(capacity.max_recv_wr, capacity.max_recv_sge);
  } else {
    capacity.max_recv_wr = capacity.max_recv_sge = 0;
  }
  queue_pair.capacity = capacity;
}

void hold(QueuePair& queue_pair, int by) {
  const auto change = static_cast<unsigned>(by);  // +1 or -1, modulo 2^32
  domain_of(queue_pair.qp_base.pd).users += change;
  queue_pair.send_completions().users += change;
  queue_pair.receive_completions().users += change;
  if (queue_pair.shared() != nullptr) queue_pair.shared()->users += change;
}

}  // namespace

ibv_qp* create_qp_ex(ibv_context* context, ibv_qp_init_attr_ex* init) {
  if (const int error = check(*init)) return refuse(error);
  const std::uint64_t possible = operations_of(init->qp_type);
  const bool names_operations = (init->comp_mask & IBV_QP_INIT_ATTR_SEND_OPS_FLAGS) != 0;
  if (names_operations && (init->send_ops_flags & ~possible) != 0) return refuse(EOPNOTSUPP);
  auto queue_pair = std::make_unique<QueuePair>(port_of(context));
  static_cast<ibv_qp_ex&>(*queue_pair) = {};
  ibv_qp& qp = queue_pair->qp_base;
  qp.context = context;
  qp.qp_context = init->qp_context;
  qp.pd = init->pd;
  qp.send_cq = init->send_cq;
  qp.recv_cq = init->recv_cq;
  qp.srq = init->srq;
  qp.state = IBV_QPS_RESET;
  qp.qp_type = init->qp_type;
  pthread_mutex_init(&qp.mutex, nullptr);
  pthread_cond_init(&qp.cond, nullptr);
  queue_pair->signal_all = init->sq_sig_all != 0;
  allocate(*queue_pair, init->cap);
  set_work_requests(*queue_pair, names_operations ? init->send_ops_flags : possible);
  const Engine::Lock lock(engine_of(context));
  if (!queue_pair->port.add(*queue_pair)) return refuse(ENOMEM);
  qp.handle = qp.qp_num;
  hold(*queue_pair, 1);
  return queue_pair.release()->verbs();
}

namespace calls {

ibv_qp* create_qp(ibv_pd* domain, ibv_qp_init_attr* init) {
  ibv_qp_init_attr_ex all{};
  all.qp_context = init->qp_context;
  all.send_cq = init->send_cq;
  all.recv_cq = init->recv_cq;
  all.srq = init->srq;
  all.cap = init->cap;
  all.qp_type = init->qp_type;
  all.sq_sig_all = init->sq_sig_all;
  all.comp_mask = IBV_QP_INIT_ATTR_PD;
  all.pd = domain;
  ibv_qp* qp = create_qp_ex(domain->context, &all);
  if (qp != nullptr) init->cap = all.cap;
  return qp;
}

ibv_qp_ex* qp_to_qp_ex(ibv_qp* qp) {
  return &queue_pair_of(qp);
}

int query_qp(ibv_qp* qp, ibv_qp_attr* out, int, ibv_qp_init_attr* init) {
  const Engine::Lock lock(engine_of(qp->context));
  if (!known(*qp)) return failed(ENOENT);
  const QueuePair& queue_pair = queue_pair_of(qp);
  *out = queue_pair.attributes;
  out->qp_state = out->cur_qp_state = qp->state;
  out->cap = queue_pair.capacity;
  out->sq_draining = queue_pair.requester.drained() ? 0 : qp->state == IBV_QPS_SQD;
  *init = {};
  init->qp_context = qp->qp_context;
  init->send_cq = qp->send_cq;
  init->recv_cq = qp->recv_cq;
  init->srq = qp->srq;
  init->cap = queue_pair.capacity;
  init->qp_type = qp->qp_type;
  init->sq_sig_all = queue_pair.signal_all ? 1 : 0;
  return 0;
}

int destroy_qp(ibv_qp* qp) {
  QueuePair& queue_pair = queue_pair_of(qp);
  Engine& engine = engine_of(qp->context);
  {
    Engine::Lock lock(engine);
    if (!known(*qp)) return failed(ENOENT);
    engine.tick();
    engine.transmit(queue_pair.port);  // the acknowledgement that is owed for what has come
    queue_pair.port.outbox.flush();
    queue_pair.port.outbox.release(queue_pair.path);
    queue_pair.port.remove(queue_pair);
    queue_pair.send_completions().forget(queue_pair.number());
    queue_pair.receive_completions().forget(queue_pair.number());
    context_of(qp->context).events.forget(qp);
    hold(queue_pair, -1);
    engine.acknowledged.wait(lock.native(), [&] { return queue_pair.async_events.settled(); });
  }
  delete &queue_pair;  // NOLINT(cppcoreguidelines-owning-memory)
  return 0;
}

}  // namespace calls
}  // namespace railgauge::softroce
