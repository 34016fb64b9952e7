#include "softroce/device/queue_pair.hpp"

#include <netinet/ip.h>
#include <netinet/ip6.h>

#include <array>
#include <cstring>

namespace railgauge::softroce {

namespace {

constexpr std::size_t kGrhBytes = 40;
// What UCX looks for in a datagram's completion to tell IPv4 from IPv6 (mlx5 sets it).
constexpr std::uint8_t kServiceLevelOfIpv4 = 2;

using RouteHeader = std::array<std::byte, kGrhBytes>;

RouteHeader route_header(const Arrival& arrival, const Address& to, std::size_t payload) {
  RouteHeader header{};
  const auto udp_bytes = static_cast<std::uint16_t>(payload + 8);
  if (is_ipv4(to)) {
    iphdr ip{};
    ip.version = 4;
    ip.ihl = 5;
    ip.tos = arrival.traffic_class;
    ip.tot_len = htons(static_cast<std::uint16_t>(udp_bytes + sizeof ip));
    ip.ttl = arrival.hop_limit;
    ip.protocol = IPPROTO_UDP;
    std::memcpy(&ip.saddr, &arrival.source.bytes[12], 4);
    std::memcpy(&ip.daddr, &to.bytes[12], 4);
    std::memcpy(&header[20], &ip, sizeof ip);
    return header;
  }
  ip6_hdr ip{};
  ip.ip6_flow = htonl((6U << 28) | (std::uint32_t{arrival.traffic_class} << 20));
  ip.ip6_plen = htons(udp_bytes);
  ip.ip6_nxt = IPPROTO_UDP;
  ip.ip6_hlim = arrival.hop_limit;
  std::memcpy(&ip.ip6_src, arrival.source.bytes.data(), 16);
  std::memcpy(&ip.ip6_dst, to.bytes.data(), 16);
  std::memcpy(header.data(), &ip, sizeof ip);
  return header;
}

ibv_wc completion_of(const Receive& receive, const Packet& packet, const Port& port) {
  ibv_wc wc{};
  wc.wr_id = receive.id;
  wc.opcode = IBV_WC_RECV;
  wc.src_qp = packet.source_queue_pair;
  wc.wc_flags = IBV_WC_GRH;
  wc.sl = is_ipv4(port.address) ? kServiceLevelOfIpv4 : 1;
  wc.byte_len = static_cast<std::uint32_t>(kGrhBytes + packet.payload.size());
  if (has_immediate(packet.operation)) {
    wc.wc_flags |= IBV_WC_WITH_IMM;
    wc.imm_data = packet.immediate;
  }
  return wc;
}

/// Whether it is for this queue pair and the next receive can hold it.
bool acceptable(const QueuePair& queue_pair, const Packet& packet, Receive& next) {
  const std::size_t bytes = packet.payload.size();
  return packet.queue_key == queue_pair.attributes.qkey && ends_message(packet.operation) &&
         bytes <= kMaxMtuBytes && queue_pair.look_at_receive(next) &&
         kGrhBytes + bytes <= total_length(next.elements());
}

}  // namespace

void receive_datagram(QueuePair& queue_pair, const Packet& packet, const Arrival& arrival) {
  Port& port = queue_pair.port;
  Receive receive;
  if (!acceptable(queue_pair, packet, receive)) {
    ++port.counters.unexpected;
    return;
  }
  queue_pair.take_receive(receive);
  ibv_wc wc = completion_of(receive, packet, port);
  const auto elements = receive.elements();
  const bool put =
      port.memory.resolve_all(elements, queue_pair.receive_domain(), IBV_ACCESS_LOCAL_WRITE) &&
      scatter(elements, 0, route_header(arrival, port.address, packet.payload.size())) &&
      scatter(elements, kGrhBytes, packet.payload) &&
      port.memory.shadows.copy(Copy::to_device, elements, 0, wc.byte_len);
  if (!put) wc.status = IBV_WC_LOC_PROT_ERR;
  queue_pair.complete_receive(wc, packet.solicited);
  if (!put) queue_pair.fail(IBV_EVENT_QP_FATAL);
}

}  // namespace railgauge::softroce
