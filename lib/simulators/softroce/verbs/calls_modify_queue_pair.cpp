// ibv_modify_qp().

#include <algorithm>
#include <array>
#include <cerrno>

#include "softroce/device/queue_pair.hpp"
#include "softroce/verbs/calls.hpp"
#include "softroce/verbs/objects.hpp"

namespace railgauge::softroce {
namespace {

struct Masks {
  int required = 0;
  int allowed = 0;
};

struct Transition {
  ibv_qp_state from, to;
  Masks rc, uc, ud;
};

constexpr int kInit = IBV_QP_PKEY_INDEX | IBV_QP_PORT;
constexpr int kPath = IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
constexpr int kRcReceive = kPath | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
constexpr int kRcSend =
    IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC;
constexpr int kChange =
    IBV_QP_CUR_STATE | IBV_QP_ACCESS_FLAGS | IBV_QP_ALT_PATH | IBV_QP_PATH_MIG_STATE;
constexpr int kRcChange = kChange | IBV_QP_MIN_RNR_TIMER;
constexpr int kUdChange = IBV_QP_CUR_STATE | IBV_QP_QKEY;
constexpr int kOpen = IBV_QP_ALT_PATH | IBV_QP_ACCESS_FLAGS | IBV_QP_PKEY_INDEX;
constexpr int kUcDrained = IBV_QP_AV | kOpen | IBV_QP_PATH_MIG_STATE;
constexpr int kRcDrained = kUcDrained | IBV_QP_PORT | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
                           IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_MAX_DEST_RD_ATOMIC |
                           IBV_QP_MIN_RNR_TIMER;

constexpr std::array<Transition, 10> kTransitions = {{
    {IBV_QPS_RESET,
     IBV_QPS_INIT,
     {kInit | IBV_QP_ACCESS_FLAGS, 0},
     {kInit | IBV_QP_ACCESS_FLAGS, 0},
     {kInit | IBV_QP_QKEY, 0}},
    {IBV_QPS_INIT,
     IBV_QPS_INIT,
     {0, kInit | IBV_QP_ACCESS_FLAGS},
     {0, kInit | IBV_QP_ACCESS_FLAGS},
     {0, kInit | IBV_QP_QKEY}},
    {IBV_QPS_INIT,
     IBV_QPS_RTR,
     {kRcReceive, kOpen},
     {kPath, kOpen},
     {0, IBV_QP_PKEY_INDEX | IBV_QP_QKEY}},
    {IBV_QPS_RTR,
     IBV_QPS_RTS,
     {kRcSend, kRcChange},
     {IBV_QP_SQ_PSN, kChange},
     {IBV_QP_SQ_PSN, kUdChange}},
    {IBV_QPS_RTS, IBV_QPS_RTS, {0, kRcChange}, {0, kChange}, {0, kUdChange}},
    {IBV_QPS_RTS,
     IBV_QPS_SQD,
     {0, IBV_QP_EN_SQD_ASYNC_NOTIFY},
     {0, IBV_QP_EN_SQD_ASYNC_NOTIFY},
     {0, IBV_QP_EN_SQD_ASYNC_NOTIFY}},
    {IBV_QPS_SQD, IBV_QPS_RTS, {0, kRcChange}, {0, kChange}, {0, kUdChange}},
    {IBV_QPS_SQD,
     IBV_QPS_SQD,
     {0, kRcDrained},
     {0, kUcDrained},
     {0, IBV_QP_PKEY_INDEX | IBV_QP_QKEY}},
    {IBV_QPS_SQE,
     IBV_QPS_RTS,
     {-1, 0},
     {0, IBV_QP_CUR_STATE | IBV_QP_ACCESS_FLAGS},
     {0, kUdChange}},
    {IBV_QPS_SQE, IBV_QPS_SQE, {-1, 0}, {0, 0}, {0, 0}},
}};

/// Whether ibv_modify_qp() may take a queue pair of this type from one state to another with these
/// attributes: all that are required, none that is not allowed (InfiniBand volume 1, 10.3.1 and
/// table 91).
bool may_modify(ibv_qp_type type, ibv_qp_state from, ibv_qp_state to, int mask) {
  const int given = mask & ~(IBV_QP_STATE | IBV_QP_CUR_STATE);
  if (to == IBV_QPS_RESET || to == IBV_QPS_ERR) return given == 0;
  const auto* found = std::ranges::find_if(kTransitions, [&](const Transition& transition) {
    return transition.from == from && transition.to == to;
  });
  if (found == kTransitions.end()) return false;
  const Masks& masks = type == IBV_QPT_RC ? found->rc : type == IBV_QPT_UC ? found->uc : found->ud;
  if (masks.required < 0) return false;  // RC has no send queue error state
  return (given & masks.required) == masks.required &&
         (given & ~(masks.required | masks.allowed)) == 0;
}

constexpr unsigned kSmallestMtu = 128;  // bytes << enum ibv_mtu

bool valid(const QueuePair& queue_pair, const ibv_qp_attr& attributes, int mask) {
  const auto given = [&](int bit) { return (mask & bit) != 0; };
  if (given(IBV_QP_CUR_STATE) && attributes.cur_qp_state != queue_pair.qp_base.state) return false;
  if (given(IBV_QP_PORT) && attributes.port_num != 1) return false;
  if (given(IBV_QP_PKEY_INDEX) && attributes.pkey_index != 0) return false;
  const int reads = queue_pair.port.profile.limits.reads;
  if (given(IBV_QP_MAX_QP_RD_ATOMIC) && attributes.max_rd_atomic > reads) return false;
  if (given(IBV_QP_MAX_DEST_RD_ATOMIC) && attributes.max_dest_rd_atomic > reads) return false;
  if (given(IBV_QP_DEST_QPN) && attributes.dest_qp_num > kMask24) return false;
  if (given(IBV_QP_TIMEOUT) && attributes.timeout > 31) return false;
  if (given(IBV_QP_RETRY_CNT) && attributes.retry_cnt > 7) return false;
  if (given(IBV_QP_RNR_RETRY) && attributes.rnr_retry > 7) return false;
  if (given(IBV_QP_MIN_RNR_TIMER) && attributes.min_rnr_timer > 31) return false;
  if (!given(IBV_QP_PATH_MTU)) return true;
  return attributes.path_mtu >= IBV_MTU_256 && attributes.path_mtu <= IBV_MTU_4096 &&
         (kSmallestMtu << attributes.path_mtu) <= queue_pair.port.mtu;
}

void copy(ibv_qp_attr& to, const ibv_qp_attr& from, int mask) {
  const auto take = [&](int bit, auto member) {
    if ((mask & bit) != 0) to.*member = from.*member;
  };
  take(IBV_QP_PKEY_INDEX, &ibv_qp_attr::pkey_index);
  take(IBV_QP_PORT, &ibv_qp_attr::port_num);
  take(IBV_QP_ACCESS_FLAGS, &ibv_qp_attr::qp_access_flags);
  take(IBV_QP_QKEY, &ibv_qp_attr::qkey);
  take(IBV_QP_AV, &ibv_qp_attr::ah_attr);
  take(IBV_QP_PATH_MTU, &ibv_qp_attr::path_mtu);
  take(IBV_QP_TIMEOUT, &ibv_qp_attr::timeout);
  take(IBV_QP_RETRY_CNT, &ibv_qp_attr::retry_cnt);
  take(IBV_QP_RNR_RETRY, &ibv_qp_attr::rnr_retry);
  take(IBV_QP_RQ_PSN, &ibv_qp_attr::rq_psn);
  take(IBV_QP_SQ_PSN, &ibv_qp_attr::sq_psn);
  take(IBV_QP_MAX_QP_RD_ATOMIC, &ibv_qp_attr::max_rd_atomic);
  take(IBV_QP_MAX_DEST_RD_ATOMIC, &ibv_qp_attr::max_dest_rd_atomic);
  take(IBV_QP_MIN_RNR_TIMER, &ibv_qp_attr::min_rnr_timer);
  take(IBV_QP_DEST_QPN, &ibv_qp_attr::dest_qp_num);
}

void enter(QueuePair& queue_pair, ibv_qp_state from, ibv_qp_state to, const ibv_qp_attr& given,
           int mask) {
  queue_pair.qp_base.state = to;
  const ibv_qp_attr& attributes = queue_pair.attributes;
  if (from == IBV_QPS_INIT && to == IBV_QPS_RTR) {
    const bool datagram = queue_pair.datagram();
    queue_pair.mtu = datagram ? queue_pair.port.mtu : kSmallestMtu << attributes.path_mtu;
    queue_pair.responder.start(attributes.rq_psn);
  }
  if (from == IBV_QPS_RTR && to == IBV_QPS_RTS) queue_pair.requester.start(attributes.sq_psn);
  if (to == IBV_QPS_SQD) {
    const bool asked = (mask & IBV_QP_EN_SQD_ASYNC_NOTIFY) != 0 && given.en_sqd_async_notify != 0;
    queue_pair.drained_told = !asked;
    if (queue_pair.requester.drained()) queue_pair.send_queue_drained();
  }
  if (queue_pair.port.shortcut) {
    queue_pair.port.shortcut->publish(queue_pair);
    if (to == IBV_QPS_RTS && from == IBV_QPS_RTR) queue_pair.port.shortcut->introduce(queue_pair);
  }
  queue_pair.port.want(queue_pair);
}

}  // namespace

namespace calls {

int modify_qp(ibv_qp* qp, ibv_qp_attr* attributes, int mask) {
  Engine& engine = engine_of(qp->context);
  const Engine::Lock lock(engine);
  if (!known(*qp)) return failed(ENOENT);
  QueuePair& queue_pair = queue_pair_of(qp);
  engine.tick();
  const ibv_qp_state from = qp->state;
  const ibv_qp_state to = (mask & IBV_QP_STATE) != 0 ? attributes->qp_state : from;
  if (!may_modify(qp->qp_type, from, to, mask) || !valid(queue_pair, *attributes, mask)) {
    return failed(EINVAL);
  }
  if (to == IBV_QPS_RESET) {
    queue_pair.reset();
    return 0;
  }
  if (to == IBV_QPS_ERR) {
    engine.transmit(queue_pair.port);
    queue_pair.fail();
    return 0;
  }
  if ((mask & IBV_QP_AV) != 0) {
    const int error = path_of(queue_pair.port, attributes->ah_attr, queue_pair.path);
    if (error != 0) return failed(error);
    queue_pair.peer_port = kRocePort;
  }
  copy(queue_pair.attributes, *attributes, mask);
  enter(queue_pair, from, to, *attributes, mask);
  engine.transmit(queue_pair.port);
  engine.kick_if_early();
  return 0;
}

}  // namespace calls

}  // namespace railgauge::softroce
