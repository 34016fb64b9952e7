// Shared receive queues, and posting of receives.

#include <cerrno>
#include <memory>

#include "softroce/device/queue_pair.hpp"
#include "softroce/verbs/calls.hpp"
#include "softroce/verbs/objects.hpp"

namespace railgauge::softroce {

namespace {

SharedReceiveQueue& shared_of(ibv_srq* srq) {
  return *static_cast<SharedReceiveQueue*>(srq);
}

int post_all(ReceiveQueue& queue, ibv_recv_wr* requests, ibv_recv_wr** bad) {
  for (ibv_recv_wr* request = requests; request != nullptr; request = request->next) {
    if (const int error = queue.post(*request)) {
      *bad = request;
      return failed(error);
    }
  }
  return 0;
}

}  // namespace

int post_srq_recv(ibv_srq* srq, ibv_recv_wr* requests, ibv_recv_wr** bad) {
  const Engine::Lock lock(engine_of(srq->context));
  return post_all(shared_of(srq).queue, requests, bad);
}

int post_recv(ibv_qp* qp, ibv_recv_wr* requests, ibv_recv_wr** bad) {
  const Engine::Lock lock(engine_of(qp->context));
  QueuePair& queue_pair = queue_pair_of(qp);
  if (qp->srq != nullptr || qp->state == IBV_QPS_RESET) {
    *bad = requests;
    return failed(EINVAL);
  }
  const int error = post_all(queue_pair.receive_queue, requests, bad);
  if (qp->state == IBV_QPS_ERR) {
    queue_pair.port.now = engine_of(qp->context).tick();
    queue_pair.flush_receives();
  }
  return error;
}

ibv_srq* create_srq_ex(ibv_context*, ibv_srq_init_attr_ex* init) {
  constexpr std::uint32_t kPlain = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD;
  const bool basic =
      (init->comp_mask & IBV_SRQ_INIT_ATTR_TYPE) == 0 || init->srq_type == IBV_SRQT_BASIC;
  if (!basic || (init->comp_mask & ~kPlain) != 0) return refuse(EOPNOTSUPP);
  if ((init->comp_mask & IBV_SRQ_INIT_ATTR_PD) == 0) return refuse(EINVAL);
  return calls::create_srq(init->pd, reinterpret_cast<ibv_srq_init_attr*>(init));
}

namespace calls {

ibv_srq* create_srq(ibv_pd* domain, ibv_srq_init_attr* init) {
  if (!known(domain_of(domain))) return refuse(ENOENT);
  ibv_srq_attr& attributes = init->attr;
  const Limits& limits = port_of(domain->context).profile.limits;
  if (attributes.max_wr == 0 || attributes.max_wr > static_cast<unsigned>(limits.requests) ||
      attributes.max_sge > static_cast<unsigned>(limits.elements)) {
    return refuse(EINVAL);
  }
  auto queue = std::make_unique<SharedReceiveQueue>();
  static_cast<ibv_srq&>(*queue) = {};
  queue->context = domain->context;
  queue->handle = handle_of(queue.get());
  queue->srq_context = init->srq_context;
  queue->pd = domain;
  queue->limit = attributes.srq_limit;
  queue->queue.allocate(attributes.max_wr, attributes.max_sge);
  const Engine::Lock lock(engine_of(domain->context));
  Census& census = port_of(domain->context).census;
  if (census.shared_receive_queues >= kMaxSharedReceiveQueues) return refuse(ENOMEM);
  ++census.shared_receive_queues;
  ++domain_of(domain).users;
  return queue.release();
}

int modify_srq(ibv_srq* srq, ibv_srq_attr* attributes, int mask) {
  SharedReceiveQueue& shared = shared_of(srq);
  const Engine::Lock lock(engine_of(srq->context));
  if (!known(shared)) return failed(ENOENT);
  if ((mask & ~(IBV_SRQ_MAX_WR | IBV_SRQ_LIMIT)) != 0) return failed(EINVAL);
  if ((mask & IBV_SRQ_MAX_WR) != 0) {
    const bool fits = attributes->max_wr >= shared.queue.size() && attributes->max_wr > 0 &&
                      attributes->max_wr <=
                          static_cast<unsigned>(port_of(shared.context).profile.limits.requests);
    if (!fits) return failed(EINVAL);
    shared.queue.resize(attributes->max_wr);
  }
  if ((mask & IBV_SRQ_LIMIT) != 0) {
    if (attributes->srq_limit > shared.queue.capacity()) return failed(EINVAL);
    shared.limit = attributes->srq_limit;
  }
  return 0;
}

int query_srq(ibv_srq* srq, ibv_srq_attr* out) {
  const SharedReceiveQueue& shared = shared_of(srq);
  const Engine::Lock lock(engine_of(srq->context));
  if (!known(shared)) return failed(ENOENT);
  out->max_wr = static_cast<std::uint32_t>(shared.queue.capacity());
  out->max_sge = static_cast<std::uint32_t>(shared.queue.elements_each());
  out->srq_limit = shared.limit;
  return 0;
}

int destroy_srq(ibv_srq* srq) {
  SharedReceiveQueue& shared = shared_of(srq);
  Engine& engine = engine_of(srq->context);
  {
    Engine::Lock lock(engine);
    if (!known(shared)) return failed(ENOENT);
    if (shared.users != 0) return failed(EBUSY);
    --port_of(srq->context).census.shared_receive_queues;
    context_of(srq->context).events.forget(srq);
    engine.acknowledged.wait(lock.native(), [&] { return shared.async_events.settled(); });
    --domain_of(srq->pd).users;
  }
  delete &shared;  // NOLINT(cppcoreguidelines-owning-memory)
  return 0;
}

}  // namespace calls
}  // namespace railgauge::softroce
