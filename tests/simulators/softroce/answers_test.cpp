// READs and atomics as the responder sees them (InfiniBand volume 1, 9.7.5.1 and 9.7.4.1). Path MTU
// 256.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "softroce/verbs/calls.hpp"
#include "wire_pair.hpp"

namespace railgauge::softroce {
namespace {

using enum Operation;

class Answers : public ::testing::Test {
 protected:
  Answers() {
    for (std::size_t i = 0; i < pair.server.memory.size(); ++i) {
      pair.server.memory[i] = static_cast<std::byte>(i * 7);
    }
  }
  std::uint64_t address() const {
    return reinterpret_cast<std::uintptr_t>(pair.server.memory.data());
  }
  Packet request(Operation operation, Psn psn, std::uint32_t length = 8) const {
    Packet packet{.operation = operation, .ack_request = true, .psn = psn};
    packet.remote_address = address();
    packet.remote_key = pair.server.region->rkey;
    packet.dma_length = length;
    return packet;
  }
  Packet add(Psn psn, std::uint64_t what) const {
    Packet packet = request(fetch_and_add, psn);
    packet.swap_or_add = what;
    return packet;
  }
  std::string answers() { return summary(pair.server_host.sends()); }
  void set_word(std::uint64_t value) {
    std::memcpy(pair.server.memory.data(), &value, sizeof value);
  }
  std::uint64_t word() const {
    std::uint64_t value = 0;
    std::memcpy(&value, pair.server.memory.data(), sizeof value);
    return value;
  }

  WirePair pair;
};

TEST_F(Answers, AReadIsCutAtThePathMtu) {
  const std::array<std::pair<std::uint32_t, const char*>, 6> cases = {
      {{0, "RESPONSE_ONLY 100"},
       {1, "RESPONSE_ONLY 101"},
       {256, "RESPONSE_ONLY 102"},
       {257, "RESPONSE_FIRST 103, RESPONSE_LAST 104"},
       {512, "RESPONSE_FIRST 105, RESPONSE_LAST 106"},
       {513, "RESPONSE_FIRST 107, RESPONSE_MIDDLE 108, RESPONSE_LAST 109"}}};
  Psn psn = 100;
  for (const auto& [length, packets] : cases) {
    pair.to_server(request(read_request, psn, length));
    const Flight flight = pair.server_host.sends();
    EXPECT_EQ(summary(flight), packets);
    std::vector<std::byte> bytes;
    for (const Flying& flying : flight) {
      const Packet packet = flying.packet();
      bytes.insert(bytes.end(), packet.payload.begin(), packet.payload.end());
    }
    ASSERT_EQ(bytes.size(), length);
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), pair.server.memory.begin()));
    psn += static_cast<Psn>(flight.size());
  }
}

TEST_F(Answers, ComeInTheOrderOfTheRequestsAndStandForWrites) {
  Packet write = request(write_only, 100, 1);
  pair.to_server(write, std::vector<std::byte>(1));
  pair.to_server(request(read_request, 101, 300));
  write.psn = 103;
  pair.to_server(write, std::vector<std::byte>(1));
  pair.to_server(add(104, 1));
  EXPECT_EQ(answers(), "RESPONSE_FIRST 101, RESPONSE_LAST 102, ATOMIC_ACK 104");
  write.psn = 105;
  pair.to_server(write, std::vector<std::byte>(1));
  EXPECT_EQ(answers(), "ACK 105");
}

TEST_F(Answers, ALongOneLeavesInTurns) {
  WirePair& other = pair;
  Packet longer = request(read_request, 100, 60 * 1024);
  other.to_server(longer);
  EXPECT_TRUE(other.server_host.port.transmit());
  const std::size_t first_turn = other.server_host.wire.held.size();
  EXPECT_GT(first_turn, 10U);
  EXPECT_LT(first_turn, 240U);
  EXPECT_EQ(other.server_host.sends().size(), 240U);
}

