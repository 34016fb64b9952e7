#include "softroce/engine/batches.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <system_error>

#include "softroce/device/memory_guard.hpp"
#include "softroce/engine/udp_socket.hpp"

namespace railgauge::softroce {
namespace {

constexpr std::uint16_t kAnyPort = 0;

/// Of 127.110.0.0/16: tests that run at the same time have sockets of their own.
std::uint32_t own_host() {
  return 2 + static_cast<std::uint32_t>(getpid()) % 0xfff0;
}

TEST(SendBatch, TakesNothingWhosePayloadIsNotThere) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the thread sanitizer takes the signals itself";
#endif
  guard_memory();
  constexpr std::size_t kPage = 4096;
  void* const pages =
      mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  auto* const bytes = static_cast<std::byte*>(pages);
  ASSERT_EQ(mprotect(bytes + kPage, kPage, PROT_NONE), 0);
  SendBatch batch(ipv4(0x7f400001));
  const Path path{.destination = ipv4(0x7f400002)};
  const Packet packet{.operation = Operation::send_only};
  for (const std::size_t length : {std::size_t{100}, std::size_t{2000}}) {
    const iovec half{bytes + kPage - length / 2, length};
    EXPECT_EQ(batch.add(-1, path, packet, {&half, 1}), 0U) << length;
    EXPECT_TRUE(batch.empty());
    const iovec whole{bytes, length};
    EXPECT_GT(batch.add(-1, path, packet, {&whole, 1}), length);
    EXPECT_EQ(batch.add(-1, path, packet, {&half, 1}), 0U) << length;
    EXPECT_EQ(batch.send(), 1U);  // there is no such socket: one packet was refused
  }
  munmap(pages, 2 * kPage);
}

/// From socket to socket, with the largest and the smallest; segments of one datagram have one.
void hop_limit_arrives(const Address& source, const Address& destination) {
  const UdpSocket from(source, kAnyPort);
  const UdpSocket to(destination, kRocePort);
  const Packet packet{.operation = Operation::send_only};
  ReceiveBatch arrivals;
  for (const std::uint8_t hop_limit : {std::uint8_t{2}, kDefaultHopLimit, std::uint8_t{255}}) {
    SendBatch batch(source);
    const Path path{.destination = destination, .traffic_class = 0x6a, .hop_limit = hop_limit};
    EXPECT_GT(batch.add(from.descriptor(), path, packet, {}), 0U);
    EXPECT_GT(batch.add(from.descriptor(), path, packet, {}), 0U);
    EXPECT_EQ(batch.send(), 0U);
    pollfd readable{.fd = to.descriptor(), .events = POLLIN, .revents = 0};
    ASSERT_EQ(poll(&readable, 1, 10'000), 1);
    ASSERT_GE(arrivals.receive(to.descriptor()), 1U);
    EXPECT_EQ(arrivals[0].variant.hop_limit, hop_limit);
    EXPECT_EQ(arrivals[0].variant.traffic_class, 0x6a);
    while (arrivals.receive(to.descriptor()) > 0) {
    }
  }
}

TEST(SendBatch, SendsWithThePathsHopLimit) {
  hop_limit_arrives(ipv4(0x7f6e0001), ipv4(0x7f6e0000 + own_host()));
}

TEST(SendBatch, SendsWithThePathsHopLimitOverIpv6) {
  const Address loopback = *parse_address("::1");
  try {
    hop_limit_arrives(loopback, loopback);
  } catch (const std::system_error& error) {
    GTEST_SKIP() << "no IPv6 loopback, or its port is taken: " << error.what();
  }
}

}  // namespace
}  // namespace railgauge::softroce
