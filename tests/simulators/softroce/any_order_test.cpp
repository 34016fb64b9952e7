// A connection that is sprayed over several paths: packets overtake each other, and nothing is sent
// again for that. Path MTU 256, first PSN 100.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "wire_pair.hpp"

namespace railgauge::softroce {
namespace {

using std::chrono::milliseconds;

class AnyOrder : public ::testing::Test {
 protected:
  static Options any_order() {
    Options options;
    options.any_order = true;
    return options;
  }
  void SetUp() override {
    for (std::size_t i = 0; i < pair.client.memory.size(); ++i) {
      pair.client.memory[i] = static_cast<std::byte>(i * 7 + i / 256);
    }
  }
  Flight client_sends() { return pair.client_host.sends(); }
  Flight server_sends() { return pair.server_host.sends(); }
  std::string completed() const { return summary(pair.client.sent()); }
  static Flight backwards(Flight flight) {
    std::ranges::reverse(flight);
    return flight;
  }
  bool same(std::size_t from, std::size_t bytes) const {
    return std::memcmp(&pair.client.memory[from], &pair.server.memory[from], bytes) == 0;
  }

  WirePair pair{any_order()};
};

TEST_F(AnyOrder, EveryPacketOfAWriteSaysWhereItBelongs) {
  pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 600);
  EXPECT_EQ(summary(client_sends()), "WRITE_ONLY 100, WRITE_ONLY 101, WRITE_ONLY 102");
  pair.client.post(IBV_WR_RDMA_WRITE_WITH_IMM, 2, 0, 300);
  EXPECT_EQ(summary(client_sends()), "WRITE_FIRST 103, WRITE_LAST_IMM 104");
}

TEST_F(AnyOrder, WritesArePlacedAsTheyComeAndAcknowledgedInOrder) {
  pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 600);
  const Flight flight = client_sends();
  pair.to_server(flight[2]);
  EXPECT_TRUE(same(512, 88));
  EXPECT_FALSE(same(0, 256));
  pair.to_server(flight[1]);
  EXPECT_TRUE(same(256, 344));
  EXPECT_EQ(summary(server_sends()), "");
  pair.to_server(flight[0]);
  EXPECT_TRUE(same(0, 600));
  EXPECT_EQ(summary(server_sends()), "ACK 102");
}

TEST_F(AnyOrder, WhatIsPlacedIsNotPlacedAgain) {
  pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 512);
  const Flight flight = client_sends();
  pair.to_server(flight[1]);
  pair.server.memory[300] = std::byte{99};  // as another WRITE may, from another peer
  pair.to_server(flight[1]);
  pair.to_server(flight[0]);
  pair.to_server(flight[1]);
  EXPECT_EQ(pair.server.memory[300], std::byte{99});
}

TEST_F(AnyOrder, MessagesCompleteInTheirOrder) {
  pair.server.post_receive(21, 8192, 1000);
  pair.server.post_receive(22, 12288, 1000);
  pair.server.post_receive(23, 16384, 1000);
  pair.client.post(IBV_WR_SEND, 1, 0, 600);
  pair.client.post(IBV_WR_RDMA_WRITE_WITH_IMM, 2, 0, 600);
  pair.client.post(IBV_WR_SEND, 3, 4096, 600);
  const Flight flight = client_sends();
  ASSERT_EQ(flight.size(), 9U);
  for (std::size_t i = 1; i < 9; ++i) pair.to_server(flight[i]);
  EXPECT_EQ(summary(pair.server.received()), "");
  pair.to_server(flight[0]);
  EXPECT_EQ(summary(pair.server.received()), "21 ok, 22 ok, 23 ok");
  EXPECT_EQ(std::memcmp(&pair.server.memory[16384], &pair.client.memory[4096], 600), 0);
  pair.to_client(server_sends());
  EXPECT_EQ(completed(), "1 ok, 2 ok, 3 ok");
}

TEST_F(AnyOrder, ResponsesMayOvertakeEachOtherToo) {
  std::ranges::copy(pair.client.memory, pair.server.memory.begin());
  std::ranges::fill(pair.client.memory, std::byte{0});
  pair.client.post(IBV_WR_RDMA_READ, 1, 0, 600);
  pair.client.post(IBV_WR_RDMA_READ, 2, 1024, 600);
  pair.client.post(IBV_WR_RDMA_WRITE, 3, 4096, 10);
  pair.to_server(client_sends());
  const Flight answers = server_sends();
  EXPECT_EQ(answers.size(), 7U);
  pair.to_client(backwards(answers));
  EXPECT_EQ(completed(), "1 ok, 2 ok, 3 ok");
  EXPECT_TRUE(same(0, 600));
  EXPECT_TRUE(same(1024, 600));
  EXPECT_EQ(summary(client_sends()), "");
}

TEST_F(AnyOrder, RequestsForAnswersTakeTheirTurn) {
  pair.client.post(IBV_WR_RDMA_READ, 1, 0, 10);
  pair.client.compare_or_add = 5;
  pair.client.post(IBV_WR_ATOMIC_FETCH_AND_ADD, 2, 8192, 8);
  pair.client.post(IBV_WR_ATOMIC_FETCH_AND_ADD, 3, 8192, 8);
  pair.to_server(backwards(client_sends()));
  pair.to_client(server_sends());
  EXPECT_EQ(completed(), "1 ok, 2 ok, 3 ok");
  std::uint64_t sum = 0;
  std::memcpy(&sum, &pair.server.memory[8192], sizeof sum);
  EXPECT_EQ(sum, 10U);
}

TEST_F(AnyOrder, WhatIsLostIsSentAgainAndNothingElseIsNeeded) {
  pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 3 * 256);
  Flight flight = client_sends();
  pair.to_server({flight[1], flight[2]});
  EXPECT_EQ(summary(server_sends()), "");
  pair.pass(milliseconds(100));
  const Flight again = client_sends();
  ASSERT_FALSE(again.empty());
  pair.to_server(again[0]);
  pair.to_client(server_sends());
  EXPECT_EQ(completed(), "1 ok");
}

TEST_F(AnyOrder, AWriteThatIsNotAllowedIsRefusedWhenItsTurnComes) {
  pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 10);
  ++pair.client.remote_key;
  pair.client.post(IBV_WR_RDMA_WRITE, 2, 0, 10);
  const Flight flight = client_sends();
  pair.to_server(flight[1]);
  EXPECT_EQ(pair.server.qp->state, IBV_QPS_RTS);
  pair.to_server(flight[0]);
  pair.to_client(server_sends());
  EXPECT_EQ(completed(), "1 ok, 2 remote access");
}

TEST_F(AnyOrder, APeerThatExpectsOrderGetsIt) {
  WirePair mixed(any_order(), Options{});
  mixed.client.post(IBV_WR_RDMA_WRITE, 1, 0, 600);
  const Flight flight = mixed.client_host.sends();
  mixed.to_server(flight[1]);
  EXPECT_EQ(summary(mixed.server_host.sends()), "NAK_SEQUENCE 100");
  mixed.to_server(flight);
  mixed.to_client(mixed.server_host.sends());
  EXPECT_EQ(summary(mixed.client.sent()), "1 ok");
}

}  // namespace
}  // namespace railgauge::softroce
