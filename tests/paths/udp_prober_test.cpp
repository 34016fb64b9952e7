// Over loopback, where nobody is on the way and the peer says that nobody listens. Switches are
// asked in fabric.paths_test.

#include "paths/udp_prober.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace railgauge::paths {
namespace {

topology::IpAddress loopback(int number) {
  return topology::ipv4_address({127, 0, 0, static_cast<std::uint8_t>(number)});
}

ProberSettings between(const topology::IpAddress& from, const topology::IpAddress& to) {
  ProberSettings settings;
  settings.from = from;
  settings.to = to;
  settings.probes_per_second = 10000;
  settings.patience = std::chrono::seconds(10);  // it does not wait longer than for the answers
  return settings;
}

TEST(UdpProber, HearsWhereNobodyListens) {
  UdpProber prober(between(loopback(2), loopback(3)));
  std::vector<Probe> probes;
  for (const std::uint16_t port : std::vector<std::uint16_t>{61001, 61002, 61003}) {
    ASSERT_TRUE(prober.can_use(port)) << port;
    probes.push_back({port, 1, std::nullopt});
  }
  for (int again = 0; again < 3; ++again) {
    for (const auto& answer : prober.ask(probes)) {
      ASSERT_TRUE(answer.has_value());
      EXPECT_EQ(answer->kind, Answer::Kind::arrived);
      EXPECT_EQ(answer->from, loopback(3));
    }
  }
}

/// A socket of 127.0.0.`number` that listens and does not answer.
int silent_listener(std::uint32_t number, std::uint16_t port) {
  const int listener = ::socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in own{};
  own.sin_family = AF_INET;
  own.sin_addr.s_addr = htonl(0x7f000000 + number);
  own.sin_port = htons(port);
  EXPECT_EQ(::bind(listener, reinterpret_cast<const sockaddr*>(&own), sizeof own), 0);
  return listener;
}

TEST(UdpProber, EndsWithoutAnAnswer) {
  const int listener = silent_listener(5, 33434);
  ProberSettings settings = between(loopback(4), loopback(5));
  settings.patience = std::chrono::milliseconds(1);
  UdpProber prober(settings);
  ASSERT_TRUE(prober.can_use(61004));
  EXPECT_FALSE(prober.ask(std::vector<Probe>{{61004, 1, std::nullopt}})[0].has_value());
  ::close(listener);
}

/// It would be ten minutes.
TEST(UdpProber, DoesNotWaitLongForOneWhereOthersHaveAnswered) {
  const int listener = silent_listener(8, 4791);
  ProberSettings settings = between(loopback(4), loopback(8));
  settings.patience = std::chrono::minutes(10);
  UdpProber prober(settings);
  ASSERT_TRUE(prober.can_use(61007) && prober.can_use(61008));
  const auto answers = prober.ask(std::vector<Probe>{{61007, 1, std::nullopt}, {61008, 1, 0x11}});
  EXPECT_TRUE(answers[0].has_value());
  EXPECT_FALSE(answers[1].has_value());
  ::close(listener);
}

TEST(UdpProber, SaysWhichPortsOthersHave) {
  UdpProber one(between(loopback(6), loopback(7)));
  UdpProber other(between(loopback(6), loopback(7)));
  EXPECT_TRUE(one.can_use(61005));
  EXPECT_TRUE(one.can_use(61005)) << "its own";
  EXPECT_FALSE(other.can_use(61005));
}

TEST(UdpProber, NeedsAnAddressOfThisHost) {
  try {
    const UdpProber prober(between(*topology::parse_ip_address("192.0.2.1"), loopback(3)));
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("192.0.2.1 is no address of this host"),
              std::string::npos);
  }
}

/// Who has not asked for it may not send to a broadcast address: as if a firewall forbade it.
TEST(UdpProber, SaysWhatForbidsProbes) {
  UdpProber prober(between(loopback(2), topology::ipv4_address({127, 255, 255, 255})));
  ASSERT_TRUE(prober.can_use(61006));
  try {
    (void)prober.ask(std::vector<Probe>{{61006, 1, std::nullopt}});
    FAIL();
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code().value(), EACCES);
    EXPECT_NE(std::string(error.what()).find("forbids it: allow UDP to ports 4791 and 33434"),
              std::string::npos);
  }
}

TEST(UdpProber, IsForIpv4) {
  EXPECT_THROW(const UdpProber prober(between(*topology::parse_ip_address("::1"), loopback(3))),
               std::invalid_argument);
}

TEST(AddressTowards, IsTheKernelsChoice) {
  EXPECT_EQ(address_towards(loopback(9)), loopback(1));
  EXPECT_THROW(static_cast<void>(address_towards(*topology::parse_ip_address("::1"))),
               std::invalid_argument);
}

}  // namespace
}  // namespace railgauge::paths
