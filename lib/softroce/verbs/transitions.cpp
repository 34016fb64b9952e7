#include "softroce/verbs/transitions.hpp"

#include <algorithm>
#include <array>

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

}  // namespace

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

}  // namespace railgauge::softroce