TEST_F(Answers, ARepeatedReadIsReadAgainFromThere) {
  pair.to_server(request(read_request, 100, 600));
  answers();
  Packet rest = request(read_request, 101, 344);
  rest.remote_address += 256;
  pair.server.memory[256] = std::byte{99};
  pair.to_server(rest);
  const Flight flight = pair.server_host.sends();
  EXPECT_EQ(summary(flight), "RESPONSE_FIRST 101, RESPONSE_LAST 102");
  EXPECT_EQ(flight[0].packet().payload[0], std::byte{99});
  EXPECT_EQ(pair.server_host.port.counters.duplicate_request, 1U);
  pair.to_server(request(read_request, 103, 1));  // what is expected has not changed
  EXPECT_EQ(answers(), "RESPONSE_ONLY 103");
}

TEST_F(Answers, ARepeatedRequestWhoseAnswerIsOnItsWayAddsNothing) {
  pair.to_server(request(read_request, 100, 600));
  pair.to_server(request(read_request, 100, 600));
  pair.to_server(add(103, 1));
  pair.to_server(add(103, 1));
  EXPECT_EQ(answers(),
            "RESPONSE_FIRST 100, RESPONSE_MIDDLE 101, RESPONSE_LAST 102, ATOMIC_ACK 103");
}

TEST_F(Answers, MoreThanAgreedAreRefusedWhenThoseBeforeHaveLeft) {
  for (Psn psn = 100; psn < 105; ++psn)
    pair.to_server(request(read_request, psn, 1));  // four are agreed
  EXPECT_EQ(answers(),
            "RESPONSE_ONLY 100, RESPONSE_ONLY 101, RESPONSE_ONLY 102, RESPONSE_ONLY 103, "
            "NAK_REQUEST 104");
  EXPECT_EQ(pair.server_host.events(), std::vector{IBV_EVENT_QP_REQ_ERR});
}

TEST_F(Answers, RepeatedOnesAreNotMoreThanAgreed) {
  for (Psn psn = 100; psn < 104; ++psn) pair.to_server(request(read_request, psn, 1));
  answers();
  for (Psn psn = 100; psn < 104; ++psn) pair.to_server(request(read_request, psn, 1));
  for (Psn psn = 104; psn < 108; ++psn) pair.to_server(request(read_request, psn, 1));
  EXPECT_EQ(pair.server_host.sends().size(), 8U);
  EXPECT_EQ(pair.server.qp->state, IBV_QPS_RTS);
}

TEST_F(Answers, AFailureWaitsForTheAnswersBeforeIt) {
  pair.to_server(request(read_request, 100, 600));
  Packet wrong = request(write_only, 103, 1);
  wrong.remote_key ^= 1;
  pair.to_server(wrong, std::vector<std::byte>(1));
  EXPECT_EQ(pair.server.qp->state, IBV_QPS_RTS);
  pair.to_server(request(write_only, 103, 1),
                 std::vector<std::byte>(1));  // nothing is taken any more
  EXPECT_EQ(answers(),
            "RESPONSE_FIRST 100, RESPONSE_MIDDLE 101, RESPONSE_LAST 102, NAK_ACCESS 103");
  EXPECT_EQ(pair.server.qp->state, IBV_QPS_ERR);
  EXPECT_EQ(pair.server_host.events(), std::vector{IBV_EVENT_QP_ACCESS_ERR});
}

class RegionGoes : public Answers {
 protected:
  RegionGoes() {
    region = calls::reg_mr(pair.server_host.domain, pair.server.memory.data(), 64 * 1024, address(),
                           IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ);
  }
  Packet read(Psn psn, std::uint32_t length) const {
    Packet packet = request(read_request, psn, length);
    packet.remote_key = region->rkey;
    return packet;
  }
  ibv_mr* region = nullptr;
};

