#include "topology/rail_check.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace railgauge::topology {
namespace {

using Sentences = std::vector<std::string>;

Nic nic(const std::string& device, const std::string& address, int prefix_length = 24) {
  return {.device = device, .address = address, .prefix_length = prefix_length};
}

/// Host `number` of a right fabric of two rails: 10.10.0.0/24 and 10.11.0.0/24.
Host host(int number) {
  const std::string last = std::to_string(number + 1);
  return {.name = "host" + std::to_string(number),
          .rails = {nic("rxe0", "10.10.0." + last), nic("rxe1", "10.11.0." + last)}};
}

TEST(RailCheck, FindsNothingInARightFabric) {
  EXPECT_EQ(check_rails({}), Sentences{});
  EXPECT_EQ(check_rails({host(0)}), Sentences{});
  EXPECT_EQ(check_rails({host(0), host(1)}), Sentences{});
  EXPECT_EQ(check_rails({host(0), host(1), host(2)}), Sentences{});
}

TEST(RailCheck, NamesTheHostOutsideTheSubnetOfTheOthers) {
  std::vector<Host> hosts{host(0), host(1), host(3)};
  hosts[2].rails[1].address = "10.99.0.4";
  EXPECT_EQ(check_rails(hosts), (Sentences{"rail 1: host3 rxe1 10.99.0.4/24 is not in 10.11.0.0/24 "
                                           "of the other 2 hosts; fix its address or its cable"}));
}

TEST(RailCheck, NamesALoopbackAddressWhereThereAreOtherHosts) {
  std::vector<Host> hosts{host(0), host(1)};
  hosts[1].rails[1] = nic("soft1", "127.65.0.1", 32);
  hosts[0].rails[1] = nic("soft1", "10.11.0.1", 32);
  EXPECT_EQ(check_rails(hosts),
            (Sentences{"host1 soft1 (rail 1): 127.65.0.1 is a loopback address, which no other "
                       "host can reach; SOFTROCE_ADDRESS gives a soft device another address"}));
  EXPECT_EQ(check_rails({hosts[1]}), Sentences{});
}

TEST(RailCheck, GoesByTheMajorityAndNotByTheFirstHost) {
  std::vector<Host> hosts{host(0), host(1), host(2)};
  hosts[0].rails[0].address = "10.99.0.1";
  EXPECT_EQ(check_rails(hosts), (Sentences{"rail 0: host0 rxe0 10.99.0.1/24 is not in 10.10.0.0/24 "
                                           "of the other 2 hosts; fix its address or its cable"}));
}

TEST(RailCheck, OfTwoHostsGoesByTheFirst) {
  std::vector<Host> hosts{host(0), host(1)};
  hosts[1].rails[0].address = "10.99.0.2";
  EXPECT_EQ(check_rails(hosts), (Sentences{"rail 0: host1 rxe0 10.99.0.2/24 is not in 10.10.0.0/24 "
                                           "of host0; fix its address or its cable"}));
}

TEST(RailCheck, NamesEveryHostOutside) {
  std::vector<Host> hosts{host(0), host(1), host(2), host(3)};
  hosts[1].rails[0].address = "10.98.0.2";
  hosts[3].rails[0].prefix_length = 16;
  EXPECT_EQ(check_rails(hosts), (Sentences{"rail 0: host1 rxe0 10.98.0.2/24 is not in 10.10.0.0/24 "
                                           "of 2 other hosts; fix its address or its cable",
                                           "rail 0: host3 rxe0 10.10.0.4/16 is not in 10.10.0.0/24 "
                                           "of 2 other hosts; fix its address or its cable"}));
}

TEST(RailCheck, SeesCrossedRails) {
  std::vector<Host> hosts{host(0), host(1), host(2)};
  std::swap(hosts[1].rails[0].address, hosts[1].rails[1].address);
  EXPECT_EQ(check_rails(hosts),
            (Sentences{"host1: rails 0 and 1 are crossed: rxe0 10.11.0.2/24 is in rail 1's subnet, "
                       "rxe1 10.10.0.2/24 is in rail 0's subnet; swap their two cables, or their "
                       "addresses if the cables are right"}));
}

TEST(RailCheck, NamesBothHoldersOfAnAddress) {
  std::vector<Host> hosts{host(0), host(1)};
  hosts[1].rails[0].address = "10.10.0.1";
  EXPECT_EQ(check_rails(hosts), (Sentences{"10.10.0.1 is the address of host0 rxe0 (rail 0) and of "
                                           "host1 rxe0 (rail 0); each needs its own"}));
}

TEST(RailCheck, SeesADuplicateOnOneHostAndInAnotherSpelling) {
  Host one{.name = "host0", .rails = {nic("rxe0", "fd00::1", 64), nic("rxe1", "FD00:0::1", 64)}};
  EXPECT_EQ(check_rails({one}), (Sentences{"fd00::1 is the address of host0 rxe0 (rail 0) and of "
                                           "host0 rxe1 (rail 1); each needs its own"}));
}

TEST(RailCheck, NamesTheHostWithAnotherNumberOfRails) {
  std::vector<Host> hosts{host(0), host(1), host(2)};
  hosts[0].rails.pop_back();
  EXPECT_EQ(check_rails(hosts),
            (Sentences{"host0 has 1 rail (rxe0), not 2 like host1: it has none in "
                       "10.11.0.0/24 (rail 1); fix it, or select the same rails on all hosts "
                       "(--include, --exclude)"}));
  hosts[0].rails[0].address = "10.99.0.1";
  EXPECT_EQ(check_rails(hosts)[0],
            "host0 has 1 rail (rxe0), not 2 like host1; fix it, or select the same rails on all "
            "hosts (--include, --exclude)");
  hosts[0].rails.clear();
  EXPECT_EQ(check_rails(hosts),
            (Sentences{"host0 has 0 rails (none), not 2 like host1; fix it, or select the same "
                       "rails on all hosts (--include, --exclude)"}));
}

TEST(RailCheck, DoesNotAskPointToPointLinks) {
  const auto linked = [](const std::string& left, const std::string& right, int prefix_length) {
    return check_rails({{.name = "host0", .rails = {nic("rxe0", left, prefix_length)}},
                        {.name = "host1", .rails = {nic("rxe0", right, prefix_length)}}});
  };
  EXPECT_EQ(linked("10.10.0.0", "10.20.0.0", 31), Sentences{});
  EXPECT_EQ(linked("10.10.0.0", "10.20.0.0", 32), Sentences{});
  EXPECT_EQ(linked("fd00::1", "fd01::1", 127), Sentences{});
  EXPECT_EQ(linked("fd00::1", "fd01::1", 128), Sentences{});
  EXPECT_NE(linked("10.10.0.0", "10.20.0.0", 30), Sentences{});
}

TEST(RailCheck, NamesWhatIsNoAddress) {
  std::vector<Host> hosts{host(0), host(1)};
  hosts[0].rails[1].address = "";
  hosts[1].rails[1].port = 2;
  hosts[1].rails[1].prefix_length = 33;
  EXPECT_EQ(
      check_rails(hosts),
      (Sentences{"host0 rxe1 (rail 1): '/24' is not an IPv4 or IPv6 address with its prefix length",
                 "host1 rxe1 port 2 (rail 1): '10.11.0.2/33' is not an IPv4 or IPv6 address with "
                 "its prefix length"}));
}

Host host(const std::string& name, const std::vector<double>& speeds) {
  Host made{name, {}};
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    made.rails.push_back({.device = "mlx5_" + std::to_string(i), .gigabits_per_second = speeds[i]});
  }
  return made;
}

TEST(RailSpeed, NamesTheSlowRail) {
  EXPECT_EQ(
      slow_rails({host("host0", {400, 400}), host("host7", {400, 200})}),
      (std::vector<std::string>{"host7 mlx5_1 (rail 1) is slow: its link runs at 200 Gb/s, others "
                                "at 400; check its cable, transceiver and switch port"}));
}

TEST(RailSpeed, DoesNotMindOneThatIsFaster) {
  EXPECT_TRUE(slow_rails({host("host0", {200, 200, 400})}).empty());
}

TEST(RailSpeed, OfTwoGoesByTheFaster) {
  EXPECT_EQ(slow_rails({host("host0", {200, 400})}).size(), 1U);
  EXPECT_EQ(slow_rails({host("host0", {400, 200})}).size(), 1U);
}

TEST(RailSpeed, DoesNotAskWhatIsNotKnown) {
  EXPECT_TRUE(slow_rails({host("host0", {0, 0, 400})}).empty());
  EXPECT_TRUE(slow_rails({host("host0", {0})}).empty());
  EXPECT_TRUE(slow_rails({}).empty());
}

}  // namespace

}  // namespace railgauge::topology
