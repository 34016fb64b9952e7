// What a responder does with requests, packet by packet (InfiniBand volume 1, 9.7.4).

#include "softroce/device/responder.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "responding.hpp"
#include "softroce/verbs/calls.hpp"
#include "softroce/verbs/objects.hpp"

namespace railgauge::softroce {
namespace {

using std::chrono::microseconds;
using enum Operation;

TEST_F(Responding, PutsAMessageTogether) {
  receive(1);
  give(request(send_first, 100), 256, std::byte{1});
  give(request(send_middle, 101), 256, std::byte{2});
  Packet last = request(send_last_with_immediate, 102);
  last.immediate = 77;
  give(last, 3, std::byte{3});
  EXPECT_EQ(answers(), "ACK 102");
  const auto completions = pair->server.received();
  ASSERT_EQ(summary(completions), "1 ok");
  EXPECT_EQ(completions[0].byte_len, 515U);
  EXPECT_EQ(completions[0].opcode, IBV_WC_RECV);
  EXPECT_EQ(completions[0].imm_data, 77U);
  EXPECT_EQ(completions[0].wc_flags, unsigned{IBV_WC_WITH_IMM});
  EXPECT_EQ(completions[0].src_qp, pair->client.qp->qp_num);
  EXPECT_EQ(at(255), std::byte{1});
  EXPECT_EQ(at(511), std::byte{2});
  EXPECT_EQ(at(514), std::byte{3});
  EXPECT_EQ(at(515), std::byte{0});
}

TEST_F(Responding, AnswersOnlyWhatAsksForIt) {
  Packet packet = write(write_only, 100, 1);
  packet.ack_request = false;
  give(packet, 1);
  EXPECT_EQ(answers(), "");
  give(write(write_only, 101, 1), 1);
  give(write(write_only, 102, 1), 1);
  EXPECT_EQ(answers(), "ACK 102");  // one for all
}

TEST_F(Responding, CountsMessages) {
  give(write(write_first, 100, 257), 256);
  EXPECT_EQ(pair->server_host.sends()[0].packet().message_number, 0U);
  give(request(write_last, 101), 1);
  EXPECT_EQ(pair->server_host.sends()[0].packet().message_number, 1U);
}

TEST_F(Responding, AWriteWithImmediateUsesAReceiveUp) {
  receive(1, 0);
  Packet packet = write(write_only_with_immediate, 100, 5);
  packet.immediate = 6;
  give(packet, 5);
  const auto completions = pair->server.received();
  ASSERT_EQ(summary(completions), "1 ok");
  EXPECT_EQ(completions[0].opcode, IBV_WC_RECV_RDMA_WITH_IMM);
  EXPECT_EQ(completions[0].byte_len, 5U);
  EXPECT_EQ(at(4), std::byte{9});
}

TEST_F(Responding, AWriteOfNothingNeedsNoRights) {
  Packet packet = write(write_only, 100, 0);
  packet.remote_key = 0xdeadbeef;
  give(packet);
  EXPECT_EQ(answers(), "ACK 100");
}

TEST_F(Responding, PsnsGoRound) {
  Options options;
  options.first_psn = 0xffffff;
  make(options);
  give(write(write_first, 0xffffff, 257), 256);
  give(request(write_last, 0), 1);
  EXPECT_EQ(answers(), "ACK 0");
  give(write(write_only, 0xffffff, 1), 1);  // again
  EXPECT_EQ(answers(), "ACK 0");
  EXPECT_EQ(counters().duplicate_request, 1U);
}

TEST_F(Responding, TellsOfAGapOnceAndAgainAfterAWhile) {
  give(write(write_only, 102, 1), 1);
  EXPECT_EQ(answers(), "NAK_SEQUENCE 100");
  give(write(write_only, 103, 1), 1);
  EXPECT_EQ(answers(), "");
  pair->pass(microseconds(500));
  give(write(write_only, 104, 1), 1);
  EXPECT_EQ(answers(), "NAK_SEQUENCE 100");
  EXPECT_EQ(at(0), std::byte{0});
  for (Psn psn = 100; psn < 103; ++psn) give(write(write_only, psn, 1), 1);
  EXPECT_EQ(answers(), "ACK 102");
  give(write(write_only, 104, 1), 1);  // a new gap
  EXPECT_EQ(answers(), "NAK_SEQUENCE 103");
  EXPECT_EQ(counters().out_of_seq_request, 4U);
}

TEST_F(Responding, AGapThatClosesInTimeIsNotMentioned) {
  give(write(write_only, 101, 1), 1);
  give(write(write_only, 100, 1), 1);  // before anything was sent
  EXPECT_EQ(answers(), "ACK 100");
}

TEST_F(Responding, DuplicatesAreAnsweredAndNotCarriedOut) {
  receive(1);
  receive(2);
  give(request(send_only, 100), 10, std::byte{1});
  give(write(write_only, 101, 1), 1, std::byte{2});
  EXPECT_EQ(answers(), "ACK 101");
  pair->server.memory[0] = std::byte{50};
  give(request(send_only, 100), 10, std::byte{1});
  EXPECT_EQ(answers(), "ACK 101");
  give(write(write_only, 101, 1), 1, std::byte{2});
  EXPECT_EQ(answers(), "ACK 101");
  EXPECT_EQ(at(0), std::byte{50});
  EXPECT_EQ(received(), "1 ok");
  EXPECT_EQ(counters().duplicate_request, 2U);
}

TEST_F(Responding, WithoutAReceiveItIsNotReady) {
  give(request(send_only, 100), 1);
  give(request(send_only, 101), 1);
  EXPECT_EQ(answers(), "RNR12 100");
  receive(1);
  EXPECT_EQ(received(), "");
  give(request(send_only, 100), 1);
  give(request(send_only, 101), 1);
  EXPECT_EQ(answers(), "RNR12 101");
  EXPECT_EQ(received(), "1 ok");
  EXPECT_EQ(counters().send_rnr_err, 2U);
  pair->pass(microseconds(100));
  give(request(send_only, 102), 1);
  EXPECT_EQ(answers(), "");  // the peer knows, and waits
  pair->pass(microseconds(1000));
  give(request(send_only, 102), 1);  // 101 was sent again by now, and lost
  EXPECT_EQ(answers(), "NAK_SEQUENCE 101");
}

TEST_F(Responding, AWriteWithImmediateWritesNothingBeforeThereIsAReceive) {
  give(write(write_only_with_immediate, 100, 5), 5);
  EXPECT_EQ(answers(), "RNR12 100");
  EXPECT_EQ(at(0), std::byte{0});
}

TEST_F(Responding, FlushesTheReceiveThatWasBegunFirst) {
  receive(1);
  receive(2);
  give(request(send_first, 100), 256);
  pair->server.modify(IBV_QPS_ERR);
  EXPECT_EQ(received(), "1 flushed, 2 flushed");
}

TEST_F(Responding, OtherServicesAndKeysAreNotMeant) {
  Packet packet = write(write_only, 100, 1);
  packet.service = Service::unreliable;
  give(packet, 1);
  EXPECT_EQ(answers(), "");
  EXPECT_EQ(counters().unexpected, 1U);
  packet.service = Service::reliable;
  packet.partition = 0x1234;
  give(packet, 1);
  EXPECT_EQ(answers(), "");
  EXPECT_EQ(counters().unexpected, 2U);
  packet.partition = 0x7fff;  // a limited member of the default partition, as we are a full one
  give(packet, 1);
  EXPECT_EQ(answers(), "ACK 100");
}

}  // namespace
}  // namespace railgauge::softroce
