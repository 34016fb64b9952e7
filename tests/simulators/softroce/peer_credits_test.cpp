#include "softroce/engine/peer_credits.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <vector>

#include "softroce/engine/udp_socket.hpp"

namespace railgauge::softroce {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kPacket = 4096;

/// Sends to a peer on this host for as long as there is room.
class PeerCreditsTest : public ::testing::Test {
 protected:
  static Address own_address(std::uint32_t number) {
    return ipv4(0x7fd00000U + (static_cast<std::uint32_t>(getpid()) % 8192U) * 8U + number);
  }
  void SetUp() override {
    if (!sockets.backlog(address)) GTEST_SKIP() << "this kernel has no udp_diag";
  }
  bool room() {
    if (take.take(address, kPacket)) return true;
    take.look(address, now);
    return take.take(address, kPacket);
  }
  void send() {
    sockaddr_storage name{};
    const socklen_t length = to_sockaddr(address, kRocePort, name);
    const std::vector<std::byte> data(kPacket);
    sendto(sender.descriptor(), data.data(), data.size(), 0,
           reinterpret_cast<const sockaddr*>(&name), length);
  }
  std::size_t send_what_fits() {
    std::size_t sent = 0;
    while (sent < kMore && room()) {
      send();
      ++sent;
    }
    return sent;
  }
  std::size_t read_all() {
    std::vector<std::byte> data(kPacket);
    std::size_t count = 0;
    while (recv(peer.descriptor(), data.data(), data.size(), MSG_DONTWAIT) > 0) ++count;
    return count;
  }

  static constexpr std::size_t kMore = 100000;  // than any socket holds
  const Address address = own_address(1);
  UdpSocket peer{address, kRocePort, false};
  UdpSocket sender{own_address(2), kRocePort, false};
  PeerSockets sockets;
  PeerCredits take{sockets};
  Time now{std::chrono::hours(1)};
};

TEST_F(PeerCreditsTest, NothingIsLost) {
  for (int round = 0; round < 3; ++round) {
    const std::size_t sent = send_what_fits();
    EXPECT_GT(sent, 10U);
    EXPECT_LT(sent, kMore);
    EXPECT_EQ(read_all(), sent);
  }
}

TEST_F(PeerCreditsTest, APeerThatReadsNothingForASecondIsNotWaitedFor) {
  send_what_fits();
  int looks = 0;
  while (!room() && looks < 5000) {
    now += milliseconds(1);
    ++looks;
  }
  EXPECT_GE(looks, 990);
  EXPECT_LE(looks, 1010);
}

TEST_F(PeerCreditsTest, TimeInWhichNobodyLookedDoesNotCount) {
  send_what_fits();
  EXPECT_FALSE(room());
  now += std::chrono::hours(1);
  EXPECT_FALSE(room());
}

TEST_F(PeerCreditsTest, WhatIsElsewhereHasRoom) {
  const Address elsewhere = *parse_address("192.0.2.1");
  for (int i = 0; i < 10000; ++i) {
    if (take.take(elsewhere, kPacket)) continue;
    take.look(elsewhere, now);
    ASSERT_TRUE(take.take(elsewhere, kPacket));
  }
}

}  // namespace
}  // namespace railgauge::softroce
