// UD (InfiniBand volume 1, 9.8.3; annex A17.9.1 for the first 40 bytes).

#include "softroce/device/queue_pair.hpp"

#include <gtest/gtest.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>

#include <cstring>

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

TEST(Datagrams, TooLongForTheReceiveFailThere) {
  WirePair pair(datagrams());
  pair.server.post_receive(1, 0, 49);
  pair.client.post(IBV_WR_SEND, 1, 0, 10);
  pair.settle();
  EXPECT_EQ(summary(pair.server.received()), "1 local length");
  EXPECT_EQ(pair.server.memory[0], std::byte{0});
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
