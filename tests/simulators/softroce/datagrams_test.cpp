// UD (InfiniBand volume 1, 9.8.3; annex A17.9.1 for the first 40 bytes).

#include "softroce/device/queue_pair.hpp"

#include <gtest/gtest.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>

#include <cstring>
#include <vector>

#include "softroce/verbs/objects.hpp"
#include "wire_pair.hpp"

namespace railgauge::softroce {
namespace {

Options datagrams(bool ipv6 = false) {
  Options options;
  options.type = IBV_QPT_UD;
  options.ipv6 = ipv6;
  return options;
}

constexpr std::size_t kRouteHeader = 40;

TEST(Datagrams, ArriveBehindTheRouteHeader) {
  WirePair pair(datagrams());
  pair.client.memory[0] = std::byte{9};
  ASSERT_EQ(pair.server.post_receive(1, 0, 300), 0);
  pair.client.immediate = 5;
  pair.client.post(IBV_WR_SEND_WITH_IMM, 2, 0, 10);
  const Flight flight = pair.client_host.sends();
  EXPECT_EQ(summary(flight), "SEND_ONLY_IMM 100");
  EXPECT_EQ(summary(pair.client.sent()), "2 ok");
  pair.server_host.receives(flight[0], pair.client_host.port.address, 0x6a);
  const auto completions = pair.server.received();
  ASSERT_EQ(summary(completions), "1 ok");
  EXPECT_EQ(completions[0].byte_len, kRouteHeader + 10);
  EXPECT_EQ(completions[0].wc_flags, unsigned{IBV_WC_GRH | IBV_WC_WITH_IMM});
  EXPECT_EQ(completions[0].imm_data, 5U);
  EXPECT_EQ(completions[0].src_qp, pair.client.qp->qp_num);
  EXPECT_EQ(pair.server.memory[kRouteHeader], std::byte{9});
  iphdr ip{};
  std::memcpy(&ip, &pair.server.memory[20], sizeof ip);
  EXPECT_EQ(ip.version, 4);
  EXPECT_EQ(ip.tos, 0x6a);
  EXPECT_EQ(ntohl(ip.saddr), 0x7f400001U);
  EXPECT_EQ(ntohl(ip.daddr), 0x7f400002U);
}

TEST(Datagrams, HaveTheHopLimitThatIsLeft) {
  for (const bool ipv6 : {false, true}) {
    WirePair pair(datagrams(ipv6));
    ASSERT_EQ(pair.server.post_receive(1, 0, 300), 0);
    pair.client.post(IBV_WR_SEND, 2, 0, 10);
    const Flight flight = pair.client_host.sends();
    pair.server_host.port.deliver(flight[0].packet(),
                                  {.source = pair.client_host.port.address, .hop_limit = 61});
    iphdr ip{};
    ip6_hdr ip6{};
    std::memcpy(&ip, &pair.server.memory[20], sizeof ip);
    std::memcpy(&ip6, pair.server.memory.data(), sizeof ip6);
    EXPECT_EQ(ipv6 ? ip6.ip6_hlim : ip.ttl, 61);
  }
}

TEST(Datagrams, OfIpv6HaveAllOfIt) {
  WirePair pair(datagrams(true));
  ASSERT_EQ(pair.server.post_receive(1, 0, 300), 0);
  pair.client.post(IBV_WR_SEND, 2, 0, 10);
  pair.settle();
  EXPECT_EQ(summary(pair.server.received()), "1 ok");
  ip6_hdr ip{};
  std::memcpy(&ip, pair.server.memory.data(), sizeof ip);
  EXPECT_EQ(ntohl(ip.ip6_flow) >> 28, 6U);
  EXPECT_EQ(std::memcmp(&ip.ip6_src, pair.client_host.port.address.bytes.data(), 16), 0);
  EXPECT_EQ(std::memcmp(&ip.ip6_dst, pair.server_host.port.address.bytes.data(), 16), 0);
}

TEST(Datagrams, WithAnotherQueueKeyAreDropped) {
  WirePair pair(datagrams());
  ASSERT_EQ(pair.server.post_receive(1, 0, 300), 0);
  Packet packet{.service = Service::datagram, .operation = Operation::send_only};
  packet.queue_key = 0x22222222;
  pair.to_server(packet);
  EXPECT_EQ(pair.server_host.port.counters.unexpected, 1U);
  packet.queue_key = 0x11111111;
  pair.to_server(packet);
  EXPECT_EQ(summary(pair.server.received()), "1 ok");
}

TEST(Datagrams, ComeFromAnybodyInAnyOrderAndTwice) {
  WirePair pair(datagrams());
  for (std::uint64_t id = 1; id < 4; ++id) pair.server.post_receive(id, 0, 300);
  Packet packet{.service = Service::datagram, .operation = Operation::send_only, .psn = 77};
  packet.queue_key = 0x11111111;
  packet.queue_pair = pair.server.qp->qp_num;
  pair.server_host.receives(flying({}, packet, {}), ipv4(0x7f4000aa));
  packet.psn = 3;
  pair.to_server(packet);
  pair.to_server(packet);
  EXPECT_EQ(summary(pair.server.received()), "1 ok, 2 ok, 3 ok");
}

TEST(Datagrams, WithoutAReceiveAreLost) {
  WirePair pair(datagrams());
  pair.client.post(IBV_WR_SEND, 1, 0, 10);
  pair.settle();
  EXPECT_EQ(summary(pair.client.sent()), "1 ok");
  EXPECT_EQ(pair.server_host.port.counters.unexpected, 1U);
  pair.server.post_receive(1, 0, 300);
  EXPECT_EQ(summary(pair.server.received()), "");
}

/// InfiniBand volume 1, 9.9.3.1: class D. Any peer that has the queue key can send these.
void too_long_is_dropped(const Options& options) {
  WirePair pair(options);
  ASSERT_EQ(pair.server.post_receive(1, 0, kRouteHeader + 9), 0);
  pair.client.post(IBV_WR_SEND, 2, 0, 10);
  pair.settle();
  EXPECT_EQ(summary(pair.client.sent()), "2 ok");
  EXPECT_EQ(summary(pair.server.received()), "");
  EXPECT_EQ(pair.server_host.port.counters.unexpected, 1U);
  EXPECT_EQ(pair.server.qp->state, IBV_QPS_RTS);
  EXPECT_EQ(pair.server.memory[0], std::byte{0});
  pair.client.post(IBV_WR_SEND, 3, 0, 9);
  pair.settle();
  EXPECT_EQ(summary(pair.server.received()), "1 ok");
  EXPECT_TRUE(pair.server_host.events().empty());
}

TEST(Datagrams, TooLongForTheReceiveAreDroppedAndItStays) {
  too_long_is_dropped(datagrams());
}

TEST(Datagrams, TooLongForASharedReceiveAreDroppedAndItStays) {
  Options options = datagrams();
  options.shared_receives = true;
  too_long_is_dropped(options);
}

TEST(Datagrams, LongerThanAnyPathMtuAreDropped) {
  WirePair pair(datagrams());
  pair.server.post_receive(1, 0, 8192);
  Packet packet{.service = Service::datagram, .operation = Operation::send_only};
  packet.queue_key = 0x11111111;
  pair.to_server(packet, std::vector<std::byte>(4097));
  EXPECT_EQ(pair.server_host.port.counters.unexpected, 1U);
  pair.to_server(packet, std::vector<std::byte>(4096));
  EXPECT_EQ(summary(pair.server.received()), "1 ok");
}

/// A local mistake, class A: as the kernel's rdma_rxe, which then has an error in its own queue.
TEST(Datagrams, FindABadReceiveAndItIsTheReceiversError) {
  WirePair pair(datagrams());
  ibv_sge one = pair.server.element(0, 300);
  one.lkey += 1;
  ibv_recv_wr request{1, nullptr, &one, 1};
  ibv_recv_wr* bad = nullptr;
  ASSERT_EQ(post_recv(pair.server.qp, &request, &bad), 0);
  pair.server.post_receive(2, 0, 300);
  pair.client.post(IBV_WR_SEND, 3, 0, 10);
  pair.settle();
  EXPECT_EQ(summary(pair.server.received()), "1 local protection, 2 flushed");
  EXPECT_EQ(pair.server.qp->state, IBV_QPS_ERR);
  EXPECT_EQ(pair.server_host.events(), std::vector{IBV_EVENT_QP_FATAL});
}

/// Nothing that may come in datagrams changes a queue pair's state.
TEST(Datagrams, OfAnyOperationLeaveTheStateAlone) {
  WirePair pair(datagrams());
  pair.server.post_receive(1, 0, 10);
  for (unsigned opcode = 0; opcode <= 0xff; ++opcode) {
    Packet packet{.service = static_cast<Service>(opcode >> kServiceShift),
                  .operation = static_cast<Operation>(opcode & kOperationMask)};
    packet.queue_key = 0x11111111;
    packet.queue_pair = pair.server.qp->qp_num;
    const Flying made = flying({}, packet, std::vector<std::byte>(64));
    if (parse(made.bytes)) pair.to_server(made);
  }
  EXPECT_EQ(pair.server.qp->state, IBV_QPS_RTS);
  EXPECT_EQ(summary(pair.server.received()), "");
  EXPECT_TRUE(pair.server_host.events().empty());
}

TEST(Datagrams, AreNotSlowedDownByWhoeverAsks) {
  WirePair pair(datagrams());
  pair.to_server(Packet{.service = Service::congestion, .backward_ecn = true});
  EXPECT_FALSE(pair.server.pair().reaction.limited());
  EXPECT_EQ(pair.server_host.port.counters.rp_cnp_handled, 0U);
  EXPECT_EQ(pair.server_host.port.counters.unexpected, 1U);
}

TEST(Datagrams, TakeAtMostThePathMtu) {
  WirePair pair(datagrams());
  pair.server.post_receive(1, 0, 8192);
  pair.client.post(IBV_WR_SEND, 1, 0, 4096);
  pair.client.post(IBV_WR_SEND, 2, 0, 4097);
  pair.client.post(IBV_WR_SEND, 3, 0, 1);
  pair.settle();
  EXPECT_EQ(summary(pair.client.sent()), "1 ok, 2 local length, 3 flushed");
  EXPECT_EQ(pair.client.qp->state, IBV_QPS_SQE);
  EXPECT_EQ(summary(pair.server.received()), "1 ok");
}

}  // namespace
}  // namespace railgauge::softroce