TEST_F(RegionGoes, InTheMiddleOfAResponseThatIsWhereTheRefusalIs) {
  pair.to_server(read(100, 60 * 1024));
  pair.to_server(request(read_request, 340, 1));
  pair.server_host.port.transmit();
  const Flight first = std::exchange(pair.server_host.wire.held, {});
  calls::dereg_mr(region);
  const Psn next = 100 + static_cast<Psn>(first.size());
  EXPECT_EQ(answers(),
            "NAK_ACCESS " + std::to_string(next));  // and nothing of what was asked later
  EXPECT_EQ(pair.server_host.events(), std::vector{IBV_EVENT_QP_ACCESS_ERR});
}

TEST_F(RegionGoes, TheRequesterFailsWithRemoteAccess) {
  pair.client.remote_key = region->rkey;
  pair.client.post(IBV_WR_RDMA_READ, 1, 0, 60 * 1024);
  pair.to_server(pair.client_host.sends());
  pair.server_host.port.transmit();
  calls::dereg_mr(region);
  pair.settle();
  EXPECT_EQ(summary(pair.client.sent()), "1 remote access");
}

TEST_F(RegionGoes, RepeatedRequestsThatComeTooLateDoNoHarm) {
  pair.to_server(read(100, 600));
  answers();
  pair.to_server(read(100, 600));  // will be answered
  calls::dereg_mr(region);
  EXPECT_EQ(answers(), "");
  pair.to_server(request(read_request, 103, 1));
  EXPECT_EQ(answers(), "RESPONSE_ONLY 103");
}

TEST_F(Answers, AtomicsAreCarriedOut) {
  set_word(10);
  pair.to_server(add(100, 5));
  Packet swap = request(compare_and_swap, 101);
  swap.compare = 15;
  swap.swap_or_add = 100;
  pair.to_server(swap);
  swap.psn = 102;  // it is not 15 any more
  pair.to_server(swap);
  const Flight flight = pair.server_host.sends();
  EXPECT_EQ(summary(flight), "ATOMIC_ACK 100, ATOMIC_ACK 101, ATOMIC_ACK 102");
  EXPECT_EQ(flight[0].packet().original, 10U);
  EXPECT_EQ(flight[1].packet().original, 15U);
  EXPECT_EQ(flight[2].packet().original, 100U);
  EXPECT_EQ(word(), 100U);
}

TEST_F(Answers, AnAtomicIsNeverCarriedOutTwice) {
  set_word(0);
  for (Psn psn = 100; psn < 110; ++psn) {
    pair.to_server(add(psn, 1));
    answers();
  }
  for (Psn psn = 100; psn < 110; ++psn) {
    pair.to_server(add(psn, 1));
    const Flight flight = pair.server_host.sends();
    ASSERT_EQ(summary(flight), "ATOMIC_ACK " + std::to_string(psn));
    EXPECT_EQ(flight[0].packet().original, psn - 100);
  }
  EXPECT_EQ(word(), 10U);
}

TEST_F(Answers, MisalignedAtomicsAreRefused) {
  Packet packet = add(100, 1);
  packet.remote_address += 4;
  pair.to_server(packet);
  EXPECT_EQ(answers(), "NAK_REQUEST 100");
}

TEST_F(Answers, AlsoThoseThatOnlyTheRegionMisaligns) {
  ibv_mr* region = calls::reg_mr(pair.server_host.domain, pair.server.memory.data() + 1, 64, 0x1000,
                                 IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_ATOMIC);
  Packet packet = add(100, 1);
  packet.remote_address = 0x1000;
  packet.remote_key = region->rkey;
  pair.to_server(packet);
  EXPECT_EQ(answers(), "NAK_REQUEST 100");
  calls::dereg_mr(region);
}

TEST(NoReads, AgreedMeansRefused) {
  Options client;
  Options server;
  server.reads = 0;
  WirePair pair(client, server);
  pair.client.post(IBV_WR_RDMA_READ, 1, 0, 1);
  pair.settle();
  EXPECT_EQ(summary(pair.client.sent()), "1 remote request");
}

}  // namespace
}  // namespace railgauge::softroce
