#include <gtest/gtest.h>

#include "fabric/addresses.hpp"
#include "softfabric/icmp.hpp"
#include "softfabric/netdevs.hpp"
#include "softfabric/rig.hpp"

namespace railgauge::softfabric {
namespace {

TEST(Forwarding, APacketTakesItsTimeOnBothLinks) {
  Rig rig(shaped({}));
  rig.send(0, 1);
  const Time due = 2 * (kOnLine + 1us);
  rig.run(due - 1ns);
  EXPECT_TRUE(rig.hosts.packets.empty());
  rig.run(1ns);
  ASSERT_EQ(rig.hosts.at(1).size(), 1U);
}

TEST(Forwarding, TheHostGetsItWithItsMacAndOneHopLess) {
  Rig rig(shaped({}));
  rig.send(0, 1, {.ttl = 9});
  rig.run_out();
  const Frame frame = rig.hosts.at(1).at(0);
  const auto to = mac_of(mac_address(1, End::a));
  const auto from = mac_of(mac_address(1, End::b));
  EXPECT_TRUE(std::equal(to.begin(), to.end(), frame.begin()));
  EXPECT_TRUE(std::equal(from.begin(), from.end(), frame.begin() + 6));
  EXPECT_EQ(parse(frame)->ttl, 8);
  EXPECT_TRUE(ip_checksum_is_right(frame));
  EXPECT_TRUE(icrc_is_right(frame));
  EXPECT_TRUE(udp_checksum_is_right(frame));
}

TEST(Forwarding, LinesTakeOnePacketAfterTheOther) {
  Rig rig(shaped({}));
  for (std::uint32_t number = 0; number < 10; ++number) rig.send(0, 1, {.number = number});
  rig.run(11 * kOnLine + 2us);
  ASSERT_EQ(rig.hosts.packets.size(), 10U);
  for (std::uint32_t number = 0; number < 10; ++number) {
    EXPECT_EQ(number_in(rig.hosts.at(1)[number]), number);
  }
}

TEST(Forwarding, HigherPrioritiesAreServedFirst) {
  Rig rig(shaped({}));
  for (int i = 0; i < 3; ++i) rig.send(0, 1);
  rig.send(0, 1, {.dscp = kLosslessDscp});
  rig.run_out();
  EXPECT_EQ(parse(rig.hosts.at(1).at(1))->dscp, kLosslessDscp) << "behind what was on the line";
}

TEST(Forwarding, WhatCannotGoOnIsCountedByReason) {
  Rig rig(shaped({}));
  rig.send(0, frame_of({.source = rig.address(0), .destination = 0x01020304}));
  rig.send(0, Frame(60));
  rig.send(0, 1, {.payload_bytes = 4300});
  rig.run_out();
  EXPECT_EQ(rig.drops(Drop::no_route), 1U);
  EXPECT_EQ(rig.drops(Drop::malformed), 1U);
  EXPECT_EQ(rig.drops(Drop::too_large), 1U);
  EXPECT_TRUE(rig.hosts.packets.empty());
}

TEST(Forwarding, ASmallerLinkOnTheWayTakesNoLargePackets) {
  Fabric fabric = shaped({});
  fabric.links[1].mtu_bytes = 800;
  Rig rig(fabric);
  rig.send(0, 1);
  rig.send(0, 1, {.payload_bytes = 700});
  rig.run_out();
  EXPECT_EQ(rig.drops(Drop::too_large), 1U);
  EXPECT_EQ(rig.hosts.at(1).size(), 1U);
}

TEST(Forwarding, WithoutMemoryItSaysSo) {
  Rig rig(shaped({}), {.packets = 4});
  for (int i = 0; i < 6; ++i) rig.send(0, 1);
  rig.run_out();
  EXPECT_EQ(rig.drops(Drop::no_memory), 2U);
  EXPECT_EQ(rig.hosts.at(1).size(), 4U);
}

struct Expired {
  Headers headers;
  std::uint32_t quoted_port;
};

/// Checks an ICMP message as a host does, and reads what a path tracer does.
Expired expired(const Frame& frame) {
  const Headers headers = parse(frame).value();
  EXPECT_TRUE(ip_checksum_is_right(frame));
  EXPECT_EQ(headers.protocol, kIcmp);
  const auto icmp = std::span(frame).subspan(kEthernetBytes + kIpv4Bytes);
  EXPECT_EQ(icmp[0], std::byte{11});
  EXPECT_EQ(icmp[1], std::byte{0});
  EXPECT_EQ(internet_checksum(icmp), 0);
  return {headers, read_16(&icmp[8 + kIpv4Bytes])};
}

TEST(Forwarding, EverySwitchOnTheWayAnswersAnExpiredTtl) {
  Rig rig(shaped({.hosts_per_leaf = 1, .leaves = 2, .spines = 1}));
  const std::vector<const char*> names{"leaf0", "spine0", "leaf1"};
  for (std::uint8_t ttl = 1; ttl <= 3; ++ttl) {
    rig.send(0, 1, {.source_port = static_cast<std::uint16_t>(50000 + ttl), .ttl = ttl});
  }
  rig.run_out();
  ASSERT_EQ(rig.hosts.at(0).size(), 3U);
  for (const Frame& frame : rig.hosts.at(0)) {
    const Expired answer = expired(frame);
    const std::size_t hop = answer.quoted_port - 50001;
    EXPECT_EQ(
        answer.headers.source,
        fabric::described::ipv4_of(rig.model.fabric().switches[hop == 1 ? 2 : hop / 2].address));
    EXPECT_LE(answer.headers.ip_bytes, 576);
  }
  EXPECT_EQ(rig.drops(Drop::ttl_expired), 3U);
  EXPECT_EQ(rig.model.totals().made, 3U);
  rig.send(0, 1, {.ttl = 4});
  rig.run_out();
  EXPECT_EQ(rig.hosts.at(1).size(), 1U);
}

TEST(Forwarding, AnswersMayBeLimited) {
  Fabric fabric = shaped({});
  fabric.switching.icmp_per_second = 10;
  Rig rig(fabric);
  for (int i = 0; i < 20; ++i) {
    rig.send(0, 1, {.ttl = 1});
    rig.run(50ms);
  }
  EXPECT_EQ(rig.hosts.at(0).size(), 10U);
  EXPECT_EQ(rig.drops(Drop::ttl_expired), 20U);
}

TEST(Forwarding, SmallPacketsAreQuotedWhole) {
  const Frame frame = frame_of({.payload_bytes = 8});
  Frame room(600);
  const std::size_t bytes = write_time_exceeded(frame, 0x0aff0101, room);
  EXPECT_EQ(bytes, frame.size() + kIpv4Bytes + 8);
  EXPECT_TRUE(std::equal(frame.begin() + kEthernetBytes, frame.end(),
                         room.begin() + kEthernetBytes + kIpv4Bytes + 8));
}

TEST(Forwarding, SaysHowLateItIs) {
  Rig rig(shaped({}), {.packets = 16, .late_after = 1ms});
  rig.send(0, 1);
  rig.now += 5ms;
  rig.model.advance(rig.now);
  EXPECT_EQ(rig.model.lateness().late_packets, 1U);
  EXPECT_EQ(rig.model.lateness().most, 5ms - 2 * (kOnLine + 1us));
  EXPECT_FALSE(kept_up(rig.model.lateness(), rig.model.totals()));
}

TEST(Forwarding, InTimeIsNotLate) {
  Rig rig(shaped({}), {.packets = 16, .late_after = 1ms});
  rig.send(0, 1);
  rig.run_out();
  EXPECT_EQ(rig.model.lateness().late_packets, 0U);
  EXPECT_TRUE(kept_up(rig.model.lateness(), rig.model.totals()));
  rig.model.count_unread(1);
  EXPECT_FALSE(kept_up(rig.model.lateness(), rig.model.totals()));
}

}  // namespace
}  // namespace railgauge::softfabric
