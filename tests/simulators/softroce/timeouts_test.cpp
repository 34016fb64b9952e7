// What a requester does when no answer comes (InfiniBand volume 1, 9.7.6).

#include <gtest/gtest.h>

#include <cstring>

#include "recovering.hpp"
#include "softroce/device/requester.hpp"

namespace railgauge::softroce {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

/// How long it takes until a request fails whose peer has vanished, in steps of 10 us at least.
nanoseconds until_given_up(WirePair& pair, nanoseconds limit) {
  const Time begun = pair.now;
  pair.client_host.sends();
  while (pair.client.qp->state != IBV_QPS_ERR && pair.now - begun < limit) {
    pair.pass(std::max<nanoseconds>(pair.client_host.port.next_timer() - pair.now, nanoseconds(1)));
    pair.client_host.sends();
  }
  return pair.now - begun;
}

TEST_F(Recovery, AVanishedPeerIsGivenUpInThePromisedTime) {
  for (const unsigned timeout : {1U, 8U, 14U, 18U}) {
    for (const unsigned retries : {0U, 3U, 7U}) {
      Options options;
      options.timeout = static_cast<std::uint8_t>(timeout);
      options.retries = static_cast<std::uint8_t>(retries);
      make(options);
      write(1, 3000);
      read(2, 10);
      const nanoseconds promised = (retries + 1) * nanoseconds(std::int64_t{4096} << timeout);
      EXPECT_EQ(until_given_up(*pair, 2 * promised), promised) << timeout << " " << retries;
      EXPECT_EQ(completed(), "1 retry exceeded, 2 flushed");
      EXPECT_EQ(counters().retry_exceeded_err, 1U);
    }
  }
}

TEST_F(Recovery, TimeInWhichTheProcessDidNotRunIsNoWait) {
  write(1, 1);
  sent();
  for (int stop = 0; stop < 5; ++stop) {
    pair->pass(std::chrono::hours(1));  // one step: nothing ran in between
    EXPECT_EQ(sent(), "WRITE_ONLY 100");
  }
  pair->to_client(acknowledgement(100));
  EXPECT_EQ(completed(), "1 ok");
  EXPECT_EQ(counters().retry_exceeded_err, 0U);
}

TEST_F(Recovery, APeerThatDoesNotReadIsWaitedFor) {
  write(1, 1);
  pair->client_host.wire.peer = Backlog{1280, 425984};
  until_given_up(*pair, std::chrono::minutes(1));
  EXPECT_EQ(pair->client.qp->state, IBV_QPS_RTS);
  EXPECT_LT(counters().retransmitted_pkts, 2000U);  // in a minute
  pair->to_client(acknowledgement(100));
  EXPECT_EQ(completed(), "1 ok");
}

TEST_F(Recovery, APeerThatReadsAndDoesNotAnswerIsGivenUpInThePromisedTime) {
  write(1, 1);
  pair->client_host.wire.peer = Backlog{0, 425984};
  EXPECT_EQ(until_given_up(*pair, std::chrono::minutes(1)), 8 * nanoseconds(4096 << 14));
}

TEST_F(Recovery, APeerThatGoesOnReadingGetsHalfThePromisedTimeAgain) {
  write(1, 1);
  auto& seen = pair->client_host.wire.peer = Backlog{1280, 425984};
  until_given_up(*pair, std::chrono::seconds(10));
  ASSERT_EQ(pair->client.qp->state, IBV_QPS_RTS);
  seen->waiting_bytes = 0;
  const nanoseconds left = until_given_up(*pair, std::chrono::minutes(1));
  EXPECT_GE(left, 3 * nanoseconds(4096 << 14));
  EXPECT_LE(left, 5 * nanoseconds(4096 << 14));
}

TEST_F(Recovery, APeerThatReadsForOthersOnlyIsGivenUp) {
  write(1, 1);
  auto& seen = pair->client_host.wire.peer = Backlog{1, 425984};
  const Time begun = pair->now;
  pair->client_host.sends();
  while (pair->client.qp->state != IBV_QPS_ERR && pair->now - begun < std::chrono::minutes(1)) {
    seen->waiting_bytes = seen->waiting_bytes % 7 * 100 + 1;  // up and down
    pair->pass(milliseconds(10));
    pair->client_host.sends();
  }
  EXPECT_EQ(completed(), "1 retry exceeded");
}

TEST_F(Recovery, RefusalsOfTheOrderDoNotPutOffGivingUp) {
  Options options;
  options.timeout = 12;
  options.retries = 1;
  make(options);
  write(1, 1);
  write(2, 1);
  sent();
  const Time begun = pair->now;
  while (pair->client.qp->state != IBV_QPS_ERR && pair->now - begun < milliseconds(100)) {
    pair->pass(microseconds(100));
    pair->to_client(negative(100, Syndrome::sequence_error));  // it never gets what it misses
    sent();
  }
  EXPECT_LE(pair->now - begun, 2 * nanoseconds(4096 << 12) + microseconds(100));
  EXPECT_EQ(completed(), "1 retry exceeded, 2 flushed");
}

TEST_F(Recovery, APeerThatVanishesUnderPacingIsGivenUpToo) {
  Options options;
  options.mtu = IBV_MTU_4096;
  options.timeout = 12;
  make(options);
  for (int i = 0; i < 4000; ++i) pair->to_client(Packet{.service = Service::congestion});
  write(1, 16 * 4096);
  EXPECT_LT(until_given_up(*pair, std::chrono::seconds(10)), std::chrono::seconds(1));
  EXPECT_EQ(completed(), "1 retry exceeded");
}

TEST_F(Recovery, TimeOutZeroNeverGivesUpAndKeepsAsking) {
  Options options;
  options.timeout = 0;
  options.retries = 0;
  make(options);
  write(1, 1);
  until_given_up(*pair, std::chrono::minutes(10));
  EXPECT_EQ(pair->client.qp->state, IBV_QPS_RTS);
  EXPECT_GT(counters().completer_retry_err, 500U);
  pair->to_client(acknowledgement(100));
  EXPECT_EQ(completed(), "1 ok");
}

TEST_F(Recovery, WithNothingOutstandingNothingIsTimed) {
  write(1, 1);
  pair->settle();
  EXPECT_EQ(completed(), "1 ok");
  pair->pass(std::chrono::hours(1));
  EXPECT_EQ(sent(), "");
  EXPECT_EQ(pair->client_host.port.next_timer(), Time::max());
}

TEST_F(Recovery, LearnsTheRoundTripAndWaitsNoLongerThanThat) {
  for (std::uint64_t id = 0; id < 20; ++id) {
    write(id, 1);
    const Flight flight = pair->client_host.sends();
    pair->pass(microseconds(20));
    pair->to_server(flight);
    pair->to_client(pair->server_host.sends());
  }
  write(20, 1);
  sent();
  pair->pass(milliseconds(1));  // the least, and not the 67 ms that time-out 14 allows
  EXPECT_EQ(sent(), "WRITE_ONLY 120");
}

/// How many packets of a long message leave before the first answer.
std::size_t window_of(WirePair& pair) {
  pair.client.post(IBV_WR_RDMA_WRITE, 99, 0, 64 * 1024);
  return pair.client_host.sends().size();
}

TEST_F(Recovery, AnAnswerThatWasOnlyLateDoesNotCloseTheWindow) {
  write(1, 64 * 1024);
  const Flight first = pair->client_host.sends();
  for (int time_out = 0; time_out < 2; ++time_out) {
    pair->pass(milliseconds(30));
    EXPECT_EQ(pair->client_host.sends().size(), 4U);
  }
  pair->to_server(first);
  pair->to_client(pair->server_host.sends());
  EXPECT_EQ(completed(), "1 ok");
  EXPECT_EQ(window_of(*pair), first.size());
}

TEST_F(Recovery, AfterALossTheWindowStaysClosed) {
  write(1, 64 * 1024);
  pair->client_host.sends();  // lost
  pair->pass(milliseconds(30));
  pair->settle();
  EXPECT_EQ(completed(), "1 ok");
  EXPECT_LT(window_of(*pair), 64U);
}

}  // namespace
}  // namespace railgauge::softroce
