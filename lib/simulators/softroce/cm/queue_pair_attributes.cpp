#include <algorithm>
#include <cerrno>
#include <cstring>

#include "softroce/cm/identifier.hpp"

namespace railgauge::softroce::cm {
namespace {

bool requested(State state) {
  return state >= State::request_sent;
}

/// Both ends know each other.
bool agreed(State state) {
  return state >= State::request_received && state <= State::established;
}

int initial(const Identifier& identifier, ibv_qp_attr& attributes, int& mask) {
  if (requested(identifier.state) && identifier.state > State::established) return EINVAL;
  mask = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS;
  attributes.port_num = kPortNumber;
  if (!requested(identifier.state)) return 0;
  attributes.qp_access_flags = IBV_ACCESS_REMOTE_WRITE;
  if (identifier.own.responder_resources != 0) {
    attributes.qp_access_flags |= IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;
  }
  return 0;
}

int initial_for_datagrams(const Identifier& identifier, ibv_qp_attr& attributes, int& mask) {
  mask = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY;
  attributes.port_num = kPortNumber;
  attributes.qkey = identifier.own.qkey != 0 ? identifier.own.qkey : kDefaultQkey;
  return 0;
}

int ready_to_receive(const Identifier& identifier, ibv_qp_attr& attributes, int& mask) {
  if (!agreed(identifier.state)) return EINVAL;
  mask = IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
         IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
  attributes.ah_attr = address_vector(identifier);
  attributes.path_mtu = static_cast<ibv_mtu>(std::min(identifier.own.mtu, identifier.peer.mtu));
  attributes.dest_qp_num = identifier.peer.queue_pair;
  attributes.rq_psn = identifier.own.psn;
  attributes.max_dest_rd_atomic = identifier.own.responder_resources;
  return 0;
}

int ready_to_send(const Identifier& identifier, ibv_qp_attr& attributes, int& mask) {
  if (!agreed(identifier.state)) return EINVAL;
  mask = IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
         IBV_QP_MAX_QP_RD_ATOMIC;
  attributes.sq_psn = identifier.peer.psn;
  attributes.timeout = identifier.acknowledgement_timeout.value_or(kAcknowledgementTimeout);
  attributes.retry_cnt = identifier.own.retry_count;
  attributes.rnr_retry = identifier.own.rnr_retry_count;
  attributes.max_rd_atomic = identifier.own.initiator_depth;
  return 0;
}

}  // namespace

ibv_ah_attr address_vector(const Identifier& identifier) {
  ibv_ah_attr vector{};
  vector.is_global = 1;
  vector.port_num = kPortNumber;
  vector.grh.sgid_index = identifier.device ? identifier.device->gid_index : 0;
  vector.grh.hop_limit = kHops;
  vector.grh.traffic_class = identifier.own.traffic_class;
  std::memcpy(vector.grh.dgid.raw, identifier.peer.device.bytes.data(), sizeof vector.grh.dgid.raw);
  return vector;
}

int queue_pair_attributes(const Identifier& identifier, ibv_qp_attr& attributes, int& mask) {
  // Before there is a request, and for datagrams, the kernel says the same for every state.
  if (identifier.datagrams()) return initial_for_datagrams(identifier, attributes, mask);
  if (!requested(identifier.state)) return initial(identifier, attributes, mask);
  switch (attributes.qp_state) {
    case IBV_QPS_INIT: return initial(identifier, attributes, mask);
    case IBV_QPS_RTR: return ready_to_receive(identifier, attributes, mask);
    case IBV_QPS_RTS: return ready_to_send(identifier, attributes, mask);
    default: return EINVAL;
  }
}

}  // namespace railgauge::softroce::cm
