#include "verbs/datagram_pair.hpp"

#include <algorithm>

#include "verbs/error.hpp"

namespace railgauge::verbs {
namespace {

constexpr std::uint32_t kQueueKey = 0x7261696c;
constexpr std::uint8_t kHops = 64;
constexpr std::size_t kIpv4At = 20;  // behind what an IPv6 header would have more

QueuePairHandle make_datagram_pair(ibv_pd& domain, CompletionQueue& completions, const Port& port,
                                   int depth) {
  if (!port.gid) fail(EINVAL, "making a queue pair without a GID", port.device);
  ibv_qp_init_attr wanted{};
  wanted.qp_type = IBV_QPT_UD;
  wanted.send_cq = wanted.recv_cq = &completions.raw_for(2 * depth);
  wanted.cap.max_send_wr = wanted.cap.max_recv_wr = static_cast<std::uint32_t>(depth);
  wanted.cap.max_send_sge = wanted.cap.max_recv_sge = 1;
  QueuePairHandle pair(
      created(ibv_create_qp(&domain, &wanted), "ibv_create_qp of datagrams", port.device));
  ibv_qp_attr to{};
  to.qp_state = IBV_QPS_INIT;
  to.port_num = static_cast<std::uint8_t>(port.number);
  to.qkey = kQueueKey;
  succeeded(
      ibv_modify_qp(pair.get(), &to, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY),
      "ibv_modify_qp to INIT", port.device);
  to.qp_state = IBV_QPS_RTR;
  succeeded(ibv_modify_qp(pair.get(), &to, IBV_QP_STATE), "ibv_modify_qp to RTR", port.device);
  to.qp_state = IBV_QPS_RTS;
  succeeded(ibv_modify_qp(pair.get(), &to, IBV_QP_STATE | IBV_QP_SQ_PSN), "ibv_modify_qp to RTS",
            port.device);
  return pair;
}

ibv_sge datagram_entry(const LocalSlice& slice) noexcept {
  return {.addr = reinterpret_cast<std::uintptr_t>(slice.data),
          .length = slice.bytes,
          .lkey = slice.key};
}

}  // namespace

std::optional<std::uint8_t> traffic_class_in(std::span<const std::byte> header, bool ipv4) {
  if (header.size() < kRouteHeaderBytes) return std::nullopt;
  const auto byte = [&](std::size_t at) { return std::to_integer<unsigned>(header[at]); };
  const std::size_t begin = ipv4 ? kIpv4At : 0;
  if (byte(begin) >> 4U != (ipv4 ? 4U : 6U)) return std::nullopt;
  if (ipv4) return static_cast<std::uint8_t>(byte(begin + 1));
  return static_cast<std::uint8_t>((byte(0) << 4U | byte(1) >> 4U) & 0xffU);
}

DatagramPair::DatagramPair(ibv_pd& domain, CompletionQueue& completions, const Port& port,
                           int depth)
    : port_(port), raw_(make_datagram_pair(domain, completions, port, depth)) {}

Address DatagramPair::address() const {
  return {.qp_number = raw_->qp_num, .gid = port_.gid->gid};
}

void DatagramPair::connect(const Address& peer, std::uint8_t traffic_class,
                           std::uint32_t flow_label) {
  ibv_ah_attr to{};
  to.port_num = static_cast<std::uint8_t>(port_.number);
  to.is_global = 1;
  to.grh.sgid_index = static_cast<std::uint8_t>(port_.gid->index);
  to.grh.hop_limit = kHops;
  to.grh.traffic_class = traffic_class;
  to.grh.flow_label = flow_label;
  std::copy(peer.gid.begin(), peer.gid.end(), std::begin(to.grh.dgid.raw));
  route_.reset(created(ibv_create_ah(raw_->pd, &to), "ibv_create_ah", port_.device));
  peer_ = peer.qp_number;
}

int DatagramPair::post_receive(std::uint64_t id, const LocalSlice& into) noexcept {
  ibv_sge entry = datagram_entry(into);
  ibv_recv_wr request{.wr_id = id, .next = nullptr, .sg_list = &entry, .num_sge = 1};
  ibv_recv_wr* refused = nullptr;
  return ibv_post_recv(raw_.get(), &request, &refused);
}

int DatagramPair::send(const LocalSlice& from, std::uint64_t id) noexcept {
  ibv_sge entry = datagram_entry(from);
  ibv_send_wr request{};
  request.wr_id = id;
  request.sg_list = &entry;
  request.num_sge = 1;
  request.opcode = IBV_WR_SEND;
  request.send_flags = IBV_SEND_SIGNALED;
  request.wr.ud.ah = route_.get();
  request.wr.ud.remote_qpn = peer_;
  request.wr.ud.remote_qkey = kQueueKey;
  ibv_send_wr* refused = nullptr;
  return ibv_post_send(raw_.get(), &request, &refused);
}

}  // namespace railgauge::verbs
