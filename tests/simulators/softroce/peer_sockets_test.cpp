// What the kernel says of other processes' sockets.

#include "softroce/engine/peer_sockets.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "softroce/engine/udp_socket.hpp"

namespace railgauge::softroce {
namespace {

/// Addresses that no device takes by itself, one for each process that tests at the same time.
Address address_of_test(std::uint32_t number) {
  return ipv4(0x7fc80000U + (static_cast<std::uint32_t>(getpid()) % 8192U) * 8U + number);
}

void send_to(const UdpSocket& from, const Address& to, std::size_t bytes) {
  sockaddr_storage name{};
  const socklen_t length = to_sockaddr(to, kRocePort, name);
  const std::vector<std::byte> data(bytes);
  ASSERT_EQ(sendto(from.descriptor(), data.data(), bytes, 0,
                   reinterpret_cast<const sockaddr*>(&name), length),
            static_cast<ssize_t>(bytes));
}

class PeerSocketsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!peers.backlog(address)) GTEST_SKIP() << "this kernel has no udp_diag";
  }
  const Address address = address_of_test(1);
  UdpSocket peer{address, kRocePort, false};
  UdpSocket sender{address_of_test(2), kRocePort, false};
  PeerSockets peers;
};

TEST_F(PeerSocketsTest, SayWhatWaitsUnread) {
  EXPECT_EQ(peers.backlog(address)->waiting_bytes, 0U);
  for (int i = 0; i < 3; ++i) send_to(sender, address, 1000);
  const auto waits = peers.backlog(address);
  ASSERT_TRUE(waits);
  EXPECT_GE(waits->waiting_bytes, 3000U);
  EXPECT_GT(waits->capacity_bytes, waits->waiting_bytes);

  std::array<std::byte, 4000> taken{};
  for (int i = 0; i < 3; ++i) recv(peer.descriptor(), taken.data(), taken.size(), MSG_DONTWAIT);
  EXPECT_LT(peers.backlog(address)->waiting_bytes, waits->waiting_bytes);
}

TEST_F(PeerSocketsTest, NothingIsKnownWhereNobodyIs) {
  EXPECT_FALSE(peers.backlog(address_of_test(3)));
  EXPECT_FALSE(peers.backlog(*parse_address("192.0.2.1")));
  EXPECT_FALSE(peers.backlog(*parse_address("2001:db8::1")));
  EXPECT_TRUE(peers.backlog(address));  // and the next question gets its own answer
}

TEST_F(PeerSocketsTest, OfIpv6Too) {
  try {
    const UdpSocket six(*parse_address("::1"), kRocePort, false);
    EXPECT_TRUE(peers.backlog(*parse_address("::1")));
  } catch (const std::system_error& error) {
    GTEST_SKIP() << error.what();
  }
}

/// Binds `port` as nobody, in a process of its own, and asks who has it meanwhile.
PortHolder holder_of_nobodys(PeerSockets& peers, const Address& address, std::uint16_t port) {
  std::array<int, 2> ready{}, asked{};
  if (pipe(ready.data()) != 0 || pipe(asked.data()) != 0) return PortHolder::unknown;
  const pid_t child = fork();
  if (child == 0) {
    const bool nobody = setresuid(65534, 65534, 65534) == 0;
    const UdpSocket theirs(address, port);
    char byte = nobody ? 'n' : 's';
    static_cast<void>(write(ready[1], &byte, 1));
    static_cast<void>(read(asked[0], &byte, 1));
    _exit(0);
  }
  char byte = 0;
  EXPECT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_EQ(byte, 'n');
  const PortHolder holder = peers.holder(address, port);
  EXPECT_EQ(write(asked[1], &byte, 1), 1);
  waitpid(child, nullptr, 0);
  for (const int end : {ready[0], ready[1], asked[0], asked[1]}) close(end);
  return holder;
}

TEST_F(PeerSocketsTest, SayWhoHasAPort) {
  const UdpSocket own(address, 0xc001);
  EXPECT_EQ(peers.holder(address, 0xc001), PortHolder::device);
  EXPECT_EQ(peers.holder(address, 0xc002), PortHolder::another_user) << "nobody has it";
  EXPECT_EQ(peers.holder(address_of_test(3), 0xc001), PortHolder::unknown) << "no device is there";
  EXPECT_EQ(peers.holder(*parse_address("192.0.2.1"), 0xc001), PortHolder::unknown);
}

TEST_F(PeerSocketsTest, ThatAnotherUserHasAPort) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  EXPECT_EQ(holder_of_nobodys(peers, address, 0xc003), PortHolder::another_user);
}

}  // namespace
}  // namespace railgauge::softroce
