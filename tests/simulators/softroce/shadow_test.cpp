// Memory of a GPU, which only its driver can copy (device/shadow.hpp): what arrives in it and
// leaves from it, by a GPU whose copies take place no sooner than somebody waits for them.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "softroce/verbs/calls.hpp"
#include "softroce/verbs/objects.hpp"
#include "wire_pair.hpp"

namespace railgauge::softroce {
namespace {

constexpr std::size_t kGpuBytes = std::size_t{256} * 1024;

std::byte shade(std::size_t place) {
  return static_cast<std::byte>(place * 7 + place / 251);
}

Options gpu_options(ibv_qp_type type, bool any_order) {
  Options options;
  options.type = type;
  options.any_order = any_order;
  options.mtu = IBV_MTU_1024;
  options.memory_bytes = kGpuBytes;
  options.gpu = true;
  return options;
}

struct GpuPair {
  explicit GpuPair(ibv_qp_type type = IBV_QPT_RC, bool any_order = false)
      : pair(gpu_options(type, any_order)) {
    for (std::size_t i = 0; i < kGpuBytes; ++i) client.memory[i] = shade(i);
  }
  /// The server's GPU has these bytes of the client's, and no others.
  bool has(std::size_t offset, std::size_t length) const {
    for (std::size_t i = 0; i < kGpuBytes; ++i) {
      const bool inside = i >= offset && i < offset + length;
      if (server.memory[i] != (inside ? shade(i) : std::byte{})) return false;
    }
    return true;
  }
  std::string sent() const { return summary(client.sent()); }

