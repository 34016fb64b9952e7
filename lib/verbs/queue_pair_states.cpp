#include "verbs/queue_pair.hpp"

#include <algorithm>
#include <random>
#include <string>

#include "verbs/error.hpp"
#include "verbs/port.hpp"

namespace railgauge::verbs {
namespace {

constexpr std::uint8_t kHopLimit = 64;  // as IP's usual TTL; a fabric has a handful of hops
// For ever (InfiniBand Architecture Specification 9.7.5.2.8): receives are posted in time, but a
// device may fetch them late. Devices count it, and whoever waits has a deadline.
constexpr std::uint8_t kRnrRetries = 7;
constexpr std::uint8_t kRnrTimer = 12;           // 0.64 ms
constexpr std::uint32_t kPacketMask = 0xffffff;  // packet sequence numbers have 24 bits

const char* device_of(const ibv_qp& pair) {
  return pair.context->device->name;
}

ibv_qp_init_attr wanted(CompletionQueue& sends, CompletionQueue& receives,
                        const QueuePairSettings& settings) {
  ibv_qp_init_attr wanted{};
  wanted.qp_type = IBV_QPT_RC;
  wanted.send_cq = &sends.raw_for(settings.send_depth);
  wanted.recv_cq = &receives.raw_for(settings.receive_depth);
  wanted.cap.max_send_wr = static_cast<std::uint32_t>(settings.send_depth);
  wanted.cap.max_recv_wr = static_cast<std::uint32_t>(settings.receive_depth);
  wanted.cap.max_send_sge = 1;
  wanted.cap.max_recv_sge = 1;  // receives are empty, but not every device takes 0
  wanted.cap.max_inline_data = static_cast<std::uint32_t>(settings.inline_bytes);
  return wanted;
}

/// Devices differ in the inline size they grant and say so only by refusing: halves the request
/// until it is accepted. Null with errno if even 0 is refused. Leaves in `attributes` what was
/// granted.
ibv_qp* create(ibv_pd& domain, ibv_qp_init_attr& attributes) {
  for (std::uint32_t inline_bytes = attributes.cap.max_inline_data;; inline_bytes /= 2) {
    ibv_qp_init_attr attempt = attributes;
    attempt.cap.max_inline_data = inline_bytes;
    ibv_qp* pair = ibv_create_qp(&domain, &attempt);
    if (pair == nullptr && inline_bytes > 0 && (errno == EINVAL || errno == ENOMEM)) continue;
    attributes = attempt;
    return pair;
  }
}

QueuePairHandle make_pair(ibv_pd& domain, ibv_qp_init_attr& attributes) {
  const auto depths = std::to_string(attributes.cap.max_send_wr) + " sends and " +
                      std::to_string(attributes.cap.max_recv_wr) + " receives";
  ibv_qp* pair = create(domain, attributes);
  if (pair == nullptr) {
    const int error = errno;
    if (error == EOPNOTSUPP)
      fail(error, "ibv_create_qp: the device has no RC queue pairs, which railgauge needs",
           domain.context->device->name);
    const ibv_device_attr limits = limits_of(*domain.context);
    fail(error,
         "ibv_create_qp with " + depths + " (the device allows " + std::to_string(limits.max_qp) +
             " queue pairs of " + std::to_string(limits.max_qp_wr) + "; fewer --qps need fewer)",
         domain.context->device->name);
  }
  return QueuePairHandle(pair);
}

void initialise(ibv_qp& pair, int port, bool readable) {
  ibv_qp_attr to{};
  to.qp_state = IBV_QPS_INIT;
  to.port_num = static_cast<std::uint8_t>(port);
  to.qp_access_flags = IBV_ACCESS_REMOTE_WRITE;
  if (readable) to.qp_access_flags |= IBV_ACCESS_REMOTE_READ;
  succeeded(ibv_modify_qp(&pair, &to,
                          IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS),
            "ibv_modify_qp to INIT", device_of(pair));
}

void ready_to_receive(ibv_qp& pair, const Port& port, const QueuePairSettings& settings,
                      const Address& peer) {
  ibv_qp_attr to{};
  to.qp_state = IBV_QPS_RTR;
  to.path_mtu = mtu_code(std::min(port.mtu_bytes, static_cast<int>(peer.mtu_bytes)));
  to.dest_qp_num = peer.qp_number;
  to.rq_psn = peer.first_packet;
  to.max_dest_rd_atomic = settings.reads;
  to.min_rnr_timer = kRnrTimer;
  to.ah_attr.port_num = static_cast<std::uint8_t>(port.number);
  to.ah_attr.sl = port.service_level;
  to.ah_attr.is_global = 1;  // RoCE routes by GID
  to.ah_attr.grh.flow_label = settings.flow_label;
  to.ah_attr.grh.sgid_index = static_cast<std::uint8_t>(port.gid->index);
  to.ah_attr.grh.hop_limit = kHopLimit;
  to.ah_attr.grh.traffic_class = settings.traffic_class;
  std::copy(peer.gid.begin(), peer.gid.end(), std::begin(to.ah_attr.grh.dgid.raw));
  const int error =
      ibv_modify_qp(&pair, &to,
                    IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                        IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
  // This resolves the peer's MAC address, so a missing route shows here.
  succeeded(error, "ibv_modify_qp to RTR towards " + to_text(peer.gid), device_of(pair));
}

void ready_to_send(ibv_qp& pair, const QueuePairSettings& settings, std::uint32_t first_packet) {
  ibv_qp_attr to{};
  to.qp_state = IBV_QPS_RTS;
  to.sq_psn = first_packet;
  to.max_rd_atomic = settings.reads;
  to.timeout = settings.ack_timeout;
  to.retry_cnt = settings.retries;
  to.rnr_retry = kRnrRetries;
  succeeded(ibv_modify_qp(&pair, &to,
                          IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                              IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC),
            "ibv_modify_qp to RTS", device_of(pair));
}

std::uint32_t random_packet_number() {
  return std::random_device{}() & kPacketMask;
}

}  // namespace

PendingQueuePair::PendingQueuePair(ibv_pd& domain, CompletionQueue& sends,
                                   CompletionQueue& receives, const Port& port,
                                   const QueuePairSettings& settings)
    : pair_(make(domain, sends, receives, port, settings)),
      port_(port),
      settings_(settings),
      first_packet_(random_packet_number()) {}

QueuePair PendingQueuePair::make(ibv_pd& domain, CompletionQueue& sends, CompletionQueue& receives,
                                 const Port& port, const QueuePairSettings& settings) {
  if (!port.gid) fail(EINVAL, "making a queue pair without a GID", port.device);
  ibv_qp_init_attr attributes = wanted(sends, receives, settings);
  QueuePairHandle raw = make_pair(domain, attributes);
  initialise(*raw, port.number, settings.reads > 0);
  return {std::move(raw), attributes.cap.max_inline_data};
}

Address PendingQueuePair::address() const {
  return {.qp_number = number(),
          .first_packet = first_packet_,
          .mtu_bytes = static_cast<std::uint32_t>(port_.mtu_bytes),
          .gid = port_.gid->gid};
}

QueuePair PendingQueuePair::connect(const Address& peer) && {
  ready_to_receive(*pair_.raw_, port_, settings_, peer);
  ready_to_send(*pair_.raw_, settings_, first_packet_);
  return std::move(*this).connected(nullptr);
}

void PendingQueuePair::advance(ibv_qp_attr to, int mask) {
  to.ah_attr.sl = port_.service_level;
  to.ah_attr.grh.sgid_index = static_cast<std::uint8_t>(port_.gid->index);
  to.ah_attr.grh.hop_limit = kHopLimit;
  to.ah_attr.grh.traffic_class = settings_.traffic_class;
  if (settings_.flow_label != 0) to.ah_attr.grh.flow_label = settings_.flow_label;
  to.min_rnr_timer = kRnrTimer;
  to.timeout = settings_.ack_timeout;
  to.retry_cnt = settings_.retries;
  to.rnr_retry = kRnrRetries;
  const std::string state(words(to.qp_state));
  succeeded(ibv_modify_qp(pair_.raw_.get(), &to, mask), "ibv_modify_qp to " + state,
            device_of(*pair_.raw_));
}

QueuePair PendingQueuePair::connected(std::shared_ptr<void> connection) && {
  pair_.source_port_ = set_source_port(*pair_.raw_, settings_.flow_label);
  pair_.connection_ = std::move(connection);
  return std::move(pair_);
}

}  // namespace railgauge::verbs
