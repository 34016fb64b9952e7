// What a requester sends, packet by packet (InfiniBand volume 1, 9.7.2 to 9.7.5). Path MTU 256,
// first PSN 100.

#include "softroce/device/requester.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "softroce/verbs/calls.hpp"
#include "softroce/verbs/objects.hpp"
#include "wire_pair.hpp"

namespace railgauge::softroce {
namespace {

std::string sent(WirePair& pair) {
  return summary(pair.client_host.sends());
}

TEST(Requester, CutsMessagesAtThePathMtu) {
  const std::array<std::pair<std::uint32_t, const char*>, 8> cases = {
      {{0, "SEND_ONLY 100"},
       {1, "SEND_ONLY 100"},
       {255, "SEND_ONLY 100"},
       {256, "SEND_ONLY 100"},
       {257, "SEND_FIRST 100, SEND_LAST 101"},
       {512, "SEND_FIRST 100, SEND_LAST 101"},
       {513, "SEND_FIRST 100, SEND_MIDDLE 101, SEND_LAST 102"},
       {1024, "SEND_FIRST 100, SEND_MIDDLE 101, SEND_MIDDLE 102, SEND_LAST 103"}}};
  for (const auto& [length, packets] : cases) {
    WirePair pair;
    pair.client.post(IBV_WR_SEND, 1, 0, length);
    const Flight flight = pair.client_host.sends();
    EXPECT_EQ(summary(flight), packets) << length;
    std::size_t bytes = 0;
    for (const Flying& packet : flight) bytes += packet.packet().payload.size();
    EXPECT_EQ(bytes, length);
    EXPECT_TRUE(flight.back().packet().ack_request);
  }
}

TEST(Requester, EveryKindOfRequestHasItsOperations) {
  const std::array<std::tuple<ibv_wr_opcode, const char*, const char*>, 5> cases = {
      {{IBV_WR_SEND_WITH_IMM, "SEND_ONLY_IMM 100", "SEND_FIRST 100, SEND_LAST_IMM 101"},
       {IBV_WR_SEND_WITH_INV, "SEND_ONLY_INV 100", "SEND_FIRST 100, SEND_LAST_INV 101"},
       {IBV_WR_RDMA_WRITE, "WRITE_ONLY 100", "WRITE_FIRST 100, WRITE_LAST 101"},
       {IBV_WR_RDMA_WRITE_WITH_IMM, "WRITE_ONLY_IMM 100", "WRITE_FIRST 100, WRITE_LAST_IMM 101"},
       {IBV_WR_RDMA_READ, "READ 100", "READ 100"}}};
  for (const auto& [opcode, one, two] : cases) {
    WirePair first;
    first.client.post(opcode, 1, 0, 10);
    EXPECT_EQ(sent(first), one);
    WirePair second;
    second.client.post(opcode, 1, 0, 300);
    EXPECT_EQ(sent(second), two);
  }
  WirePair atomic;
  atomic.client.post(IBV_WR_ATOMIC_CMP_AND_SWP, 1, 0, 8);
  atomic.client.post(IBV_WR_ATOMIC_FETCH_AND_ADD, 2, 0, 8);
  EXPECT_EQ(sent(atomic), "SWAP 100, ADD 101");
}

TEST(Requester, HeadersSayWhatWasPosted) {
  WirePair pair;
  pair.client.immediate = 0x12345678;
  pair.client.post(IBV_WR_RDMA_WRITE_WITH_IMM, 1, 16, 300, IBV_SEND_SOLICITED);
  const Flight flight = pair.client_host.sends();
  ASSERT_EQ(flight.size(), 2U);
  const Packet first = flight[0].packet();
  EXPECT_EQ(first.remote_address, pair.client.remote_address + 16);
  EXPECT_EQ(first.remote_key, pair.client.remote_key);
  EXPECT_EQ(first.dma_length, 300U);
  EXPECT_EQ(first.queue_pair, pair.server.qp->qp_num);
  EXPECT_FALSE(first.solicited);
  EXPECT_FALSE(first.ack_request);
  const Packet last = flight[1].packet();
  EXPECT_EQ(last.immediate, 0x12345678U);
  EXPECT_TRUE(last.solicited);
  EXPECT_EQ(flight[1].path.destination, pair.server_host.port.address);
}

TEST(Requester, PsnsGoRound) {
  Options options;
  options.first_psn = 0xfffffe;
  WirePair pair(options);
  pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 4 * 256);
  const Flight flight = pair.client_host.sends();
  EXPECT_EQ(summary(flight),
            "WRITE_FIRST 16777214, WRITE_MIDDLE 16777215, WRITE_MIDDLE 0, WRITE_LAST 1");
  pair.to_server(flight);
  pair.settle();
  EXPECT_EQ(summary(pair.client.sent()), "1 ok");
}

TEST(Requester, AReadTakesThePsnsOfItsResponses) {
  WirePair pair;
  pair.client.post(IBV_WR_RDMA_READ, 1, 0, 700);
  pair.client.post(IBV_WR_RDMA_WRITE, 2, 0, 1);
  EXPECT_EQ(sent(pair), "READ 100, WRITE_ONLY 103");
}

TEST(Requester, AsksForLongReadsInPartsThatEndWhereTheyEndedBefore) {
  Options options;
  options.mtu = IBV_MTU_4096;
  options.memory_bytes = 256 * 1024;
  WirePair pair(options);
  pair.client.post(IBV_WR_RDMA_READ, 1, 0, 40 * 4096 - 1);
  EXPECT_EQ(sent(pair), "READ 100, READ 116, READ 132");
  Packet response{.operation = Operation::read_response_first, .psn = 100};
  std::vector<std::byte> bytes(4096);
  pair.to_client(response, bytes);
  pair.pass(std::chrono::milliseconds(9));
  const Flight again = pair.client_host.sends();
  ASSERT_FALSE(again.empty());
  EXPECT_EQ(again[0].packet().psn, 101U);
  EXPECT_EQ(again[0].packet().dma_length, 15U * 4096);
  EXPECT_EQ(again[0].packet().remote_address, pair.client.remote_address + 4096);
}

TEST(Requester, NoMoreReadsAndAtomicsThanAgreed) {
  Options options;
  options.reads = 2;
  WirePair pair(options);
  for (std::uint64_t id = 0; id < 3; ++id)
    pair.client.post(IBV_WR_ATOMIC_FETCH_AND_ADD, id, 8 * id, 8);
  EXPECT_EQ(sent(pair), "ADD 100, ADD 101");
  pair.to_client(Packet{.operation = Operation::atomic_acknowledge, .psn = 100, .syndrome = 0x1f});
  EXPECT_EQ(sent(pair), "ADD 102");
}

TEST(Requester, AFencedRequestWaitsForReads) {
  WirePair pair;
  pair.client.post(IBV_WR_RDMA_READ, 1, 0, 10);
  pair.client.post(IBV_WR_RDMA_WRITE, 2, 0, 10, IBV_SEND_FENCE | IBV_SEND_SIGNALED);
  const Flight flight = pair.client_host.sends();
  EXPECT_EQ(summary(flight), "READ 100");
  pair.to_server(flight);
  pair.to_client(pair.server_host.sends());
  EXPECT_EQ(sent(pair), "WRITE_ONLY 101");
}

TEST(Requester, SendsNoMoreThanAWindowAndAsksForAnswersInIt) {
  WirePair pair;
  pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 64 * 1024);
  pair.client.post(IBV_WR_RDMA_WRITE, 2, 0, 64 * 1024);
  const Flight flight = pair.client_host.sends();
  EXPECT_EQ(flight.size(), 256U);
  unsigned asked = 0;
  for (const Flying& packet : flight) asked += packet.packet().ack_request ? 1 : 0;
  EXPECT_GE(asked, 4U);
  pair.to_server(flight);
  pair.settle();
  EXPECT_EQ(summary(pair.client.sent()), "1 ok, 2 ok");
}

