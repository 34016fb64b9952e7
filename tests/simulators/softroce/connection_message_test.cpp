#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "softroce/cm/message.hpp"

namespace railgauge::softroce::cm {
namespace {

Message full() {
  Message message;
  message.kind = Kind::reply;
  message.status = 0x1234;
  message.port_space = 0x106;
  message.queue_pair = 0xfedcba;
  message.psn = 0xabcdef;
  message.qkey = 0x01234567;
  message.device = *parse_address("127.64.0.9");
  message.source = *parse_address("fd00::2");
  message.target = *parse_address("192.0.2.1");
  message.source_port = 40001;
  message.target_port = 7471;
  message.mtu = 5;
  message.responder_resources = 16;
  message.initiator_depth = 12;
  message.flow_control = 1;
  message.retry_count = 7;
  message.rnr_retry_count = 6;
  message.srq = 1;
  message.traffic_class = 0x60;
  message.ece_vendor = 0x15b3;
  message.ece_options = 3;
  message.private_data.front() = 1;
  message.private_data.back() = 2;
  return message;
}

TEST(ConnectionMessage, ArrivesAsItWasSent) {
  const Message sent = full();
  const auto came = decode(encode(sent));
  ASSERT_TRUE(came);
  EXPECT_EQ(encode(*came), encode(sent));
  EXPECT_EQ(came->kind, sent.kind);
  EXPECT_EQ(came->status, sent.status);
  EXPECT_EQ(came->queue_pair, sent.queue_pair);
  EXPECT_EQ(came->psn, sent.psn);
  EXPECT_EQ(came->device, sent.device);
  EXPECT_EQ(came->target_port, sent.target_port);
  EXPECT_EQ(came->traffic_class, sent.traffic_class);
  EXPECT_EQ(came->private_data, sent.private_data);
}

/// The layout is what two versions of the library have to agree on.
TEST(ConnectionMessage, IsInNetworkOrder) {
  const MessageBytes bytes = encode(full());
  EXPECT_EQ(std::memcmp(bytes.data(), "softrcm1", 8), 0);
  EXPECT_EQ(bytes[8], std::byte{2});
  EXPECT_EQ(bytes[10], std::byte{0x12});
  EXPECT_EQ(bytes[11], std::byte{0x34});
  EXPECT_EQ(bytes[18], std::byte{0x00});
  EXPECT_EQ(bytes[19], std::byte{0xfe});
}

void expect_refused(const Message& message) {
  EXPECT_FALSE(decode(encode(message)));
}

TEST(ConnectionMessage, WhatNoDeviceCanHaveSentIsRefused) {
  Message message = full();
  message.queue_pair = 0x1000000;
  expect_refused(message);
  message = full();
  message.psn = 0x1000000;
  expect_refused(message);
  message = full();
  message.retry_count = 8;
  expect_refused(message);
  message = full();
  message.rnr_retry_count = 8;
  expect_refused(message);
  message = full();
  message.mtu = 0;
  expect_refused(message);
  message.mtu = 6;
  expect_refused(message);
  message = full();
  message.device = {};
  expect_refused(message);
  message = full();
  message.kind = static_cast<Kind>(0);
  expect_refused(message);
  message.kind = static_cast<Kind>(9);
  expect_refused(message);
}

TEST(ConnectionMessage, AnEndBringsNoQueuePair) {
  const Message message{.kind = Kind::disconnect};
  EXPECT_TRUE(decode(encode(message)));
}

TEST(ConnectionMessage, AnotherVersionIsRefused) {
  MessageBytes bytes = encode(full());
  bytes[7] = std::byte{'2'};
  EXPECT_FALSE(decode(bytes));
}

TEST(ConnectionMessage, GarbageIsRefused) {
  std::minstd_rand random(1);
  MessageBytes bytes{};
  for (int i = 0; i < 10000; ++i) {
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    EXPECT_FALSE(decode(bytes));
  }
}

/// Volume 1, 12.6 and 12.11, less the header of annex A11.
TEST(ConnectionMessage, RoomForPrivateDataIsTheSpecifications) {
  EXPECT_EQ(private_bytes(Kind::request), 56U);
  EXPECT_EQ(private_bytes(Kind::reply), 196U);
  EXPECT_EQ(private_bytes(Kind::reject), 148U);
  EXPECT_EQ(private_bytes(Kind::datagram_request), 180U);
  EXPECT_EQ(private_bytes(Kind::datagram_reply), 136U);
  EXPECT_EQ(private_bytes(Kind::disconnect), 0U);
}

TEST(ConnectionMessage, AnyAddressIsToldByItsFamily) {
  EXPECT_TRUE((Endpoint{.family = AF_INET, .address = ipv4(0)}.any()));
  EXPECT_FALSE((Endpoint{.family = AF_INET, .address = ipv4(1)}.any()));
  EXPECT_TRUE(Endpoint{.family = AF_INET6}.any());
  EXPECT_FALSE((Endpoint{.family = AF_INET6, .address = ipv4(0)}.any()));
}

}  // namespace
}  // namespace railgauge::softroce::cm
