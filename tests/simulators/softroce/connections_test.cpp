#include <cerrno>
#include <chrono>

#include "connection_pair.hpp"

namespace railgauge::softroce::cm {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

using Connections = ConnectionPair;

ibv_qp_attr attributes_for(Program& program, Id id, ibv_qp_state state, int& mask,
                           int expected = 0) {
  Identifier* identifier = nullptr;
  EXPECT_EQ(program.manager.find(program.channel, id, identifier), 0);
  ibv_qp_attr attributes{};
  attributes.qp_state = state;
  EXPECT_EQ(queue_pair_attributes(*identifier, attributes, mask), expected);
  return attributes;
}

TEST_F(Connections, ARequestSaysWhoAsksAndForWhat) {
  const Id listener = server.listen(kPort);
  rdma_ucm_conn_param param = offer(17, 56);
  param.srq = 1;
  param.flow_control = 1;
  const Id active = client.resolve(kPort);
  ASSERT_EQ(client.manager.connect(client.channel, active, param, {0x15b3, 7}), 0);
  wires.deliver();
  const auto event = server.expect(EventType::connect_request);
  EXPECT_EQ(event.uid, 1000U);  // the listener's
  EXPECT_NE(event.id, listener);
  EXPECT_EQ(event.status, 0U);
  const auto& conn = event.param.conn;
  EXPECT_EQ(conn.qp_num, 17U);
  EXPECT_EQ(conn.initiator_depth, 3);  // its answers are our reads
  EXPECT_EQ(conn.responder_resources, 5);
  EXPECT_EQ(conn.retry_count, 6);
  EXPECT_EQ(conn.rnr_retry_count, 7);
  EXPECT_EQ(conn.srq, 1);
  EXPECT_EQ(conn.flow_control, 1);
  EXPECT_EQ(conn.private_data_len, 56);
  EXPECT_EQ(conn.private_data[55], 56);
  EXPECT_EQ(event.ece.vendor_id, 0x15b3U);
  EXPECT_EQ(event.ece.attr_mod, 7U);
}

TEST_F(Connections, PrivateDataAreShownWithAllTheRoomThereIs) {
  server.listen(kPort);
  request(offer(17, 1));
  const auto event = server.expect(EventType::connect_request);
  EXPECT_EQ(event.param.conn.private_data_len, 56);
  EXPECT_EQ(event.param.conn.private_data[0], 1);
  EXPECT_EQ(event.param.conn.private_data[1], 0);
}

TEST_F(Connections, TooMuchPrivateDataIsEinval) {
  server.listen(kPort);
  const Id active = client.resolve(kPort);
  EXPECT_EQ(client.manager.connect(client.channel, active, offer(17, 57), {}), EINVAL);
  ASSERT_EQ(client.manager.connect(client.channel, active, offer(17, 56), {}), 0);
  wires.deliver();
  const Id passive = server.expect(EventType::connect_request).id;
  const rdma_ucm_conn_param much = offer(18, 197);
  EXPECT_EQ(server.manager.accept(server.channel, passive, 3000, &much, {}), EINVAL);
  const std::array<std::uint8_t, 149> words{};
  EXPECT_EQ(server.manager.reject(server.channel, passive, words, kConsumerDefined), EINVAL);
  const rdma_ucm_conn_param enough = offer(18, 196);
  EXPECT_EQ(server.manager.accept(server.channel, passive, 3000, &enough, {}), 0);
}

TEST_F(Connections, BothEndsAreToldThatItIsEstablished) {
  server.listen(kPort);
  const Id active = request(offer(17));
  const Id passive = server.expect(EventType::connect_request).id;
  ASSERT_EQ(accept(server, passive, 18), 0);
  EXPECT_TRUE(server.silent());
  wires.deliver();
  const auto response = client.expect(EventType::connect_response);
  EXPECT_EQ(response.uid, 2000U);
  EXPECT_EQ(response.param.conn.qp_num, 18U);
  EXPECT_EQ(response.param.conn.private_data_len, 196);
  ASSERT_EQ(client.manager.accept(client.channel, active, 0, nullptr, {}), 0);
  wires.deliver();
  EXPECT_EQ(server.expect(EventType::established).uid, 3000U);
  EXPECT_TRUE(client.silent());  // librdmacm makes its own event of the response
}

/// The receiver says where the sender is to begin, and a READ that one may post the other answers.
TEST_F(Connections, WhatTheQueuePairsGetFitsTogether) {
  const auto [active, passive] = establish();
  int mask = 0;
  const ibv_qp_attr from = attributes_for(client, active, IBV_QPS_RTS, mask);
  EXPECT_EQ(mask, IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
                      IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC);
  const ibv_qp_attr to = attributes_for(server, passive, IBV_QPS_RTR, mask);
  EXPECT_EQ(mask, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                      IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
  EXPECT_EQ(from.sq_psn, to.rq_psn);
  EXPECT_EQ(from.timeout, 17);
  EXPECT_EQ(from.retry_cnt, 6);
  EXPECT_EQ(from.rnr_retry, 7);
  EXPECT_EQ(from.max_rd_atomic, to.max_dest_rd_atomic);
  EXPECT_EQ(to.dest_qp_num, 17U);
  EXPECT_EQ(to.path_mtu, IBV_MTU_1024);  // the smaller of the two
  EXPECT_EQ(to.ah_attr.is_global, 1);
  EXPECT_EQ(to.ah_attr.grh.sgid_index, 3);
  EXPECT_EQ(to.ah_attr.grh.dgid.raw[15], 1);  // the client's device, not the address that was named
  const ibv_qp_attr back = attributes_for(server, passive, IBV_QPS_RTS, mask);
  const ibv_qp_attr there = attributes_for(client, active, IBV_QPS_RTR, mask);
  EXPECT_EQ(back.sq_psn, there.rq_psn);
  EXPECT_EQ(there.dest_qp_num, 18U);
  EXPECT_EQ(there.ah_attr.grh.dgid.raw[15], 2);
  EXPECT_EQ(there.path_mtu, IBV_MTU_1024);
  EXPECT_EQ(back.max_rd_atomic, there.max_dest_rd_atomic);
  EXPECT_NE(back.max_rd_atomic, from.max_rd_atomic);
}

TEST_F(Connections, TheServersQueuePairIsReadyBeforeItAccepts) {
  server.listen(kPort);
  const Id active = request(offer(17));
  const Id passive = server.expect(EventType::connect_request).id;
  int mask = 0;
  const auto before = attributes_for(server, passive, IBV_QPS_RTR, mask);
  ASSERT_EQ(accept(server, passive, 18), 0);
  wires.deliver();
  EXPECT_EQ(attributes_for(client, active, IBV_QPS_RTS, mask).sq_psn, before.rq_psn);
}

TEST_F(Connections, AQueuePairIsNotReadyBeforeThereIsAPeer) {
  server.listen(kPort);
  const Id active = request(offer(17));
  int mask = 0;
  attributes_for(client, active, IBV_QPS_RTR, mask, EINVAL);
  attributes_for(client, active, IBV_QPS_RTS, mask, EINVAL);
  const auto initial = attributes_for(client, active, IBV_QPS_INIT, mask);
  EXPECT_EQ(initial.qp_access_flags,
            unsigned{IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC});
}

TEST_F(Connections, WhereNobodyListensIsInvalidServiceId) {
  request(offer(17));
  EXPECT_EQ(client.expect(EventType::rejected).status, 8U);
  EXPECT_TRUE(client.silent());
}

TEST_F(Connections, ARefusalBringsPrivateDataAndEndsIt) {
  server.listen(kPort);
  const Id active = request(offer(17));
  const Id passive = server.expect(EventType::connect_request).id;
  const std::array<std::uint8_t, 3> words{7, 8, 9};
  ASSERT_EQ(server.manager.reject(server.channel, passive, words, kConsumerDefined), 0);
  wires.deliver();
  const auto event = client.expect(EventType::rejected);
  EXPECT_EQ(event.status, 28U);
  EXPECT_EQ(event.param.conn.private_data_len, 148);
  EXPECT_EQ(event.param.conn.private_data[2], 9);
  EXPECT_EQ(accept(server, passive, 18), EINVAL);
  EXPECT_EQ(client.manager.connect(client.channel, active, offer(17), {}), EINVAL);
}

TEST_F(Connections, ARequestThatIsDestroyedIsRefused) {
  server.listen(kPort);
  request(offer(17));
  const Id passive = server.expect(EventType::connect_request).id;
  std::uint32_t told = 0;
  ASSERT_EQ(server.manager.destroy(server.channel, passive, told), 0);
  EXPECT_EQ(told, 0U);  // the request is the listener's event
  wires.deliver();
  EXPECT_EQ(client.expect(EventType::rejected).status, 28U);
}

TEST_F(Connections, RequestsThatNobodyHasSeenEndWithTheirListener) {
  const Id listener = server.listen(kPort);
  request(offer(17));
  std::uint32_t told = 0;
  ASSERT_EQ(server.manager.destroy(server.channel, listener, told), 0);
  wires.deliver();
  EXPECT_EQ(client.expect(EventType::rejected).status, 28U);
  EXPECT_TRUE(server.silent());
}

TEST_F(Connections, WhoGivesUpIsMissingWhenTheServerAccepts) {
  server.listen(kPort);
  const Id active = request(offer(17));
  const Id passive = server.expect(EventType::connect_request).id;
  std::uint32_t told = 0;
  ASSERT_EQ(client.manager.destroy(client.channel, active, told), 0);
  wires.deliver();
  EXPECT_TRUE(server.silent());  // the program has no name for the identifier yet
  EXPECT_EQ(accept(server, passive, 18), EINVAL);
}

TEST_F(Connections, WhoDisconnectsIsToldWhenTheOtherHasToo) {
  const auto [active, passive] = establish();
  ASSERT_EQ(client.manager.disconnect(client.channel, active), 0);
  wires.deliver();
  EXPECT_TRUE(client.silent());
  server.expect(EventType::disconnected);
  ASSERT_EQ(server.manager.disconnect(server.channel, passive), 0);
  wires.deliver();
  EXPECT_EQ(client.expect(EventType::disconnected).status, 0U);
  EXPECT_TRUE(server.silent());
}

TEST_F(Connections, AfterTheEndItsNumbersRest) {
  const auto [active, passive] = establish();
  client.manager.disconnect(client.channel, active);
  wires.deliver();
  server.expect(EventType::disconnected);
  server.manager.disconnect(server.channel, passive);
  wires.deliver();
  client.expect(EventType::disconnected);
  pass(milliseconds(530));  // 4.096 us * 2^17 is 537 ms
  EXPECT_TRUE(client.silent());
  pass(milliseconds(10));
  client.expect(EventType::timewait_exit);
  server.expect(EventType::timewait_exit);
}

TEST_F(Connections, WhenBothDisconnectAtOnceBothAreToldOnce) {
  const auto [active, passive] = establish();
  client.manager.disconnect(client.channel, active);
  server.manager.disconnect(server.channel, passive);
  wires.deliver();
  client.expect(EventType::disconnected);
  server.expect(EventType::disconnected);
  client.manager.disconnect(client.channel, active);
  wires.deliver();
  EXPECT_TRUE(client.silent());
  EXPECT_TRUE(server.silent());
}

TEST_F(Connections, DestroyingOneEndDisconnectsTheOther) {
  const auto [active, passive] = establish();
  std::uint32_t told = 0;
  ASSERT_EQ(client.manager.destroy(client.channel, active, told), 0);
  EXPECT_EQ(told, 3U);  // two resolutions and the response
  wires.deliver();
  server.expect(EventType::disconnected);
  EXPECT_EQ(server.manager.disconnect(server.channel, passive), 0);
  EXPECT_TRUE(server.silent());
}

TEST_F(Connections, APeerThatDiesDisconnects) {
  establish();
  wires.cut();
  EXPECT_EQ(client.expect(EventType::disconnected).status, 0U);
  server.expect(EventType::disconnected);
}

TEST_F(Connections, AServerThatDiesBeforeItAnswersIsUnreachable) {
  server.listen(kPort);
  request(offer(17));
  wires.cut();
  EXPECT_EQ(static_cast<int>(client.expect(EventType::unreachable).status), -ETIMEDOUT);
}

TEST_F(Connections, AClientThatDiesBeforeItIsReadyIsUnreachable) {
  server.listen(kPort);
  request(offer(17));
  const Id passive = server.expect(EventType::connect_request).id;
  ASSERT_EQ(accept(server, passive, 18), 0);
  wires.deliver();
  wires.cut();
  EXPECT_EQ(static_cast<int>(server.expect(EventType::unreachable).status), -ETIMEDOUT);
}

/// It is up to the program to take the response, and only then is there something to end.
TEST_F(Connections, AServerThatDiesAfterItsReplyDisconnects) {
  server.listen(kPort);
  const Id active = request(offer(17));
  ASSERT_EQ(accept(server, server.expect(EventType::connect_request).id, 18), 0);
  wires.deliver();
  client.expect(EventType::connect_response);
  wires.cut();
  EXPECT_TRUE(client.silent());
  ASSERT_EQ(client.manager.accept(client.channel, active, 0, nullptr, {}), 0);
  client.expect(EventType::disconnected);
}

TEST_F(Connections, AServerThatNeverAnswersTimesOut) {
  server.listen(kPort);
  request(offer(17));
  pass(seconds(68));
  EXPECT_TRUE(client.silent());
  EXPECT_LE(client.manager.next_deadline(), client.manager.now + seconds(1));
  pass(seconds(1));
  EXPECT_EQ(static_cast<int>(client.expect(EventType::unreachable).status), -ETIMEDOUT);
  EXPECT_EQ(client.manager.next_deadline(), Time::max());
}

TEST_F(Connections, APeerThatNeverDisconnectsTimesOut) {
  const auto [active, passive] = establish();
  client.manager.disconnect(client.channel, active);
  pass(seconds(69));
  EXPECT_EQ(static_cast<int>(client.expect(EventType::disconnected).status), -ETIMEDOUT);
}

TEST_F(Connections, ThePeersDataMayComeBeforeItsReadiness) {
  server.listen(kPort);
  request(offer(17));
  const Id passive = server.expect(EventType::connect_request).id;
  EXPECT_EQ(server.manager.notify(server.channel, passive, IBV_EVENT_COMM_EST), EINVAL);
  ASSERT_EQ(accept(server, passive, 18), 0);
  EXPECT_EQ(server.manager.notify(server.channel, passive, IBV_EVENT_PATH_MIG), EINVAL);
  EXPECT_EQ(server.manager.notify(server.channel, passive, IBV_EVENT_COMM_EST), 0);
  server.expect(EventType::established);
  EXPECT_EQ(server.manager.notify(server.channel, passive, IBV_EVENT_COMM_EST), 0);
  EXPECT_TRUE(server.silent());
}

TEST_F(Connections, AFullBacklogHoldsRequestsBack) {
  server.listen(kPort, 2);
  for (std::uint32_t pair = 1; pair <= 3; ++pair) request(offer(pair));
  EXPECT_EQ(wires.kept.size(), 1U);
  EXPECT_EQ(server.expect(EventType::connect_request).param.conn.qp_num, 1U);
  EXPECT_EQ(server.expect(EventType::connect_request).param.conn.qp_num, 2U);
  EXPECT_EQ(server.expect(EventType::connect_request).param.conn.qp_num, 3U);
  EXPECT_TRUE(server.silent());
}

TEST_F(Connections, AStrangersFirstWordMustBeARequest) {
  const Id listener = server.listen(kPort);
  class Silent final : public Link {
   public:
    void send(const Message&) override { FAIL() << "nothing is answered"; }
    void belongs_to(Id) override { FAIL() << "it is nobody's"; }
  };
  for (const Kind kind : {Kind::reply, Kind::ready, Kind::disconnect, Kind::datagram_request}) {
    std::unique_ptr<Link> link = std::make_unique<Silent>();
    EXPECT_TRUE(server.manager.request(listener, link, {.kind = kind}));
  }
  EXPECT_TRUE(server.silent());
}

/// Whatever a peer says at whatever time: at most it harms itself.
TEST_F(Connections, MessagesAtTheWrongTimeAreIgnored) {
  const auto [active, passive] = establish();
  for (const Kind kind : {Kind::request, Kind::reply, Kind::ready, Kind::reject, Kind::disconnected,
                          Kind::datagram_request, Kind::datagram_reply}) {
    server.manager.received(passive, {.kind = kind});
    client.manager.received(active, {.kind = kind});
  }
  EXPECT_TRUE(server.silent());
  EXPECT_TRUE(client.silent());
  EXPECT_EQ(client.manager.disconnect(client.channel, active), 0);
  wires.deliver();
  server.expect(EventType::disconnected);
}

TEST_F(Connections, DatagramsAreToldWhereTheirPeerIs) {
  server.listen(kPort, 0, RDMA_PS_UDP);
  const Id active = client.resolve(kPort, RDMA_PS_UDP);
  EXPECT_EQ(client.manager.connect(client.channel, active, offer(17, 181), {}), EINVAL);
  ASSERT_EQ(client.manager.connect(client.channel, active, offer(17, 180), {}), 0);
  wires.deliver();
  const auto request = server.expect(EventType::connect_request);
  EXPECT_EQ(request.param.ud.private_data_len, 180);
  const rdma_ucm_conn_param param = offer(18, 136);
  ASSERT_EQ(server.manager.accept(server.channel, request.id, 3000, &param, {}), 0);
  wires.deliver();
  const auto event = client.expect(EventType::established);
  EXPECT_EQ(event.param.ud.qp_num, 18U);
  EXPECT_EQ(event.param.ud.qkey, 0x01234567U);
  EXPECT_EQ(event.param.ud.ah_attr.grh.dgid[15], 2);
  EXPECT_EQ(event.param.ud.ah_attr.is_global, 1);
  EXPECT_EQ(event.param.ud.private_data_len, 136);
  EXPECT_EQ(event.param.ud.private_data[135], 136);
  EXPECT_TRUE(server.silent());
}

TEST_F(Connections, DatagramsAreRefusedAsUnreachable) {
  server.listen(kPort, 0, RDMA_PS_UDP);
  const Id active = client.resolve(kPort, RDMA_PS_UDP);
  ASSERT_EQ(client.manager.connect(client.channel, active, offer(17), {}), 0);
  wires.deliver();
  const Id passive = server.expect(EventType::connect_request).id;
  ASSERT_EQ(server.manager.reject(server.channel, passive, {}, kConsumerDefined), 0);
  wires.deliver();
  EXPECT_EQ(client.expect(EventType::unreachable).status, 2U);
}

TEST_F(Connections, DatagramsToNobodyAreUnreachable) {
  const Id active = client.resolve(kPort, RDMA_PS_UDP);
  ASSERT_EQ(client.manager.connect(client.channel, active, offer(17), {}), 0);
  wires.deliver();
  EXPECT_EQ(client.expect(EventType::unreachable).status, 1U);
}

TEST_F(Connections, AQueuePairForDatagramsHasAKeyInEveryState) {
  const Id active = client.resolve(kPort, RDMA_PS_UDP);
  int mask = 0;
  EXPECT_EQ(attributes_for(client, active, IBV_QPS_INIT, mask).qkey, 0x01234567U);
  EXPECT_EQ(mask, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY);
}

TEST_F(Connections, EventsGoWithAnIdentifierToItsNewChannel) {
  const auto [active, passive] = establish();
  client.manager.disconnect(client.channel, active);
  wires.deliver();
  Channel other;
  std::uint32_t told = 0;
  EXPECT_EQ(server.manager.migrate(other, server.channel, passive, told), EINVAL);
  ASSERT_EQ(server.manager.migrate(server.channel, other, passive, told), 0);
  EXPECT_EQ(told, 1U);  // established
  EXPECT_TRUE(server.silent());
  rdma_ucm_event_resp event{};
  ASSERT_TRUE(server.manager.next_event(other, event));
  EXPECT_EQ(event.event, static_cast<std::uint32_t>(EventType::disconnected));
  EXPECT_EQ(server.manager.disconnect(server.channel, passive), EINVAL);  // not that channel's
  EXPECT_EQ(server.manager.disconnect(other, passive), 0);
}

TEST_F(Connections, ClosingAChannelEndsWhatItHas) {
  establish();
  server.manager.close(server.channel);
  wires.deliver();
  client.expect(EventType::disconnected);
  request(offer(17));  // the listener has ended too
  EXPECT_EQ(client.expect(EventType::rejected).status, 8U);
  EXPECT_EQ(wires.taken.size(), 2U);  // the client's
}

}  // namespace
}  // namespace railgauge::softroce::cm
