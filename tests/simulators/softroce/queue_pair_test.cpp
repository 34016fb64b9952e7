// The states of a queue pair and the events it raises (InfiniBand volume 1, 10.3 and 11.6.3).

#include "softroce/device/queue_pair.hpp"

#include <gtest/gtest.h>

#include "softroce/verbs/calls.hpp"
#include "wire_pair.hpp"

namespace railgauge::softroce {
namespace {

using Events = std::vector<ibv_event_type>;

Packet acknowledgement(Psn psn) {
  return {.operation = Operation::acknowledge, .psn = psn, .syndrome = 0x1f};
}

Options with_shared_receives() {
  Options options;
  options.shared_receives = true;
  return options;
}

TEST(QueuePair, TheFirstPacketBeforeReadyToSendIsAnEvent) {
  Options options;
  WirePair pair(options);
  pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 1);
  pair.server.pair().qp_base.state = IBV_QPS_RTR;
  pair.settle();
  EXPECT_EQ(pair.server_host.events(), Events{IBV_EVENT_COMM_EST});
  pair.client.post(IBV_WR_RDMA_WRITE, 2, 0, 1);
  pair.settle();
  EXPECT_EQ(pair.server_host.events(), Events{});
  EXPECT_EQ(summary(pair.client.sent()), "1 ok, 2 ok");  // it answers already
}

TEST(QueuePair, InReadyToSendItIsNot) {
  WirePair pair;
  pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 1);
  pair.settle();
  EXPECT_EQ(pair.server_host.events(), Events{});
}

TEST(QueuePair, WithSharedReceivesTheLastOneIsSaid) {
  WirePair pair(with_shared_receives());
  ASSERT_EQ(pair.server.post_receive(1, 0, 10), 0);
  pair.server.modify(IBV_QPS_ERR);
  EXPECT_EQ(pair.server_host.events(), Events{IBV_EVENT_QP_LAST_WQE_REACHED});
  EXPECT_EQ(summary(pair.server.received()), "");  // what is shared is not flushed
  pair.server.modify(IBV_QPS_ERR);
  EXPECT_EQ(pair.server_host.events(), Events{});
}

TEST(QueuePair, ABegunSharedReceiveIsFlushed) {
  WirePair pair(with_shared_receives());
  ASSERT_EQ(pair.server.post_receive(1, 0, 1000), 0);
  pair.to_server(Packet{.operation = Operation::send_first, .psn = 100},
                 std::vector<std::byte>(256));
  Packet wrong{.operation = Operation::send_middle, .psn = 101};
  pair.to_server(wrong, std::vector<std::byte>(1));
  EXPECT_EQ(summary(pair.server.received()), "1 flushed");
  EXPECT_EQ(pair.server_host.events(),
            (Events{IBV_EVENT_QP_REQ_ERR, IBV_EVENT_QP_LAST_WQE_REACHED}));
}

TEST(QueuePair, SharedReceivesRunningLowIsAnEvent) {
  WirePair pair(with_shared_receives());
  for (std::uint64_t id = 0; id < 3; ++id) pair.server.post_receive(id, 0, 10);
  ibv_srq_attr limit{};
  limit.srq_limit = 2;
  ASSERT_EQ(calls::modify_srq(pair.server.shared, &limit, IBV_SRQ_LIMIT), 0);
  pair.client.post(IBV_WR_SEND, 1, 0, 1);
  pair.settle();
  EXPECT_EQ(pair.server_host.events(), Events{});
  pair.client.post(IBV_WR_SEND, 2, 0, 1);
  pair.settle();
  EXPECT_EQ(pair.server_host.events(), Events{IBV_EVENT_SRQ_LIMIT_REACHED});
}

TEST(QueuePair, ACompletionQueueThatRunsOverIsAnEvent) {
  Options options;
  options.completions = 2;
  WirePair pair(options);
  for (std::uint64_t id = 0; id < 4; ++id) pair.client.post(IBV_WR_RDMA_WRITE, id, 0, 1);
  pair.settle();
  EXPECT_EQ(pair.client_host.events(), Events{IBV_EVENT_CQ_ERR});
}

void drain(WirePair& pair) {
  ibv_qp_attr attributes{};
  attributes.qp_state = IBV_QPS_SQD;
  attributes.en_sqd_async_notify = 1;
  ASSERT_EQ(
      calls::modify_qp(pair.client.qp, &attributes, IBV_QP_STATE | IBV_QP_EN_SQD_ASYNC_NOTIFY), 0);
}

TEST(QueuePair, DrainsWhatWasBegunAndNothingMore) {
  Options options;
  options.memory_bytes = 1 << 20;
  WirePair pair(options);
  pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 300 * 256);  // more than a window
  const Flight window = pair.client_host.sends();
  ASSERT_EQ(window.size(), 256U);
  drain(pair);
  pair.client.post(IBV_WR_RDMA_WRITE, 2, 0, 1);
  EXPECT_EQ(pair.client_host.events(), Events{});
  pair.to_client(
      acknowledgement(355));  // all that was sent so far is answered; of the message there is more
  EXPECT_EQ(pair.client_host.events(), Events{});
  ibv_qp_attr now{};
  ibv_qp_init_attr init{};
  calls::query_qp(pair.client.qp, &now, 0, &init);
  EXPECT_EQ(now.sq_draining, 1);
  EXPECT_EQ(pair.client_host.sends().size(), 44U);
  pair.to_client(acknowledgement(399));
  EXPECT_EQ(pair.client_host.events(), Events{IBV_EVENT_SQ_DRAINED});
  calls::query_qp(pair.client.qp, &now, 0, &init);
  EXPECT_EQ(now.sq_draining, 0);
  EXPECT_EQ(summary(pair.client.sent()), "1 ok");
  EXPECT_EQ(summary(pair.client_host.sends()), "");
  pair.client.modify(IBV_QPS_RTS);
  EXPECT_EQ(summary(pair.client_host.sends()), "WRITE_ONLY 400");
}

