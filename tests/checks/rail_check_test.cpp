#include "checks/rail_check.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "finding/ranking.hpp"

namespace railgauge::checks {
namespace {

using namespace topology;
using finding::Severity;
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

template <class Wanted>
Sentences said_if(Wanted wanted, const FoundRails& found) {
  std::vector<finding::Finding> findings = check_rails(found);
  std::erase_if(findings, [&](const auto& one) { return !wanted(one); });
  Sentences all;
  for (const auto& group : grouped(finding::ranked(findings))) all.push_back(sentence(group));
  return all;
}

Sentences said(Severity severity, const FoundRails& found) {
  return said_if([&](const auto& one) { return one.severity == severity; }, found);
}

/// What keeps a run from its start.
Sentences mismatches_of(const FoundRails& found) {
  return said_if(prevents_run, found);
}

Sentences mismatches(std::vector<Host> hosts) {
  return mismatches_of(find_rails(std::move(hosts)));
}

TEST(RailCheck, FindsNothingInARightFabric) {
  EXPECT_EQ(mismatches({}), Sentences{});
  EXPECT_EQ(mismatches({host(0)}), Sentences{});
  EXPECT_EQ(mismatches({host(0), host(1)}), Sentences{});
  EXPECT_EQ(mismatches({host(0), host(1), host(2)}), Sentences{});
}

TEST(RailCheck, NamesTheHostOutsideTheSubnetOfTheOthers) {
  std::vector<Host> hosts{host(0), host(1), host(3)};
  hosts[2].rails[1].address = "10.99.0.4";
  EXPECT_EQ(mismatches(hosts),
            (Sentences{"host3 rxe1 (rail 1): wrong subnet: 10.99.0.4/24 is not in 10.11.0.0/24 of "
                       "the other 2 hosts; fix its address or its cable"}));
}

TEST(RailCheck, NamesALoopbackAddressWhereThereAreOtherHosts) {
  std::vector<Host> hosts{host(0), host(1)};
  hosts[1].rails[1] = nic("soft1", "127.65.0.1", 32);
  hosts[0].rails[1] = nic("soft1", "10.11.0.1", 32);
  EXPECT_EQ(mismatches(hosts),
            (Sentences{"host1 soft1 (rail 1): unusable address: 127.65.0.1 is a loopback address, "
                       "which no other host can reach; give it another address (SOFTROCE_ADDRESS, "
                       "if it is a soft device)"}));
  EXPECT_EQ(mismatches({hosts[1]}), Sentences{});
}

Sentences warnings_of_mtus(std::vector<std::array<int, 2>> mtus) {
  std::vector<Host> hosts;
  for (const auto& of_host : mtus) {
    hosts.push_back(host(static_cast<int>(hosts.size())));
    hosts.back().rails[0].mtu_bytes = of_host[0];
    hosts.back().rails[1].mtu_bytes = of_host[1];
    hosts.back().rails[0].model = hosts.size() % 2 == 1 ? "MT4129" : "MT4125";
  }
  Sentences about = said_if([](const auto& one) { return one.cause == finding::Cause::mtu; },
                            find_rails(std::move(hosts)));
  for (std::string& one : about) one.resize(one.find(';'));
  return about;
}

TEST(RailCheck, OfARailMtusAreCompared) {
  EXPECT_EQ(warnings_of_mtus({{4096, 4096}, {4096, 1024}}),
            (Sentences{"rail 1: different MTU: 1024 on host1, 4096 on host0"}));
  EXPECT_EQ(warnings_of_mtus({{4096, 4096}, {1024, 1024}}),
            (Sentences{"rails 0 and 1: different MTU: 1024 on host1, 4096 on host0"}))
      << "whatever models the NICs are";
  EXPECT_EQ(warnings_of_mtus({{4096, 4096}, {4096, 4096}, {4096, 1024}}),
            (Sentences{"host2 rxe1 (rail 1): different MTU: MTU 1024 bytes, expected 4096 bytes "
                       "(most ports of its rail)"}));
}

TEST(RailCheck, MtusThatAreAlikeOnEveryRailAreNoNews) {
  EXPECT_EQ(warnings_of_mtus({{4096, 4096}, {4096, 4096}}), Sentences{});
  EXPECT_EQ(warnings_of_mtus({{4096, 1024}, {4096, 1024}}), Sentences{}) << "another network each";
  EXPECT_EQ(warnings_of_mtus({{4096, 0}, {4096, 4096}}), Sentences{}) << "one is not known";
}

TEST(RailCheck, GoesByTheMajorityAndNotByTheFirstHost) {
  std::vector<Host> hosts{host(0), host(1), host(2)};
  hosts[0].rails[0].address = "10.99.0.1";
  EXPECT_EQ(mismatches(hosts),
            (Sentences{"host0 rxe0 (rail 0): wrong subnet: 10.99.0.1/24 is not in 10.10.0.0/24 of "
                       "the other 2 hosts; fix its address or its cable"}));
}

TEST(RailCheck, OfTwoHostsCannotSayWhichIsWrong) {
  std::vector<Host> hosts{host(0), host(1)};
  hosts[1].rails[0].address = "10.99.0.2";
  EXPECT_EQ(mismatches(hosts),
            (Sentences{"host0 rxe0 (rail 0) or host1 rxe0 (rail 0): wrong subnet: host0 rxe0 "
                       "10.10.0.1/24 and host1 rxe0 10.99.0.2/24 are in different subnets, other "
                       "rails share theirs; fix the address or the cable of one of them"}));
}

TEST(RailCheck, NamesEveryHostOutside) {
  std::vector<Host> hosts{host(0), host(1), host(2), host(3), host(4)};
  hosts[1].rails[0].address = "10.98.0.2";
  hosts[3].rails[0].prefix_length = 16;
  EXPECT_EQ(mismatches(hosts),
            (Sentences{"host1 rxe0 (rail 0): wrong subnet: 10.98.0.2/24 is not in 10.10.0.0/24 of "
                       "3 other hosts; fix its address or its cable",
                       "host3 rxe0 (rail 0): wrong subnet: prefix length 16, expected 24 (the "
                       "other hosts); set it to 24"}));
}

TEST(RailCheck, SeesCrossedRails) {
  std::vector<Host> hosts{host(0), host(1), host(2)};
  std::swap(hosts[1].rails[0].address, hosts[1].rails[1].address);
  EXPECT_EQ(mismatches(hosts),
            (Sentences{"host1: rails 0 and 1 are crossed: rxe0 10.11.0.2/24 is in the subnet of "
                       "rail 1, rxe1 10.10.0.2/24 is in the subnet of rail 0; swap their two "
                       "cables, or their addresses if the cables are right"}));
}

TEST(RailCheck, NamesBothHoldersOfAnAddress) {
  std::vector<Host> hosts{host(0), host(1)};
  hosts[1].rails[0].address = "10.10.0.1";
  EXPECT_EQ(mismatches(hosts), (Sentences{"host0 rxe0 (rail 0) or host1 rxe0 (rail 0): duplicate "
                                          "address: 10.10.0.1; give each an address of its own"}));
}

TEST(RailCheck, SeesADuplicateOnOneHostAndInAnotherSpelling) {
  Host one{.name = "host0", .rails = {nic("rxe0", "fd00::1", 64), nic("rxe1", "FD00:0::1", 64)}};
  EXPECT_EQ(mismatches({one}), (Sentences{"host0 rxe0 (rail 0) or host0 rxe1 (rail 1): duplicate "
                                          "address: fd00::1; give each an address of its own"}));
}

TEST(RailCheck, NamesTheRailThatAHostLacks) {
  std::vector<Host> hosts{host(0), host(1), host(2)};
  hosts[0].rails.pop_back();
  EXPECT_EQ(mismatches(hosts),
            (Sentences{"host0 (rail 1): missing rail: no NIC, the other hosts have rxe1 "
                       "(10.11.0.0/24); look for it with lspci, check card, slot and driver, or "
                       "select the same rails on all hosts (--include, --exclude)"}));
  hosts[0].left_out = {{{.device = "rxe1"}, "its port is DOWN", "check its cable"}};
  EXPECT_EQ(mismatches(hosts),
            (Sentences{"host0 rxe1 (rail 1): missing rail: its port is DOWN; check its cable"}));
}

TEST(RailCheck, BlamesNoHostWhereMostDoNotAgreeOnANumber) {
  std::vector<Host> hosts{host(0), host(1), host(2), host(3)};
  hosts[2].rails.pop_back();
  hosts[3].rails.pop_back();
  EXPECT_EQ(
      mismatches(hosts),
      (Sentences{"fabric: hosts have different numbers of rails: 1 on host2 and 1 more and 2 on "
                 "host0 and 1 more; select the same rails on all of them (--include, --exclude)"}));
}

TEST(RailCheck, DoesNotAskWhatTheUserHasSaid) {
  std::vector<Host> hosts{host(0), host(1), host(2)};
  std::swap(hosts[1].rails[0].address, hosts[1].rails[1].address);
  hosts[2].rails[0].address = "10.99.0.3";
  EXPECT_EQ(mismatches_of(named_rails(hosts)), Sentences{});
  EXPECT_EQ(mismatches_of(find_rails(hosts, {{"rxe0", {}, 0}, {"rxe1", {}, 1}})), Sentences{});
  hosts[2].rails[0].address = "10.10.0.1";
  EXPECT_EQ(mismatches_of(named_rails(hosts)).size(), 1U);
}

TEST(RailCheck, NamesHostsOfOneName) {
  std::vector<Host> hosts{host(0), host(1)};
  hosts[1].name = "host0";
  EXPECT_EQ(
      mismatches(hosts),
      (Sentences{"host0: duplicate host name: 2 hosts have it; give each a host name of its own"}));
  EXPECT_EQ(mismatches({host(0), host(0)}),
            (Sentences{"host0: duplicate host name: 2 hosts have this name and the same addresses "
                       "and GUIDs; give each recording once"}));
}

TEST(RailCheck, DoesNotAskWhereAddressesCannotSay) {
  const auto linked = [](const std::string& left, const std::string& right, int prefix_length) {
    return mismatches({{.name = "host0", .rails = {nic("rxe0", left, prefix_length)}},
                       {.name = "host1", .rails = {nic("rxe0", right, prefix_length)}}});
  };
  EXPECT_EQ(linked("10.10.0.0", "10.20.0.0", 31), Sentences{});
  EXPECT_EQ(linked("10.10.0.0", "10.20.0.0", 32), Sentences{});
  EXPECT_EQ(linked("fd00::1", "fd01::1", 127), Sentences{});
  EXPECT_EQ(linked("fd00::1", "fd01::1", 128), Sentences{});
  EXPECT_EQ(linked("10.10.0.1", "10.20.0.1", 30), Sentences{});
  EXPECT_NE(linked("10.10.0.0", "fd00::1", 30), Sentences{});
}

TEST(RailCheck, NamesWhatIsNoAddress) {
  std::vector<Host> hosts{host(0), host(1)};
  hosts[0].rails[1].address = "";
  hosts[1].rails[1].port = 2;
  hosts[1].rails[1].prefix_length = 33;
  EXPECT_EQ(mismatches(hosts),
            (Sentences{"host0 rxe1 (rail 1): unusable address: '/24' is not an IPv4 or IPv6 "
                       "address with its prefix length",
                       "host1 rxe1:2 (rail 1): unusable address: '10.11.0.2/33' is not an IPv4 or "
                       "IPv6 address with its prefix length"}));
}

Host host(const std::string& name, const std::vector<double>& speeds) {
  Host made{name, {}, {}};
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    made.rails.push_back({.device = "mlx5_" + std::to_string(i),
                          .address = name.substr(4) + ".0.0." + std::to_string(i),
                          .prefix_length = 31,
                          .gigabits_per_second = speeds[i]});
  }
  return made;
}

Sentences errors_of(std::vector<Host> hosts) {
  return said(Severity::error, find_rails(std::move(hosts)));
}

TEST(RailSpeed, NamesTheSlowRail) {
  EXPECT_EQ(errors_of({host("host0", {400, 400}), host("host7", {400, 200})}),
            (Sentences{"host7 mlx5_1 (rail 1): slow link: link speed 200 Gb/s, expected 400 Gb/s "
                       "(most NICs); check cable, transceiver and switch port"}));
}

TEST(RailSpeed, DoesNotMindOneThatIsFaster) {
  EXPECT_TRUE(errors_of({host("host0", {200, 200, 400})}).empty());
}

TEST(RailSpeed, OfTwoCannotSayWhichIsRight) {
  const std::vector<Host> hosts{host("host0", {200}), host("host1", {400})};
  EXPECT_EQ(errors_of(hosts), Sentences{});
  EXPECT_EQ(said(Severity::info, find_rails(hosts)),
            (Sentences{"fabric: links run at different speeds: 1 at 200 Gb/s and 1 at 400 Gb/s, "
                       "none of them on most NICs; check the cables of the slower ones, unless "
                       "this is by design"}));
}

TEST(RailSpeed, DoesNotAskWhatIsNotKnown) {
  EXPECT_TRUE(errors_of({host("host0", {0, 0, 400})}).empty());
  EXPECT_TRUE(errors_of({host("host0", {0})}).empty());
  EXPECT_TRUE(errors_of({}).empty());
}

}  // namespace

}  // namespace railgauge::checks
