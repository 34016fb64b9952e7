// What a requester does about answers (InfiniBand volume 1, 9.7.5).

#include <gtest/gtest.h>

#include <cstring>

#include "recovering.hpp"
#include "softroce/device/requester.hpp"

namespace railgauge::softroce {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

TEST_F(Recovery, OneAnswerStandsForAllBefore) {
  for (std::uint64_t id = 1; id < 4; ++id) write(id, 1);
  EXPECT_EQ(sent(), "WRITE_ONLY 100, WRITE_ONLY 101, WRITE_ONLY 102");
  pair->to_client(acknowledgement(101));
  EXPECT_EQ(completed(), "1 ok, 2 ok");
  pair->to_client(acknowledgement(101));  // late
  pair->to_client(acknowledgement(103));  // for what was never sent
  pair->to_client(acknowledgement(99));
  EXPECT_EQ(completed(), "");
  EXPECT_EQ(sent(), "");
}

TEST_F(Recovery, APartlyAnsweredMessageIsNotDone) {
  write(1, 700);
  sent();
  pair->to_client(acknowledgement(101));
  EXPECT_EQ(completed(), "");
  pair->to_client(acknowledgement(102));
  EXPECT_EQ(completed(), "1 ok");
}

TEST_F(Recovery, GoesBackToWhatTheResponderMisses) {
  write(1, 700);
  write(2, 1);
  EXPECT_EQ(sent(), "WRITE_FIRST 100, WRITE_MIDDLE 101, WRITE_LAST 102, WRITE_ONLY 103");
  pair->to_client(negative(101, Syndrome::sequence_error));
  EXPECT_EQ(sent(), "WRITE_MIDDLE 101, WRITE_LAST 102, WRITE_ONLY 103");
  EXPECT_EQ(counters().rcvd_seq_err, 1U);
  EXPECT_EQ(counters().retransmitted_pkts, 3U);
}

TEST_F(Recovery, GoesBackOnceHoweverOftenItIsTold) {
  write(1, 1);
  write(2, 1);
  sent();
  pair->to_client(negative(100, Syndrome::sequence_error));
  EXPECT_EQ(sent(), "WRITE_ONLY 100, WRITE_ONLY 101");
  pair->to_client(negative(100, Syndrome::sequence_error));
  EXPECT_EQ(sent(), "");
  pair->to_client(negative(101, Syndrome::sequence_error));  // but this is another gap
  EXPECT_EQ(sent(), "WRITE_ONLY 101");
}

TEST_F(Recovery, AnswersThatComeAfterGoingBackStillCount) {
  write(1, 700);
  write(2, 1);
  sent();
  pair->pass(milliseconds(9));
  EXPECT_EQ(pair->client_host.wire.held.size(), 0U);
  pair->to_client(acknowledgement(101));  // it was only late
  EXPECT_EQ(sent(), "WRITE_LAST 102, WRITE_ONLY 103");
}

TEST_F(Recovery, ALostAnswerIsAskedForAgain) {
  write(1, 1);
  pair->to_server(pair->client_host.sends());
  EXPECT_EQ(summary(pair->server_host.sends()), "ACK 100");  // lost
  pair->pass(milliseconds(9));
  const Flight again = pair->client_host.sends();
  EXPECT_EQ(summary(again), "WRITE_ONLY 100");
  pair->to_server(again);
  pair->settle();
  EXPECT_EQ(completed(), "1 ok");
  EXPECT_EQ(pair->server_host.port.counters.duplicate_request, 1U);
}

TEST_F(Recovery, ALostResponseIsAskedForFromThereOn) {
  const std::array<std::pair<std::size_t, const char*>, 3> cases = {
      {{0, "READ 100"}, {1, "READ 101"}, {2, "READ 102"}}};
  for (const auto& [lost, again] : cases) {
    make({});
    std::memset(pair->server.memory.data(), 7, 700);
    read(1, 700);
    pair->to_server(pair->client_host.sends());
    Flight responses = pair->server_host.sends();
    EXPECT_EQ(summary(responses), "RESPONSE_FIRST 100, RESPONSE_MIDDLE 101, RESPONSE_LAST 102");
    responses.erase(responses.begin() + static_cast<std::ptrdiff_t>(lost));
    pair->to_client(responses);
    pair->pass(milliseconds(9));
    const Flight repeated = pair->client_host.sends();
    EXPECT_EQ(summary(repeated), again);
    EXPECT_EQ(repeated[0].packet().dma_length, 700 - 256 * lost);
    pair->to_server(repeated);
    pair->settle();
    EXPECT_EQ(completed(), "1 ok");
    EXPECT_EQ(std::memcmp(pair->client.memory.data(), pair->server.memory.data(), 700), 0);
  }
}

TEST_F(Recovery, AnAnswerBeyondAReadSaysThatItsResponseIsLost) {
  write(1, 1);
  read(2, 600);
  write(3, 1);
  EXPECT_EQ(sent(), "WRITE_ONLY 100, READ 101, WRITE_ONLY 104");
  pair->to_client(acknowledgement(104));
  EXPECT_EQ(completed(), "1 ok");  // all before the READ
  EXPECT_EQ(sent(), "READ 101, WRITE_ONLY 104");
  response(Operation::read_response_first, 101, 256);
  response(Operation::read_response_middle, 102, 256);
  EXPECT_EQ(completed(), "");
  response(Operation::read_response_last, 103, 88);
  pair->to_client(acknowledgement(104));
  EXPECT_EQ(completed(), "2 ok, 3 ok");
}

TEST_F(Recovery, AResponseStandsForAllBeforeAndNothingMore) {
  write(1, 1);
  read(2, 1);
  write(3, 1);
  sent();
  response(Operation::read_response_only, 101, 1);
  EXPECT_EQ(completed(), "1 ok, 2 ok");
}

TEST_F(Recovery, AResponseAheadOfALostOneIsNotTaken) {
  read(1, 600);
  sent();
  response(Operation::read_response_middle, 101, 256);
  EXPECT_EQ(pair->client.memory[256], std::byte{0});
  EXPECT_EQ(sent(), "READ 100");
  response(Operation::read_response_last, 102, 88);
  EXPECT_EQ(sent(), "");  // once is enough, also when nothing is known of round trips
}

TEST_F(Recovery, AResponseOfTheWrongSizeEndsTheConnection) {
  read(1, 600);
  sent();
  response(Operation::read_response_first, 100, 255);
  EXPECT_EQ(completed(), "1 bad response");
  EXPECT_EQ(pair->client.qp->state, IBV_QPS_ERR);
}

TEST_F(Recovery, AResponseToWhatIsNoReadIsIgnored) {
  write(1, 1);
  sent();
  response(Operation::read_response_only, 100, 1);
  pair->to_client(Packet{.operation = Operation::atomic_acknowledge, .psn = 100, .syndrome = 0x1f});
  EXPECT_EQ(completed(), "");
  EXPECT_EQ(pair->client.qp->state, IBV_QPS_RTS);
}

TEST_F(Recovery, WhatAnAtomicBringsIsTheNumberOfThisMachine) {
  pair->client.post(IBV_WR_ATOMIC_FETCH_AND_ADD, 1, 8, 8);
  sent();
  pair->to_client(Packet{.operation = Operation::atomic_acknowledge,
                         .psn = 100,
                         .syndrome = 0x1f,
                         .original = 0x0102030405060708});
  std::uint64_t value = 0;
  std::memcpy(&value, &pair->client.memory[8], sizeof value);
  EXPECT_EQ(value, 0x0102030405060708U);
  const auto completions = pair->client.sent();
  ASSERT_EQ(summary(completions), "1 ok");
  EXPECT_EQ(completions[0].opcode, IBV_WC_FETCH_ADD);
  EXPECT_EQ(completions[0].byte_len, 8U);
}

TEST_F(Recovery, RefusalsHaveTheirStatusAndFlushTheRest) {
  const std::array<std::pair<Syndrome, const char*>, 4> cases = {
      {{Syndrome::invalid_request, "1 ok, 2 remote request, 3 flushed"},
       {Syndrome::remote_access, "1 ok, 2 remote access, 3 flushed"},
       {Syndrome::remote_operation, "1 ok, 2 remote operation, 3 flushed"},
       {static_cast<Syndrome>(0x64), "1 ok, 2 bad response, 3 flushed"}}};
  for (const auto& [syndrome, outcome] : cases) {
    make({});
    pair->client.post_receive(50, 0, 10);
    pair->client.post_receive(51, 0, 10);
    for (std::uint64_t id = 1; id < 4; ++id) write(id, 1);
    sent();
    pair->to_client(negative(101, syndrome));
    EXPECT_EQ(completed(), outcome);
    EXPECT_EQ(summary(pair->client.received()), "50 flushed, 51 flushed");
    EXPECT_EQ(pair->client.qp->state, IBV_QPS_ERR);
    EXPECT_EQ(sent(), "");
    write(4, 1);  // in the error state: flushed at once
    EXPECT_EQ(completed(), "4 flushed");
  }
}

TEST_F(Recovery, NotReadyWaitsAsLongAsTheReceiverSays) {
  write(1, 1);
  write(2, 1);
  sent();
  pair->to_client(acknowledgement(101, not_ready(12)));  // 640 us
  EXPECT_EQ(completed(), "1 ok");
  EXPECT_EQ(sent(), "");
  pair->to_client(acknowledgement(101, not_ready(12)));  // the same, twice on the wire
  EXPECT_EQ(counters().rcvd_rnr_err, 1U);
  pair->pass(microseconds(639));
  EXPECT_EQ(sent(), "");
  EXPECT_EQ(pair->client_host.port.next_timer(), pair->now + microseconds(1));
  pair->pass(microseconds(1));
  EXPECT_EQ(sent(), "WRITE_ONLY 101");
  EXPECT_EQ(counters().completer_retry_err, 0U);
}

TEST_F(Recovery, NotReadyIsHeardWhileTheRateHolds) {
  Options options;
  options.mtu = IBV_MTU_4096;
  make(options);
  for (int i = 0; i < 4000; ++i) pair->to_client(Packet{.service = Service::congestion});
  write(1, 8 * 4096);
  pair->pass(milliseconds(4));
  EXPECT_FALSE(pair->client_host.sends().empty());
  pair->to_client(acknowledgement(100, not_ready(12)));
  EXPECT_EQ(counters().rcvd_rnr_err, 1U);
}

TEST_F(Recovery, NotReadyIsBorneAsOftenAsAgreed) {
  for (const unsigned retries : {0U, 2U}) {
    Options options;
    options.retries_when_not_ready = static_cast<std::uint8_t>(retries);
    make(options);
    write(1, 1);
    sent();
    for (unsigned i = 0; i < retries; ++i) {
      pair->to_client(acknowledgement(100, not_ready(1)));
      pair->pass(microseconds(10));
      EXPECT_EQ(sent(), "WRITE_ONLY 100");
    }
    pair->to_client(acknowledgement(100, not_ready(1)));
    EXPECT_EQ(completed(), "1 not ready exceeded");
    EXPECT_EQ(pair->client.qp->state, IBV_QPS_ERR);
  }
}

TEST_F(Recovery, SevenMeansForEver) {
  write(1, 1);
  sent();
  for (int i = 0; i < 1000; ++i) {
    pair->to_client(acknowledgement(100, not_ready(1)));
    pair->pass(microseconds(10));
    ASSERT_EQ(sent(), "WRITE_ONLY 100");
  }
}

TEST_F(Recovery, ProgressRenewsThePatienceWithReceivers) {
  Options options;
  options.retries_when_not_ready = 1;
  make(options);
  for (std::uint64_t id = 1; id < 4; ++id) write(id, 1);
  sent();
  for (Psn psn = 100; psn < 103; ++psn) {
    pair->to_client(acknowledgement(psn, not_ready(1)));
    pair->pass(microseconds(10));
    EXPECT_FALSE(sent().empty());
    pair->to_client(acknowledgement(psn));
  }
  EXPECT_EQ(completed(), "1 ok, 2 ok, 3 ok");
}

TEST_F(Recovery, ALongWaitForAReceiverIsNoMissingAnswer) {
  Options options;
  options.timeout = 1;  // 8 us
  options.retries = 0;
  make(options);
  write(1, 1);
  write(2, 1);
  sent();
  pair->to_client(acknowledgement(101, not_ready(0)));  // 655 ms
  pair->pass(milliseconds(600));
  pair->to_client(acknowledgement(101));
  EXPECT_EQ(completed(), "1 ok, 2 ok");
}

TEST_F(Recovery, FromStrangersNothingIsTaken) {
  write(1, 1);
  sent();
  Packet packet = acknowledgement(100);
  packet.queue_pair = pair->client.qp->qp_num;
  pair->client_host.receives(flying({}, packet, {}), ipv4(0x7f400009));
  EXPECT_EQ(completed(), "");
  EXPECT_EQ(counters().unexpected, 1U);
}

}  // namespace
}  // namespace railgauge::softroce