TEST(QueuePair, WithNothingBegunItIsDrainedAtOnce) {
  WirePair pair;
  drain(pair);
  EXPECT_EQ(pair.client_host.events(), Events{IBV_EVENT_SQ_DRAINED});
}

TEST(QueuePair, RepeatsWhatIsLostWhileItDrains) {
  WirePair pair;
  pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 1);
  pair.client_host.sends();
  drain(pair);
  pair.pass(std::chrono::milliseconds(9));
  EXPECT_EQ(summary(pair.client_host.sends()), "WRITE_ONLY 100");
}

TEST(QueuePair, ToErrorFlushesInOrderAndIsSilentAfterwards) {
  WirePair pair;
  for (std::uint64_t id = 1; id < 4; ++id) pair.client.post(IBV_WR_RDMA_WRITE, id, 0, 1, 0);
  pair.client.post_receive(7, 0, 1);
  const Flight flight = pair.client_host.sends();
  pair.client.modify(IBV_QPS_ERR);
  EXPECT_EQ(summary(pair.client.sent()), "1 flushed, 2 flushed, 3 flushed");
  EXPECT_EQ(summary(pair.client.received()), "7 flushed");
  EXPECT_EQ(pair.client_host.events(), Events{});
  pair.to_server(flight);
  pair.settle();
  pair.pass(std::chrono::seconds(10));
  EXPECT_EQ(summary(pair.client_host.sends()), "");
  pair.client.post_receive(8, 0, 1);
  EXPECT_EQ(summary(pair.client.received()), "8 flushed");
}

TEST(QueuePair, ResetForgetsEverything) {
  WirePair pair;
  pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 1);
  pair.settle();
  pair.client.post(IBV_WR_RDMA_WRITE, 2, 0, 1);
  pair.client.post_receive(7, 0, 1);
  pair.client_host.sends();
  pair.client.modify(IBV_QPS_RESET);
  EXPECT_EQ(summary(pair.client.sent()), "");
  EXPECT_EQ(summary(pair.client.received()), "");
  pair.to_client(acknowledgement(101));
  pair.pass(std::chrono::seconds(10));
  EXPECT_EQ(summary(pair.client_host.sends()), "");
  EXPECT_EQ(pair.client_host.port.next_timer(), Time::max());
  pair.client.connect(pair.server);  // and it begins anew
  pair.server.modify(IBV_QPS_RESET);
  pair.server.connect(pair.client);
  pair.client.post(IBV_WR_RDMA_READ, 3, 0, 600);
  pair.settle();
  EXPECT_EQ(summary(pair.client.sent()), "3 ok");
}

TEST(QueuePair, IsSlowedDownByItsPeerOnly) {
  WirePair pair;
  Packet notification{.service = Service::congestion, .backward_ecn = true};
  notification.queue_pair = pair.client.qp->qp_num;
  pair.client_host.receives(flying({}, notification, {}), ipv4(0x7f4000aa));
  EXPECT_FALSE(pair.client.pair().reaction.limited());
  pair.client_host.port.ignores_cnps = true;
  pair.client_host.receives(flying({}, notification, {}), pair.server_host.port.address);
  EXPECT_FALSE(pair.client.pair().reaction.limited());
  EXPECT_EQ(pair.client_host.port.counters.rp_cnp_ignored, 1U);
  EXPECT_EQ(pair.client_host.port.counters.rp_cnp_handled, 0U);
  pair.client_host.port.ignores_cnps = false;
  pair.client_host.receives(flying({}, notification, {}), pair.server_host.port.address);
  EXPECT_TRUE(pair.client.pair().reaction.limited());
  EXPECT_EQ(pair.client_host.port.counters.rp_cnp_handled, 1U);
}

TEST(QueuePair, MarkedPacketsAreAnsweredByCongestionNotifications) {
  WirePair pair;
  for (std::uint64_t id = 1; id < 3; ++id) pair.client.post(IBV_WR_RDMA_WRITE, id, 0, 1, 0);
  for (const Flying& packet : pair.client_host.sends()) {
    pair.server_host.receives(packet, pair.client_host.port.address, 3);
  }
  EXPECT_EQ(summary(pair.server_host.sends()), "CNP, ACK 101");  // one for many
  EXPECT_EQ(pair.server_host.port.counters.np_cnp_sent, 1U);
  EXPECT_EQ(pair.server_host.port.counters.np_ecn_marked_roce_packets, 2U);
}

TEST(QueuePair, TrafficClassIsMadeAbleToBeMarked) {
  WirePair pair;
  pair.client.post(IBV_WR_RDMA_WRITE, 1, 0, 1);
  EXPECT_EQ(pair.client_host.sends()[0].path.traffic_class & 3, 2);
}

TEST(QueuePair, DestroyedWithEverythingInFlight) {
  for (const ibv_wr_opcode opcode : {IBV_WR_RDMA_READ, IBV_WR_SEND}) {
    WirePair pair;
    pair.client.post(opcode, 1, 0, 1000);
    pair.server.post(opcode, 1, 0, 1000);
    pair.server.post_receive(1, 0, 1000);
    pair.to_server(pair.client_host.sends());
  }
}

}  // namespace
}  // namespace railgauge::softroce