TEST(Requester, GathersWhatIsScattered) {
  WirePair pair;
  for (std::size_t i = 0; i < 1000; ++i) pair.client.memory[i] = static_cast<std::byte>(i);
  std::array<ibv_sge, 4> elements = {pair.client.element(0, 100), pair.client.element(200, 0),
                                     pair.client.element(300, 300), pair.client.element(700, 1)};
  ibv_send_wr request{};
  request.sg_list = elements.data();
  request.num_sge = 4;
  request.opcode = IBV_WR_RDMA_WRITE;
  request.wr.rdma = {pair.client.remote_address, pair.client.remote_key};
  EXPECT_EQ(pair.client.post(request), 0);
  pair.settle();
  EXPECT_EQ(std::memcmp(&pair.server.memory[0], &pair.client.memory[0], 100), 0);
  EXPECT_EQ(std::memcmp(&pair.server.memory[100], &pair.client.memory[300], 300), 0);
  EXPECT_EQ(pair.server.memory[400], pair.client.memory[700]);
  EXPECT_EQ(pair.server.memory[401], std::byte{0});
}

TEST(Requester, InlineBytesAreTakenAtOnce) {
  WirePair pair;
  pair.server.post_receive(9, 0, 64);
  pair.client.memory[0] = std::byte{42};
  ibv_sge one = pair.client.element(0, 64);
  one.lkey = 0xdead;  // no key is needed
  ibv_send_wr request{};
  request.sg_list = &one;
  request.num_sge = 1;
  request.opcode = IBV_WR_SEND;
  request.send_flags = IBV_SEND_INLINE;
  EXPECT_EQ(pair.client.post(request), 0);
  const Flight lost = pair.client_host.sends();
  EXPECT_EQ(lost.size(), 1U);
  pair.client.memory[0] = std::byte{0};
  pair.pass(std::chrono::milliseconds(9));  // and again from there
  pair.settle();
  EXPECT_EQ(pair.server.memory[0], std::byte{42});
}

