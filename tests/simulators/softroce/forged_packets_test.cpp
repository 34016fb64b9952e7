// Packets of a process that can send from an address of the peer's host, but is not the peer.

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "softroce/device/acknowledgement.hpp"
#include "wire_pair.hpp"

namespace railgauge::softroce {
namespace {

constexpr std::uint16_t kPeersPort = 0xc123, kOtherPort = 0xc124;
constexpr Psn kFirst = 100;  // Options::first_psn

class ForgedPackets : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(pair.server.post_receive(1, 0, 64), 0);
    ASSERT_EQ(pair.client.post(IBV_WR_RDMA_READ, 2, 0, 16), 0);
    pair.client_host.sends();  // the request waits for its answer
  }

  /// True if it counted as one of the peer's.
  bool deliver(End& to, Packet packet, std::uint16_t port, std::size_t bytes = 0) {
    const std::vector<std::byte> payload(bytes, std::byte{0x66});
    packet.queue_pair = to.qp->qp_num;
    Host& host = to.host;
    const Host& from = &host == &pair.server_host ? pair.client_host : pair.server_host;
    const std::uint64_t before = host.port.counters.unexpected;
    host.receives(flying({.source_port = port}, packet, payload), from.port.address);
    return host.port.counters.unexpected == before;
  }

  Packet send(Psn psn) const { return {.operation = Operation::send_only, .psn = psn}; }

  Packet write() const {
    return {.operation = Operation::write_only,
            .psn = kFirst,
            .remote_address = pair.client.remote_address,
            .remote_key = pair.client.remote_key,
            .dma_length = 8};
  }

  void expect_untouched() {
    EXPECT_EQ(pair.server.memory, std::vector<std::byte>(pair.server.memory.size()));
    EXPECT_EQ(pair.client.memory, std::vector<std::byte>(pair.client.memory.size()));
    EXPECT_TRUE(pair.server.received().empty());
    EXPECT_TRUE(pair.client.sent().empty());
    EXPECT_EQ(pair.client.qp->state, IBV_QPS_RTS);
    EXPECT_EQ(pair.server.qp->state, IBV_QPS_RTS);
  }

  WirePair pair;
};

TEST_F(ForgedPackets, OfAnotherUserChangeNothing) {
  pair.server_host.wire.port_holder = PortHolder::another_user;
  pair.client_host.wire.port_holder = PortHolder::another_user;
  const auto nak = static_cast<std::uint8_t>(Syndrome::remote_operation);
  EXPECT_FALSE(deliver(pair.server, write(), kOtherPort, 8));
  EXPECT_FALSE(deliver(pair.server, send(kFirst), kOtherPort, 8));
  EXPECT_FALSE(
      deliver(pair.client, {.operation = Operation::acknowledge, .psn = kFirst}, kOtherPort));
  EXPECT_FALSE(deliver(pair.client,
                       {.operation = Operation::acknowledge, .psn = kFirst, .syndrome = nak},
                       kOtherPort));
  EXPECT_FALSE(deliver(pair.client, {.operation = Operation::read_response_only, .psn = kFirst},
                       kOtherPort, 16));
  EXPECT_FALSE(
      deliver(pair.client, {.service = Service::congestion, .backward_ecn = true}, kOtherPort));
  expect_untouched();
}

TEST_F(ForgedPackets, ButThoseOfThePeerCount) {
  EXPECT_TRUE(deliver(pair.server, send(kFirst), kRocePort, 8));
  pair.client_host.wire.port_holder = PortHolder::device;  // by another port of its own
  EXPECT_TRUE(deliver(pair.client, {.operation = Operation::read_response_only, .psn = kFirst},
                      kPeersPort, 16));
  EXPECT_EQ(summary(pair.server.received()), "1 ok");
  EXPECT_EQ(summary(pair.client.sent()), "2 ok");
}

TEST_F(ForgedPackets, FromAnotherHostMatchItsFirstPort) {
  EXPECT_FALSE(deliver(pair.server, send(kFirst + 5000), kOtherPort, 8)) << "a guessed number";
  EXPECT_FALSE(deliver(pair.server, send(kFirst - 1), kOtherPort, 8));
  EXPECT_TRUE(deliver(pair.server, send(kFirst), kPeersPort, 8));
  EXPECT_FALSE(deliver(pair.server, send(kFirst + 1), kOtherPort, 8));
  EXPECT_TRUE(deliver(pair.server, send(kFirst + 1), kPeersPort, 8));
}

TEST_F(ForgedPackets, ANewConnectionHasAPortOfItsOwn) {
  EXPECT_TRUE(deliver(pair.server, send(kFirst), kPeersPort, 8));
  pair.server.modify(IBV_QPS_RESET);
  pair.server.connect(pair.client);
  EXPECT_TRUE(deliver(pair.server, send(kFirst), kOtherPort, 8));
  EXPECT_FALSE(deliver(pair.server, send(kFirst + 1), kPeersPort, 8));
}

/// Of an unreliable connection any number may be next.
TEST(ForgedUnreliablePackets, MatchTheFirstPortToo) {
  WirePair pair({.type = IBV_QPT_UC});
  const auto counted = [&](Psn psn, std::uint16_t port) {
    Packet packet{.service = Service::unreliable, .operation = Operation::send_only, .psn = psn};
    packet.queue_pair = pair.server.qp->qp_num;
    const std::uint64_t before = pair.server_host.port.counters.unexpected;
    pair.to_server(flying({.source_port = port}, packet, {}));
    return pair.server_host.port.counters.unexpected == before;
  };
  EXPECT_TRUE(counted(7000, kPeersPort));
  EXPECT_FALSE(counted(7001, kOtherPort));
  EXPECT_TRUE(counted(7001, kPeersPort));
}

}  // namespace
}  // namespace railgauge::softroce