  WirePair pair;
  End& client = pair.client;
  End& server = pair.server;
};

TEST(Shadow, AWriteReachesTheGpuBeforeItsAcknowledgementLeaves) {
  GpuPair gpus;
  gpus.client.post(IBV_WR_RDMA_WRITE, 1, 100, 3000);
  gpus.pair.to_server(gpus.pair.client_host.sends());
  EXPECT_TRUE(gpus.has(0, 0)) << "it is copied when somebody waits for it";
  const Flight answers = gpus.pair.server_host.sends();
  EXPECT_EQ(summary(answers), "ACK 102");
  EXPECT_TRUE(gpus.has(100, 3000));
  gpus.pair.to_client(answers);
  EXPECT_EQ(gpus.sent(), "1 ok");
}

TEST(Shadow, SeveralSmallWritesWaitOnce) {
  GpuPair gpus;
  for (unsigned i = 0; i < 4; ++i) gpus.client.post(IBV_WR_RDMA_WRITE, i, i * 8UL, 8);
  gpus.pair.settle();
  EXPECT_EQ(gpus.sent(), "0 ok, 1 ok, 2 ok, 3 ok");
  EXPECT_TRUE(gpus.has(0, 32));
  EXPECT_EQ(gpus.server.gpu.stored, 4U);
}

TEST(Shadow, PiecesOfALongMessageLeaveWhileItArrives) {
  GpuPair gpus;
  gpus.client.post(IBV_WR_RDMA_WRITE, 1, 8, kGpuBytes - 8);
  gpus.pair.to_server(gpus.pair.client_host.sends());
  EXPECT_GT(gpus.server.gpu.stored, 1U);
  gpus.pair.settle();
  EXPECT_EQ(gpus.server.gpu.stored, 4U) << "of 64 KiB";
  EXPECT_TRUE(gpus.has(8, kGpuBytes - 8));
  EXPECT_EQ(gpus.sent(), "1 ok");
}

TEST(Shadow, AReceiveCompletesWhenTheGpuHasIt) {
  GpuPair gpus;
  gpus.server.post_receive(9, 4096, 5000);
  gpus.client.post(IBV_WR_SEND, 1, 4096, 5000);
  gpus.pair.to_server(gpus.pair.client_host.sends());
  EXPECT_EQ(summary(gpus.server.received()), "9 ok");
  EXPECT_TRUE(gpus.has(4096, 5000));
}

TEST(Shadow, ImmediateDataCompleteWhenTheGpuHasThisAndTheWritesBefore) {
  GpuPair gpus;
  gpus.server.post_receive(9, 0, 0);
  gpus.client.post(IBV_WR_RDMA_WRITE, 1, 0, 2500);
  gpus.client.post(IBV_WR_RDMA_WRITE_WITH_IMM, 2, 2500, 100);
  gpus.pair.to_server(gpus.pair.client_host.sends());
  EXPECT_EQ(summary(gpus.server.received()), "9 ok");
  EXPECT_TRUE(gpus.has(0, 2600));
}

TEST(Shadow, AStrictPortsFirstPacketGetsThereToo) {
  GpuPair gpus;
  gpus.pair.server_host.port.strict = true;
  gpus.client.post(IBV_WR_RDMA_WRITE, 1, 0, 3000);
  gpus.pair.settle();
  gpus.pair.pass(std::chrono::microseconds(50));
  gpus.pair.settle();
  EXPECT_EQ(gpus.sent(), "1 ok");
  EXPECT_TRUE(gpus.has(0, 3000));
}

TEST(Shadow, AReadBringsWhatTheGpuHas) {
  GpuPair gpus;
  const auto exchange = [&] { std::ranges::swap_ranges(gpus.client.memory, gpus.server.memory); };
  exchange();
  gpus.client.post(IBV_WR_RDMA_READ, 1, 12, 200000);
  gpus.pair.settle();
  EXPECT_EQ(gpus.sent(), "1 ok");
  exchange();
  EXPECT_TRUE(gpus.has(12, 200000));
}

TEST(Shadow, AReadSeesTheWriteBeforeIt) {
  GpuPair gpus;
  gpus.client.post(IBV_WR_RDMA_WRITE, 1, 0, 3000);
  constexpr std::size_t kElsewhere = 8192;
  gpus.client.remote_address -= kElsewhere;
  gpus.client.post(IBV_WR_RDMA_READ, 2, kElsewhere, 3000);
  gpus.pair.settle();
  EXPECT_EQ(gpus.sent(), "1 ok, 2 ok");
  EXPECT_EQ(gpus.client.memory[kElsewhere + 2999], shade(2999));
}

TEST(Shadow, AnAtomicIsExecutedOnWhatTheGpuHas) {
  GpuPair gpus;
  std::uint64_t value = 40;
  std::memcpy(&gpus.server.memory[64], &value, sizeof value);
  gpus.client.compare_or_add = 2;
  gpus.client.post(IBV_WR_ATOMIC_FETCH_AND_ADD, 1, 64, 8);
  gpus.pair.settle();
  EXPECT_EQ(gpus.sent(), "1 ok");
  std::memcpy(&value, &gpus.server.memory[64], sizeof value);
  EXPECT_EQ(value, 42U);
  std::memcpy(&value, &gpus.client.memory[64], sizeof value);
  EXPECT_EQ(value, 40U);
}

TEST(Shadow, PacketsThatOvertakeGetThere) {
  GpuPair gpus(IBV_QPT_RC, true);
  gpus.client.post(IBV_WR_RDMA_WRITE, 1, 0, 5000);
  Flight flight = gpus.pair.client_host.sends();
  ASSERT_EQ(flight.size(), 5U);
  std::swap(flight[0], flight[3]);
  gpus.pair.to_server(flight);
  gpus.pair.settle();
  EXPECT_EQ(gpus.sent(), "1 ok");
  EXPECT_TRUE(gpus.has(0, 5000));
}

TEST(Shadow, AnUnreliableMessageGetsThere) {
  GpuPair gpus(IBV_QPT_UC);
  gpus.server.post_receive(9, 0, 3000);
  gpus.client.post(IBV_WR_SEND, 1, 0, 3000);
  gpus.pair.settle();
  EXPECT_EQ(summary(gpus.server.received()), "9 ok");
  EXPECT_TRUE(gpus.has(0, 3000));
}

TEST(Shadow, ADatagramGetsThere) {
  GpuPair gpus(IBV_QPT_UD);
  gpus.client.remote_key = gpus.server.qp->qp_num;
  gpus.server.post_receive(9, 60, 1000);
  gpus.client.post(IBV_WR_SEND, 1, 100, 500);
  gpus.pair.settle();
  EXPECT_EQ(summary(gpus.server.received()), "9 ok");
  EXPECT_EQ(std::memcmp(&gpus.server.memory[100], &gpus.client.memory[100], 500), 0);
}

TEST(Shadow, HostMemoryOfTheSameMessageIsLeftAlone) {
  GpuPair gpus;
  std::vector<std::byte> host(64, std::byte{5});
  ibv_mr* const region =
      calls::reg_mr(gpus.pair.client_host.domain, host.data(), host.size(),
                    reinterpret_cast<std::uintptr_t>(host.data()), IBV_ACCESS_LOCAL_WRITE);
  std::array<ibv_sge, 2> both{{{reinterpret_cast<std::uintptr_t>(host.data()), 64, region->lkey},
                               gpus.client.element(64, 64)}};
  ibv_send_wr request{};
  request.sg_list = both.data();
  request.num_sge = 2;
  request.opcode = IBV_WR_SEND;
  request.send_flags = IBV_SEND_SIGNALED;
  gpus.server.post_receive(9, 0, 128);
  gpus.client.post(request);
  gpus.pair.settle();
  EXPECT_EQ(gpus.client.gpu.fetched, 1U);
  EXPECT_EQ(gpus.server.memory[63], std::byte{5});
  EXPECT_EQ(gpus.server.memory[127], shade(127));
  EXPECT_EQ(calls::dereg_mr(region), 0);
}

TEST(Shadow, TheNextRequestIsCopiedWhileOneIsSent) {
  constexpr std::uint32_t kLong = kGpuBytes / 8 * 7;  // more than may be sent at once
  GpuPair gpus;
  gpus.client.post(IBV_WR_RDMA_WRITE, 1, 0, kLong);
  gpus.client.post(IBV_WR_RDMA_WRITE, 2, kLong, 1024);
  gpus.client.post(IBV_WR_RDMA_WRITE, 3, kLong + 1024, 1024);
  EXPECT_EQ(gpus.client.gpu.fetched, 2U) << "the second, too, the third not yet";
  gpus.pair.settle();
  EXPECT_EQ(gpus.client.gpu.fetched, 3U);
  EXPECT_TRUE(gpus.has(0, kLong + 2048));
}

TEST(Shadow, WhatAReadBringsIsNotSentBeforeItIsThere) {
  GpuPair gpus;
  gpus.server.memory[5] = std::byte{77};
  gpus.server.post_receive(9, 1000, 10);
  ibv_sge here = gpus.client.element(0, 10);
  ibv_send_wr send{};
  send.wr_id = 2;
  send.opcode = IBV_WR_SEND;
  send.send_flags = IBV_SEND_SIGNALED | IBV_SEND_FENCE;
  ibv_send_wr read{};
  read.wr_id = 1;
  read.opcode = IBV_WR_RDMA_READ;
  read.send_flags = IBV_SEND_SIGNALED;
  read.wr.rdma = {gpus.client.remote_address, gpus.client.remote_key};
  send.sg_list = read.sg_list = &here;
  send.num_sge = read.num_sge = 1;
  read.next = &send;
  EXPECT_EQ(gpus.client.post(read), 0);
  gpus.pair.settle();
  EXPECT_EQ(gpus.sent(), "1 ok, 2 ok");
  EXPECT_EQ(gpus.server.memory[1005], std::byte{77});
}

TEST(Shadow, WhatOneSendsFailsIfItCannotBeCopied) {
  GpuPair gpus;
  gpus.client.gpu.fails = true;
  gpus.client.post(IBV_WR_RDMA_WRITE, 1, 0, 3000);
  gpus.pair.settle();
  EXPECT_EQ(gpus.sent(), "1 local protection");
  EXPECT_EQ(gpus.server.qp->state, IBV_QPS_RTS);
}

TEST(Shadow, AWriteFailsIfItCannotBeCopied) {
  GpuPair gpus;
  gpus.client.post(IBV_WR_RDMA_WRITE, 1, 0, 3000);
  gpus.pair.settle();
  gpus.server.gpu.fails = true;
  gpus.client.post(IBV_WR_RDMA_WRITE, 2, 0, 3000);
  gpus.client.post(IBV_WR_RDMA_WRITE, 3, 0, 3000);
  gpus.pair.settle();
  EXPECT_EQ(gpus.sent(), "1 ok, 2 remote access, 3 flushed");
  EXPECT_EQ(gpus.server.qp->state, IBV_QPS_ERR);
  EXPECT_EQ(gpus.pair.server_host.events(), std::vector{IBV_EVENT_QP_ACCESS_ERR});
}

TEST(Shadow, AReceiveFailsIfItCannotBeCopied) {
  GpuPair gpus;
  gpus.server.gpu.fails = true;
  gpus.server.post_receive(9, 0, 3000);
  gpus.client.post(IBV_WR_SEND, 1, 0, 3000);
  gpus.pair.settle();
  EXPECT_EQ(gpus.sent(), "1 remote operation");
  EXPECT_EQ(summary(gpus.server.received()), "9 local protection");
}

TEST(Shadow, ImmediateDataFailIfTheWriteBeforeCannotBeCopied) {
  GpuPair gpus;
  gpus.server.post_receive(9, 0, 0);
  gpus.server.gpu.fails = true;
  gpus.client.post(IBV_WR_RDMA_WRITE, 1, 0, 64);
  gpus.client.post(IBV_WR_RDMA_WRITE_WITH_IMM, 2, 0, 0);
  gpus.pair.settle();
  EXPECT_EQ(gpus.sent(), "1 remote access, 2 flushed");
  EXPECT_EQ(summary(gpus.server.received()), "9 local access");
}

TEST(Shadow, AReadFailsOnTheSideThatCannotCopy) {
  GpuPair there;
  there.server.gpu.fails = true;
  there.client.post(IBV_WR_RDMA_READ, 1, 0, 3000);
  there.pair.settle();
  EXPECT_EQ(there.sent(), "1 remote access");
  GpuPair here;
  here.client.gpu.fails = true;
  here.client.post(IBV_WR_RDMA_READ, 1, 0, 3000);
  here.pair.settle();
  EXPECT_EQ(here.sent(), "1 local protection");
}

TEST(Shadow, AnAtomicFailsIfItCannotBeCopied) {
  GpuPair gpus;
  gpus.server.gpu.fails = true;
  gpus.client.post(IBV_WR_ATOMIC_FETCH_AND_ADD, 1, 64, 8);
  gpus.pair.settle();
  EXPECT_EQ(gpus.sent(), "1 remote access");
}

TEST(Shadow, NothingIsCopiedAfterTheRegionIsGone) {
  GpuPair gpus;
  gpus.client.post(IBV_WR_RDMA_WRITE, 1, 0, 3000);
  Flight flight = gpus.pair.client_host.sends();
  gpus.pair.to_server(Flight{flight[0], flight[1]});
  EXPECT_EQ(calls::dereg_mr(gpus.server.region), 0);
  gpus.server.region = nullptr;
  gpus.pair.to_server(flight[2]);
  gpus.pair.settle();
  EXPECT_EQ(gpus.sent(), "1 remote access");
  EXPECT_TRUE(gpus.pair.server_host.port.memory.shadows.empty());
}

TEST(Shadow, AMovedRegionHasNoShadow) {
  GpuPair gpus;
  EXPECT_EQ(calls::rereg_mr(gpus.server.region, IBV_REREG_MR_CHANGE_TRANSLATION, nullptr,
                            gpus.server.memory.data(), kGpuBytes, 0),
            0);
  EXPECT_TRUE(gpus.pair.server_host.port.memory.shadows.empty());
  gpus.client.remote_key = gpus.server.region->rkey;
  gpus.client.post(IBV_WR_RDMA_WRITE, 1, 0, 3000);
  gpus.pair.settle();
  EXPECT_EQ(gpus.sent(), "1 ok");
  EXPECT_TRUE(gpus.has(0, 3000));
  EXPECT_EQ(gpus.server.gpu.stored, 0U);
}

}  // namespace
}  // namespace railgauge::softroce