TEST(Requester, OnlySignalledRequestsComplete) {
  WirePair pair;
  pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 1, 0);
  pair.client.post(IBV_WR_RDMA_WRITE, 2, 0, 1);
  pair.client.post(IBV_WR_RDMA_WRITE, 3, 0, 1, 0);
  pair.settle();
  EXPECT_EQ(summary(pair.client.sent()), "2 ok");
  EXPECT_TRUE(pair.client.pair().send_queue.empty());
}

TEST(Requester, LocalMistakesFailInTheirTurnAndFlushTheRest) {
  struct Case {
    const char* name;
    ibv_wr_opcode opcode;
    std::uint32_t length;
    std::uint32_t key_change;
    const char* outcome;
  };
  const std::array<Case, 4> cases = {
      {{"wrong key", IBV_WR_SEND, 10, 1, "1 ok, 2 local protection, 3 flushed"},
       {"beyond the region", IBV_WR_SEND, 65537, 0, "1 ok, 2 local protection, 3 flushed"},
       {"an atomic of four bytes", IBV_WR_ATOMIC_FETCH_AND_ADD, 4, 0,
        "1 ok, 2 local length, 3 flushed"},
       {"too long", IBV_WR_RDMA_WRITE, 0x80000001, 0, "1 ok, 2 local length, 3 flushed"}}};
  for (const Case& wrong : cases) {
    WirePair pair;
    pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 600);
    ibv_sge one = pair.client.element(0, wrong.length);
    one.lkey += wrong.key_change;
    ibv_send_wr request{};
    request.wr_id = 2;
    request.sg_list = &one;
    request.num_sge = 1;
    request.opcode = wrong.opcode;
    pair.client.post(request);
    pair.client.post(IBV_WR_RDMA_WRITE, 3, 0, 1);
    pair.settle();
    EXPECT_EQ(summary(pair.client.sent()), wrong.outcome) << wrong.name;
    EXPECT_EQ(pair.client.qp->state, IBV_QPS_ERR);
    EXPECT_TRUE(pair.client_host.events().empty());  // the completion says it
    EXPECT_EQ(pair.server.qp->state, IBV_QPS_RTS);
  }
}

