// A program that unmaps what it has registered (device/memory_guard.hpp): the access fails, on the
// side and with the status of any other access that is not allowed, and the process goes on.

#include <gtest/gtest.h>

#include <algorithm>

#include "wire_pair.hpp"

namespace railgauge::softroce {
namespace {

class UnmappedMemory : public ::testing::Test {
 protected:
  static Options four_kib() {
    Options options;
    options.mtu = IBV_MTU_4096;
    return options;
  }
  std::string client() const { return summary(pair.client.sent()); }
  std::string server() const { return summary(pair.server.received()); }
  /// An aligned place inside what is gone.
  static std::size_t gone(const TakenAway& away) { return away.offset() + 64; }

  WirePair pair{four_kib()};
};

TEST_F(UnmappedMemory, AWriteIsRefused) {
  const TakenAway away(pair.server.memory);
  pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 3 * 4096);
  pair.settle();
  EXPECT_EQ(client(), "1 remote access");
  EXPECT_EQ(pair.server.qp->state, IBV_QPS_ERR);
  EXPECT_EQ(pair.server_host.events(), std::vector{IBV_EVENT_QP_ACCESS_ERR});
}

TEST_F(UnmappedMemory, WhatIsStillThereIsWritten) {
  const TakenAway away(pair.server.memory);
  pair.client.memory[5] = std::byte{77};
  pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, static_cast<std::uint32_t>(away.offset()));
  pair.settle();
  EXPECT_EQ(client(), "1 ok");
  EXPECT_EQ(pair.server.memory[5], std::byte{77});
}

TEST_F(UnmappedMemory, AReadIsRefused) {
  const TakenAway away(pair.server.memory);
  pair.client.post(IBV_WR_RDMA_READ, 1, 0, 3 * 4096);
  pair.settle();
  EXPECT_EQ(client(), "1 remote access");
  EXPECT_EQ(pair.server.qp->state, IBV_QPS_ERR);
}

TEST_F(UnmappedMemory, AnAtomicIsRefused) {
  const TakenAway away(pair.server.memory);
  pair.client.remote_address += gone(away) / 8 * 8 - 8;
  pair.client.post(IBV_WR_ATOMIC_FETCH_AND_ADD, 1, 8, 8);
  pair.settle();
  EXPECT_EQ(client(), "1 remote access");
  EXPECT_EQ(pair.server.qp->state, IBV_QPS_ERR);
}

TEST_F(UnmappedMemory, AReceiveFailsOnBothSides) {
  const TakenAway away(pair.server.memory);
  pair.server.post_receive(9, 0, 3 * 4096);
  pair.client.post(IBV_WR_SEND, 1, 0, 3 * 4096);
  pair.settle();
  EXPECT_EQ(client(), "1 remote operation");
  EXPECT_EQ(server(), "9 local protection");
}

TEST_F(UnmappedMemory, WhatOneSendsFailsWhenItsTurnComes) {
  pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 64);
  const TakenAway away(pair.client.memory);
  pair.client.post(IBV_WR_RDMA_WRITE, 2, 0, 3 * 4096);
  pair.client.post(IBV_WR_RDMA_WRITE, 3, 0, 64);
  EXPECT_EQ(client(), "");
  pair.settle();
  EXPECT_EQ(client(), "1 ok, 2 local protection, 3 flushed");
  EXPECT_EQ(pair.server.qp->state, IBV_QPS_RTS);
}

TEST_F(UnmappedMemory, WhereAResponseGoesFailsToo) {
  pair.client.post(IBV_WR_RDMA_READ, 1, 0, 3 * 4096);
  const TakenAway away(pair.client.memory);
  pair.settle();
  EXPECT_EQ(client(), "1 local protection");
}

TEST(UnmappedMemoryUnreliable, TheSenderFailsAndTheReceiverStays) {
  Options options;
  options.type = IBV_QPT_UC;
  options.mtu = IBV_MTU_4096;
  WirePair pair(options);
  const TakenAway away(pair.client.memory);
  pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 3 * 4096);
  pair.settle();
  EXPECT_EQ(summary(pair.client.sent()), "1 local protection");
  EXPECT_EQ(pair.client.qp->state, IBV_QPS_SQE);
  EXPECT_EQ(pair.server.qp->state, IBV_QPS_RTS);
}

}  // namespace
}  // namespace railgauge::softroce
