// What a responder refuses or drops: wrong sequences, missing rights, and what UC does instead of
// answering (InfiniBand volume 1, 9.7.4 and 9.8.2).

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "responding.hpp"
#include "softroce/device/responder.hpp"
#include "softroce/verbs/calls.hpp"
#include "softroce/verbs/objects.hpp"

namespace railgauge::softroce {
namespace {

using std::chrono::microseconds;
using enum Operation;

/// A sequence of packets, the last of which is wrong.
struct Wrong {
  const char* name;
  std::vector<std::pair<Packet, std::size_t>> packets;
};

TEST_F(Responding, WrongSequencesAreRefused) {
  const auto after = [&](std::vector<std::pair<Packet, std::size_t>> packets) { return packets; };
  const std::vector<Wrong> all = {
      {"middle without first", {{request(send_middle, 100), 256}}},
      {"last without first", {{request(send_last, 100), 1}}},
      {"write middle without first", {{request(write_middle, 100), 256}}},
      {"write last without first", {{request(write_last_with_immediate, 100), 1}}},
      {"first within a message",
       after({{request(send_first, 100), 256}, {request(send_first, 101), 256}})},
      {"only within a message",
       after({{request(send_first, 100), 256}, {request(send_only, 101), 1}})},
      {"write within a send",
       after({{request(send_first, 100), 256}, {request(write_middle, 101), 256}})},
      {"write last within a send",
       after({{request(send_first, 100), 256}, {request(write_last, 101), 1}})},
      {"send within a write",
       after({{write(write_first, 100, 512), 256}, {request(send_last, 101), 256}})},
      {"read within a write",
       after({{write(write_first, 100, 512), 256}, {write(read_request, 101, 1), 0}})},
      {"atomic within a send",
       after({{request(send_first, 100), 256}, {write(fetch_and_add, 101, 0), 0}})},
      {"first of less than the MTU", {{request(send_first, 100), 255}}},
      {"first of more than the MTU", {{request(send_first, 100), 257}}},
      {"middle of less", after({{request(send_first, 100), 256}, {request(send_middle, 101), 0}})},
      {"last of nothing", after({{request(send_first, 100), 256}, {request(send_last, 101), 0}})},
      {"last of more", after({{request(send_first, 100), 256}, {request(send_last, 101), 300}})},
      {"only of more", {{request(send_only, 100), 257}}},
      {"write shorter than said", {{write(write_only, 100, 5), 4}}},
      {"write longer than said", {{write(write_only, 100, 5), 6}}},
      {"write that ends early",
       after({{write(write_first, 100, 600), 256}, {request(write_last, 101), 256}})},
      {"write that goes on",
       after({{write(write_first, 100, 300), 256}, {request(write_middle, 101), 256}})},
      {"write of more than 2^31", {{write(write_first, 100, 0x80000001), 256}}},
      {"read of more than 2^31", {{write(read_request, 100, 0x80000001), 0}}},
  };
  for (const Wrong& wrong : all) {
    make(Options{});
    receive(1);
    receive(2);
    for (const auto& [packet, bytes] : wrong.packets) {
      Packet here = packet;
      here.remote_address =
          has_remote_address(here.operation) || has_atomic(here.operation) ? address() : 0;
      here.remote_key = here.remote_address != 0 ? pair->server.region->rkey : 0;
      here.ack_request = false;
      give(here, bytes);
    }
    const Psn psn = wrong.packets.back().first.psn;
    EXPECT_EQ(answers(), "NAK_REQUEST " + std::to_string(psn)) << wrong.name;
    EXPECT_EQ(pair->server.qp->state, IBV_QPS_ERR) << wrong.name;
    EXPECT_EQ(events(), Events{IBV_EVENT_QP_REQ_ERR}) << wrong.name;
    EXPECT_EQ(received(), "1 flushed, 2 flushed") << wrong.name;
    give(request(send_only, psn), 1);
    EXPECT_EQ(answers(), "") << wrong.name;
  }
}

TEST_F(Responding, MistakesOfRightsAreRefused) {
  struct Case {
    const char* name;
    unsigned queue_pair, region;
    std::uint32_t key_change;
    std::int64_t shift;
    Operation operation;
  };
  constexpr unsigned kAll =
      IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;
  constexpr unsigned kNoWrite = kAll & ~unsigned{IBV_ACCESS_REMOTE_WRITE};
  constexpr unsigned kNoRead = kAll & ~unsigned{IBV_ACCESS_REMOTE_READ};
  constexpr unsigned kNoAtomic = kAll & ~unsigned{IBV_ACCESS_REMOTE_ATOMIC};
  const std::array<Case, 14> cases = {{{"queue pair: write", kNoWrite, kAll, 0, 0, write_only},
                                       {"queue pair: read", kNoRead, kAll, 0, 0, read_request},
                                       {"queue pair: atomic", kNoAtomic, kAll, 0, 0, fetch_and_add},
                                       {"region: write", kAll, kNoWrite, 0, 0, write_only},
                                       {"region: read", kAll, kNoRead, 0, 0, read_request},
                                       {"region: atomic", kAll, kNoAtomic, 0, 0, compare_and_swap},
                                       {"key: write", kAll, kAll, 1, 0, write_only},
                                       {"key: read", kAll, kAll, 256, 0, read_request},
                                       {"key: atomic", kAll, kAll, 1, 0, compare_and_swap},
                                       {"before: write", kAll, kAll, 0, -1, write_only},
                                       {"before: atomic", kAll, kAll, 0, -8, fetch_and_add},
                                       {"behind: write", kAll, kAll, 0, 57, write_only},
                                       {"behind: read", kAll, kAll, 0, 57, read_request},
                                       {"behind: atomic", kAll, kAll, 0, 64, fetch_and_add}}};
  for (const Case& wrong : cases) {
    Options options;
    options.access = wrong.queue_pair;
    make(options);
    auto* start = pair->server.memory.data();
    ibv_mr* region =
        calls::reg_mr(pair->server_host.domain, start, 64, reinterpret_cast<std::uintptr_t>(start),
                      IBV_ACCESS_LOCAL_WRITE | wrong.region);
    Packet packet = write(wrong.operation, 100, 8);
    packet.remote_key = region->rkey + wrong.key_change;
    packet.remote_address += static_cast<std::uint64_t>(wrong.shift);
    give(packet, wrong.operation == write_only ? 8 : 0);
    EXPECT_EQ(answers(), "NAK_ACCESS 100") << wrong.name;
    EXPECT_EQ(events(), Events{IBV_EVENT_QP_ACCESS_ERR}) << wrong.name;
    EXPECT_EQ(pair->server.qp->state, IBV_QPS_ERR) << wrong.name;
    EXPECT_EQ(at(0), std::byte{0});
    EXPECT_EQ(calls::dereg_mr(region), 0);
  }
}

TEST_F(Responding, ARegionOfAnotherDomainIsRefused) {
  ibv_pd* other = calls::alloc_pd(&pair->server_host.context.context);
  ibv_mr* region = calls::reg_mr(other, pair->server.memory.data(), 64, address(),
                                 IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
  Packet packet = write(write_only, 100, 1);
  packet.remote_key = region->rkey;
  give(packet, 1);
  EXPECT_EQ(answers(), "NAK_ACCESS 100");
  calls::dereg_mr(region);
  calls::dealloc_pd(other);
}

TEST_F(Responding, AMessageLongerThanItsReceiveFailsOnBothSides) {
  receive(1, 300);
  receive(2);
  give(request(send_first, 100), 256);
  give(request(send_last, 101), 45);
  EXPECT_EQ(answers(), "NAK_REQUEST 101");
  EXPECT_EQ(received(), "1 local length, 2 flushed");
  EXPECT_EQ(events(), Events{IBV_EVENT_QP_REQ_ERR});
  EXPECT_EQ(at(256), std::byte{0});
}

/// InfiniBand volume 1, 11.6.2: a local access error.
TEST_F(Responding, AReceiveOfImmediateDataFailsWithItsWrite) {
  receive(1);
  receive(2);
  Packet packet = write(write_only_with_immediate, 100, 5);
  ++packet.remote_key;
  give(packet, 5);
  EXPECT_EQ(answers(), "NAK_ACCESS 100");
  EXPECT_EQ(received(), "1 local access, 2 flushed");
}

TEST_F(Responding, AReceiveIntoForeignMemoryFailsOnBothSides) {
  ibv_sge one = pair->server.element(0, 100);
  one.lkey += 1;
  ibv_recv_wr wrong{1, nullptr, &one, 1};
  ibv_recv_wr* bad = nullptr;
  ASSERT_EQ(post_recv(pair->server.qp, &wrong, &bad), 0);
  receive(2);
  give(request(send_only, 100), 1);
  EXPECT_EQ(answers(), "NAK_OPERATION 100");
  EXPECT_EQ(received(), "1 local protection, 2 flushed");
  EXPECT_EQ(events(), Events{IBV_EVENT_QP_FATAL});
}

TEST_F(Responding, ARegionThatGoesInTheMiddleOfAWriteEndsIt) {
  auto* start = pair->server.memory.data();
  ibv_mr* region = calls::reg_mr(pair->server_host.domain, start, 1024, address(),
                                 IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
  Packet packet = write(write_first, 100, 512);
  packet.remote_key = region->rkey;
  give(packet, 256);
  EXPECT_EQ(answers(), "ACK 100");
  EXPECT_EQ(calls::dereg_mr(region), 0);
  give(request(write_last, 101), 256);
  EXPECT_EQ(answers(), "NAK_ACCESS 101");
  EXPECT_EQ(at(256), std::byte{0});
  EXPECT_EQ(events(), Events{IBV_EVENT_QP_ACCESS_ERR});
}

class UnreliableResponding : public Responding {
 protected:
  UnreliableResponding() { make(IBV_QPT_UC); }
};

TEST_F(UnreliableResponding, AnswersNothing) {
  receive(1);
  give(request(send_only, 100), 1);
  give(request(send_only, 102), 1);  // not ready, and ahead
  EXPECT_EQ(answers(), "");
  EXPECT_EQ(received(), "1 ok");
}

TEST_F(UnreliableResponding, DropsAMessageWithAGapAndTakesTheNext) {
  receive(1);
  give(request(send_first, 100), 256, std::byte{1});
  give(request(send_last, 102), 10, std::byte{2});
  give(request(send_last, 103), 10, std::byte{3});
  EXPECT_EQ(received(), "");
  give(request(send_first, 110), 256, std::byte{4});
  give(request(send_last, 111), 10, std::byte{5});
  EXPECT_EQ(received(), "1 ok");  // into the receive that the dropped one had begun
  EXPECT_EQ(at(0), std::byte{4});
  EXPECT_EQ(at(256), std::byte{5});
}

TEST_F(UnreliableResponding, ABegunReceiveServesTheNextMessageInAMovedRegionToo) {
  auto* start = pair->server.memory.data();
  ibv_mr* region = calls::reg_mr(pair->server_host.domain, start, 1024, 0, IBV_ACCESS_LOCAL_WRITE);
  ibv_sge one{16, 600, region->lkey};  // the region's addresses begin with 0
  ibv_recv_wr posted{1, nullptr, &one, 1};
  ibv_recv_wr* bad = nullptr;
  ASSERT_EQ(post_recv(pair->server.qp, &posted, &bad), 0);
  give(request(send_first, 100), 256);
  give(request(send_first, 105), 256);
  give(request(send_last, 106), 1, std::byte{7});
  EXPECT_EQ(received(), "1 ok");
  EXPECT_EQ(at(16 + 256), std::byte{7});
  calls::dereg_mr(region);
}

TEST_F(UnreliableResponding, WrongSizesAndRightsAreDroppedAndNothingElse) {
  receive(1, 100);
  give(request(send_first, 100), 255);
  give(request(send_only, 101), 101);  // longer than the receive
  Packet packet = write(write_only, 102, 1);
  packet.remote_key ^= 1;
  give(packet, 1);
  give(write(write_only, 103, 7), 6);
  give(request(send_middle, 104), 256);
  EXPECT_EQ(pair->server.qp->state, IBV_QPS_RTS);
  EXPECT_EQ(at(0), std::byte{0});
  EXPECT_EQ(received(), "");
  EXPECT_EQ(events(), Events{});
  give(request(send_only, 105), 100);
  EXPECT_EQ(received(), "1 ok");
}

TEST_F(UnreliableResponding, AWriteThatMayNotLeavesItsReceive) {
  receive(1);
  Packet packet = write(write_only_with_immediate, 100, 5);
  ++packet.remote_key;
  give(packet, 5);
  EXPECT_EQ(received(), "");
  give(write(write_only_with_immediate, 100, 5), 5);
  EXPECT_EQ(received(), "1 ok");
}

TEST_F(UnreliableResponding, WithoutAReceiveTheMessageIsLost) {
  give(request(send_first, 100), 256);
  receive(1);
  give(request(send_last, 101), 1);
  EXPECT_EQ(received(), "");
  give(request(send_only, 102), 1);
  EXPECT_EQ(received(), "1 ok");
}

TEST_F(UnreliableResponding, AWrongReceiveIsItsOwnFault) {
  ibv_sge one = pair->server.element(0, 100);
  one.lkey += 1;
  ibv_recv_wr wrong{1, nullptr, &one, 1};
  ibv_recv_wr* bad = nullptr;
  ASSERT_EQ(post_recv(pair->server.qp, &wrong, &bad), 0);
  give(request(send_only, 100), 1);
  EXPECT_EQ(received(), "1 local protection");
  EXPECT_EQ(pair->server.qp->state, IBV_QPS_ERR);
}

}  // namespace
}  // namespace railgauge::softroce
