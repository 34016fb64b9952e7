#include "softroce/device/port.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "softroce/verbs/calls.hpp"
#include "wire_pair.hpp"

namespace railgauge::softroce {
namespace {

TEST(Port, ANumberComesBackAsLateAsPossible) {
  Host host(ipv4(0x7f400001));
  std::set<std::uint32_t> numbers;
  for (int i = 0; i < 100; ++i) {
    const End end(host, Options{.memory_bytes = 64});
    EXPECT_TRUE(numbers.insert(end.qp->qp_num).second);
    EXPECT_EQ(host.port.find(end.qp->qp_num), &end.pair());
  }
  for (const std::uint32_t number : numbers) EXPECT_EQ(host.port.find(number), nullptr);
  EXPECT_EQ(host.port.find(0), nullptr);
  EXPECT_EQ(host.port.find(0xffffff), nullptr);
}

TEST(Port, WhatIsForNobodyIsCountedAndDropped) {
  WirePair pair;
  Packet packet{.operation = Operation::write_only, .queue_pair = 0xffffff, .psn = 100};
  pair.server_host.receives(flying({}, packet, {}), pair.client_host.port.address);
  EXPECT_EQ(pair.server_host.port.counters.unexpected, 1U);
  EXPECT_EQ(pair.server_host.port.counters.rcvd_pkts, 1U);
  EXPECT_EQ(summary(pair.server_host.sends()), "");
}

TEST(Port, QueuePairsTakeTurns) {
  Host client(ipv4(0x7f400001));
  Host server(ipv4(0x7f400002));
  const Options options{.mtu = IBV_MTU_256};
  End first(client, options), second(client, options), peer(server, options);
  first.connect(peer);
  second.connect(peer);
  for (End* end : {&first, &second}) {
    ibv_sge one = end->element(0, 50000);
    ibv_send_wr request{};
    request.sg_list = &one;
    request.num_sge = 1;
    request.opcode = IBV_WR_RDMA_WRITE;
    request.wr.rdma = {end->remote_address, end->remote_key};
    ASSERT_EQ(end->post(request), 0);
  }
  const Flight flight = client.sends();
  // Neither sends all of its 196 packets before the other has begun.
  std::size_t begun = 0;
  for (std::size_t i = 0; i < flight.size(); ++i) {
    if (flight[i].packet().operation == Operation::write_first) begun = i;
  }
  EXPECT_EQ(flight.size(), 392U);
  std::size_t bytes = 0;
  for (const Flying& flying : flight) bytes += flying.bytes.size() + kIcrcBytes;
  EXPECT_EQ(client.port.counters.sent_pkts, 392U);
  EXPECT_EQ(client.port.counters.sent_bytes, bytes);
  EXPECT_LT(begun, 196U);
}

TEST(Port, AtARateAShortMessageDoesNotStandBehindALongOne) {
  Host client(ipv4(0x7f400001));
  Host server(ipv4(0x7f400002));
  client.port.now = Time{std::chrono::seconds(1)};
  client.port.pacer.set_rate(1e6);  // 2.6 ms a packet
  const Options options{.mtu = IBV_MTU_256};
  End first(client, options), second(client, options), peer(server, options);
  first.connect(peer);
  second.connect(peer);
  const auto write = [&](End& end, std::uint32_t bytes) {
    ibv_sge one = end.element(0, bytes);
    ibv_send_wr request{};
    request.sg_list = &one;
    request.num_sge = 1;
    request.opcode = IBV_WR_RDMA_WRITE;
    request.wr.rdma = {end.remote_address, end.remote_key};
    ASSERT_EQ(end.post(request), 0);
  };
  write(first, 50000);
  Flight flight = client.sends();
  EXPECT_GT(flight.size(), 0U);
  EXPECT_LT(flight.size(), 40U);      // two full packets' worth of 196
  EXPECT_FALSE(client.port.wants());  // the thread is not asked to try again at once
  EXPECT_GT(client.port.next_timer(), client.port.now);
  write(second, 100);
  flight = client.sends();
  for (; flight.empty(); flight = client.sends()) {
    ASSERT_LT(client.port.next_timer(), Time::max());
    client.port.now = client.port.next_timer();
    client.port.run_timers();
  }
  for (int turns = 0; turns < 2; ++turns) {
    client.port.now = client.port.next_timer();
    client.port.run_timers();
    for (Flying& one : client.sends()) flight.push_back(std::move(one));
  }
  EXPECT_TRUE(std::ranges::any_of(
      flight, [](const Flying& one) { return one.packet().operation == Operation::write_only; }));
}

TEST(Port, TheLinkIsToldToEveryContext) {
  Host host(ipv4(0x7f400001));
  host.port.set_link(true);
  EXPECT_TRUE(host.events().empty());  // it was up
  host.port.set_link(false);
  EXPECT_EQ(host.events(), std::vector{IBV_EVENT_PORT_ERR});
  EXPECT_EQ(host.port.counters.link_downed, 1U);
  host.port.set_link(true);
  EXPECT_EQ(host.events(), (std::vector{IBV_EVENT_PORT_ACTIVE, IBV_EVENT_GID_CHANGE}));
}

TEST(Port, ADestroyedQueuePairHasNoTurn) {
  Host host(ipv4(0x7f400001));
  {
    const End end(host, Options{.memory_bytes = 64});
    host.port.want(end.pair());
  }
  EXPECT_FALSE(host.port.transmit());
  host.port.run_timers();
}

TEST(Port, CountersBeginAtZeroAgain) {
  Host host(ipv4(0x7f400001));
  host.port.counters.rcvd_pkts = 7;
  host.port.counters.rcvd_overflow = 2;
  host.port.reset_counters();
  EXPECT_EQ(host.port.counters.rcvd_pkts, 0U);
  EXPECT_EQ(host.port.counters.rcvd_overflow, 2U);
}

TEST(Port, CountersHaveTheNamesOfRxe) {
  Counters counters;
  counters.duplicate_request = 3;
  bool found = false;
  for (const auto& [name, value] : counters.named())
    found = found || (name == "duplicate_request" && value == 3);
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace railgauge::softroce