TEST(Requester, AMistakenAddressOfAZeroBasedRegionStaysOne) {
  WirePair pair;
  std::array<std::byte, 64> bytes{};
  ibv_mr* region = calls::reg_mr(pair.client_host.domain, bytes.data(), bytes.size(), 0, 0);
  pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 600);  // so that the wrong one is looked at twice
  ibv_sge one{64, 1, region->lkey};
  ibv_send_wr request{};
  request.wr_id = 2;
  request.sg_list = &one;
  request.num_sge = 1;
  request.opcode = IBV_WR_SEND;
  pair.client.post(request);
  pair.settle();
  EXPECT_EQ(summary(pair.client.sent()), "1 ok, 2 local protection");
  calls::dereg_mr(region);
}

TEST(Requester, ReadsAndAtomicsNeedWritableMemory) {
  WirePair pair;
  ibv_mr* region = calls::reg_mr(pair.client_host.domain, pair.client.memory.data(), 64,
                                 reinterpret_cast<std::uintptr_t>(pair.client.memory.data()), 0);
  ibv_sge one = pair.client.element(0, 8);
  one.lkey = region->lkey;
  ibv_send_wr request{};
  request.sg_list = &one;
  request.num_sge = 1;
  request.opcode = IBV_WR_RDMA_READ;
  request.wr.rdma = {pair.client.remote_address, pair.client.remote_key};
  pair.client.post(request);
  EXPECT_EQ(summary(pair.client.sent()), "0 local protection");
  calls::dereg_mr(region);
}

TEST(Requester, WithoutReadsAgreedAReadFailsHere) {
  Options options;
  options.reads = 0;
  WirePair pair(options);
  pair.client.post(IBV_WR_RDMA_READ, 1, 0, 8);
  EXPECT_EQ(summary(pair.client.sent()), "1 local operation");
}

TEST(Requester, OfUcCompletesWhatHasLeft) {
  Options options;
  options.type = IBV_QPT_UC;
  WirePair pair(options);
  pair.client.post(IBV_WR_SEND, 1, 0, 600);
  EXPECT_EQ(sent(pair), "SEND_FIRST 100, SEND_MIDDLE 101, SEND_LAST 102");
  EXPECT_EQ(summary(pair.client.sent()), "1 ok");
  EXPECT_EQ(pair.client_host.port.next_timer(), Time::max());
}

TEST(Requester, OfUcGoesToTheSendQueueErrorState) {
  Options options;
  options.type = IBV_QPT_UC;
  WirePair pair(options);
  pair.client.post_receive(7, 0, 10);
  ibv_sge one = pair.client.element(0, 10);
  one.lkey += 1;
  ibv_send_wr wrong{};
  wrong.wr_id = 1;
  wrong.sg_list = &one;
  wrong.num_sge = 1;
  pair.client.post(wrong);
  pair.client.post(IBV_WR_SEND, 2, 0, 1);
  EXPECT_EQ(summary(pair.client.sent()), "1 local protection, 2 flushed");
  EXPECT_EQ(pair.client.qp->state, IBV_QPS_SQE);
  EXPECT_EQ(summary(pair.client.received()), "");  // receiving goes on
  pair.client.modify(IBV_QPS_RTS);
  pair.client.post(IBV_WR_SEND, 3, 0, 1);
  EXPECT_EQ(sent(pair), "SEND_ONLY 100");
}

TEST(Requester, IsPacedByCongestionNotificationsAndNotNervousThen) {
  Options options;
  options.mtu = IBV_MTU_4096;
  WirePair pair(options);
  for (int i = 0; i < 4000; ++i) {  // down to the least rate: 10 Mb/s, 3.3 ms for a packet
    pair.to_client(Packet{.service = Service::congestion, .backward_ecn = true});
  }
  pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 16 * 4096);
  std::size_t packets = pair.client_host.sends().size();
  EXPECT_LE(packets, 1U);
  nanoseconds taken{};
  while (packets < 16 && taken < std::chrono::seconds(1)) {
    pair.pass(std::chrono::microseconds(50));
    taken += std::chrono::microseconds(50);
    packets += pair.client_host.sends().size();
  }
  EXPECT_EQ(packets, 16U);
  EXPECT_GT(taken, std::chrono::microseconds(500));
  EXPECT_EQ(pair.client_host.port.counters.retransmitted_pkts, 0U);
}

}  // namespace
}  // namespace railgauge::softroce
