#include "cluster/fabric.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cluster/rank_info.hpp"
#include "job/failure.hpp"

namespace railgauge::cluster {
namespace {

using Kind = results::Failure::Kind;
using Names = std::vector<std::string>;
using Address = std::array<std::uint8_t, 4>;

/// A port whose chosen GID is this IPv4 address.
verbs::Port port(const std::string& device, const Address& address, int number = 1) {
  verbs::Port one{.device = device, .number = number, .mtu_bytes = 4096, .gbps = 400};
  one.gid = verbs::GidEntry{.index = 3, .type = verbs::GidType::roce_v2, .netdev = "net_" + device};
  one.gid->gid[10] = one.gid->gid[11] = 0xff;
  std::ranges::copy(address, one.gid->gid.begin() + 12);
  return one;
}

/// A rank, and its host as it sees it.
struct Member {
  std::string host;
  LocalHost seen;
};

/// Of host `number`, with rails in 10.10.0.0/24 and 10.11.0.0/24.
Member member(std::uint8_t number) {
  const auto last = static_cast<std::uint8_t>(number + 1);
  return {"host" + std::to_string(number),
          {{}, {port("rxe0", {10, 10, 0, last}), port("rxe1", {10, 11, 0, last})}, "", false, {}}};
}

/// Two hosts with two ranks each, one host after the other.
std::vector<Member> healthy() {
  return {member(0), member(0), member(1), member(1)};
}

/// All ranks of a host see the same.
void set_port(std::vector<Member>& members, const std::string& host, std::size_t index,
              const verbs::Port& changed) {
  for (Member& one : members) {
    if (one.host == host) one.seen.ports.at(index) = changed;
  }
}

/// What a rank puts into the exchange. This host has none of the addresses, and so no prefix
/// length.
transport::Bytes bytes_of(const Member& member) {
  RankInfo info = own_rank_info(member.host, member.seen);
  for (topology::Nic& nic : info.host.rails) nic.prefix_length = 24;
  return cluster::bytes_of(info);
}

/// An exchange with what all ranks put in, whatever this one does.
class Gathering final : public transport::Exchange {
 public:
  Gathering(transport::Rank rank, std::vector<transport::Bytes> all)
      : rank_(rank), all_(std::move(all)) {}

  [[nodiscard]] transport::Rank rank() const override { return rank_; }
  [[nodiscard]] transport::Rank ranks() const override {
    return static_cast<transport::Rank>(all_.size());
  }
  std::vector<transport::Bytes> all_gather(std::span<const std::byte> own) override {
    (void)own;
    return all_;
  }
  std::vector<transport::Bytes> exchange_with(std::span<const transport::Rank>,
                                              std::span<const transport::Bytes>) override {
    throw std::logic_error("hosts are gathered, not exchanged among neighbours");
  }

 private:
  transport::Rank rank_;
  std::vector<transport::Bytes> all_;
};

/// The fabric as `rank` gathers it; `members[rank]` has its ports in order afterwards.
Fabric gather(std::vector<Member>& members, Mismatch mismatch, const DeviceOptions& options = {},
              transport::Rank rank = 0) {
  std::vector<transport::Bytes> all;
  all.reserve(members.size());
  for (const Member& member : members) all.push_back(bytes_of(member));
  Gathering exchange(rank, std::move(all));
  return gather_fabric(exchange, members[rank].host, members[rank].seen, options, mismatch);
}

/// What fails when rails have to match; nothing if all is well.
std::optional<job::RunFailure> failure_of(std::vector<Member> members,
                                          const DeviceOptions& options = {}) {
  try {
    (void)gather(members, Mismatch::fail, options);
  } catch (const job::RunFailure& failure) {
    return failure;
  }
  return std::nullopt;
}

Names devices_of(const results::Rank& rank) {
  Names names;
  for (const results::RankRail& rail : rank.rails) names.push_back(rail.device);
  return names;
}

Names devices_of(const LocalHost& host) {
  Names names;
  for (const verbs::Port& one : host.ports) names.push_back(one.device);
  return names;
}

/// The same fault twice: it ends a run with exit status 1, or is reported along with the ranks.
void expect_mismatch(std::vector<Member> members, std::string_view part) {
  const auto failure = failure_of(members);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->kind, Kind::verdict);
  EXPECT_NE(std::string_view(failure->what()).find(part), std::string_view::npos)
      << failure->what();
  const Fabric fabric = gather(members, Mismatch::report);
  EXPECT_EQ(fabric.ranks.size(), members.size());
  ASSERT_EQ(fabric.findings.size(), 1U) << sentence(fabric.findings.back());
  const std::string said = sentence(fabric.findings[0]);
  EXPECT_NE(said.find(part), std::string::npos) << said;
}

TEST(Fabric, OfHostsThatMatchIsSilent) {
  std::vector<Member> members = healthy();
  for (const Mismatch mismatch : {Mismatch::fail, Mismatch::report}) {
    const Fabric fabric = gather(members, mismatch);
    EXPECT_TRUE(fabric.findings.empty());
    EXPECT_EQ(fabric.rail_rule.rule, "shared subnets");
    EXPECT_EQ(fabric.ranks.size(), 4U);
  }
}

TEST(Fabric, NumbersRanksAndThoseOfEachHost) {
  std::vector<Member> members{member(1), member(0), member(1), member(0), member(1)};
  const Fabric fabric = gather(members, Mismatch::fail);
  const std::vector<int> local_ranks{0, 0, 1, 1, 2};
  for (std::size_t i = 0; i < members.size(); ++i) {
    EXPECT_EQ(fabric.ranks[i].rank, static_cast<int>(i));
    EXPECT_EQ(fabric.ranks[i].host, members[i].host);
    EXPECT_EQ(fabric.ranks[i].local_rank, local_ranks[i]);
    EXPECT_GT(fabric.ranks[i].pid, 0);
  }
}

TEST(Fabric, KnowsEveryRailOfEveryRank) {
  std::vector<Member> members = healthy();
  topology::RdmaDevice device{.name = "rxe1"};
  device.locality.numa_node = 1;
  for (Member& one : members) one.seen.map.devices = {device};
  const Fabric fabric = gather(members, Mismatch::fail);
  const results::RankRail& rail = fabric.ranks[2].rails.at(1);
  EXPECT_EQ(rail.rail, 1);
  EXPECT_EQ(rail.device, "rxe1");
  EXPECT_EQ(rail.port, 1);
  EXPECT_EQ(rail.netdev, "net_rxe1");
  EXPECT_EQ(rail.address, "10.11.0.2");
  EXPECT_EQ(rail.gid, "0000:0000:0000:0000:0000:ffff:0a0b:0002");
  EXPECT_EQ(rail.gid_index, 3);
  EXPECT_EQ(rail.mtu_bytes, 4096);
  EXPECT_EQ(rail.link_gigabits_per_second, 400);
  EXPECT_EQ(rail.kind, results::DeviceKind::hardware);
  EXPECT_EQ(rail.numa_node, 1);
  EXPECT_EQ(fabric.ranks[2].rails.at(0).numa_node, -1);
}

TEST(Fabric, KnowsDevicesInSoftware) {
  std::vector<Member> members = healthy();
  members[0].seen.ports[0].software = true;
  members[0].seen.ports[1].software = true;
  members[0].seen.ports[1].firmware = "1.0 shortcut";
  const Fabric fabric = gather(members, Mismatch::fail);
  EXPECT_EQ(fabric.ranks[0].rails[0].kind, results::DeviceKind::software);
  EXPECT_EQ(fabric.ranks[0].rails[1].kind, results::DeviceKind::software_shortcut);
  EXPECT_EQ(fabric.ranks[0].rails[1].firmware, "1.0 shortcut");
}

TEST(Fabric, NamesAMissingRail) {
  std::vector<Member> members = healthy();
  for (Member& one : members) {
    if (one.host == "host1") one.seen.ports.pop_back();
  }
  expect_mismatch(members, "host1 (rail 1): missing rail: no NIC, the other hosts have rxe1");
}

TEST(Fabric, NamesThePortThatWouldBeTheMissingRail) {
  std::vector<Member> members = healthy();
  for (Member& one : members) {
    if (one.host != "host1") continue;
    one.seen.ports.pop_back();
    one.seen.others = {{{.device = "rxe1"}, "its port is DOWN", "check its cable"}};
  }
  expect_mismatch(members, "host1 rxe1 (rail 1): missing rail: its port is DOWN; check its cable");
}

/// Three hosts of a rank each, whose NICs are hardware.
std::vector<Member> hosts_with_cards(const std::string& model) {
  std::vector<Member> members{member(0), member(1), member(2)};
  for (Member& one : members) {
    for (std::size_t i = 0; i < one.seen.ports.size(); ++i) {
      topology::RdmaDevice device{.name = one.seen.ports[i].device, .model = model};
      device.pci.address = "0000:1" + std::to_string(i) + ":00.0";
      one.seen.map.devices.push_back(device);
    }
  }
  return members;
}

/// Takes rxe1 of a host down; it keeps its address.
void take_down(Member& one, const std::string& model) {
  one.seen.ports.pop_back();
  one.seen.others = {{{.device = "rxe1", .pci = "0000:11:00.0", .model = model},
                      "its port is DOWN",
                      "check its cable",
                      true}};
}

/// What most hosts have lost is a rail as long as one host has it.
TEST(Fabric, NamesARailThatMostHostsHaveLost) {
  std::vector<Member> members = hosts_with_cards("MT4129");
  EXPECT_TRUE(gather(members, Mismatch::fail).findings.empty());
  for (const std::size_t host : {1U, 2U}) take_down(members[host], "MT4129");
  const Fabric fabric = gather(members, Mismatch::report);
  ASSERT_EQ(fabric.findings.size(), 2U);
  EXPECT_EQ(sentence(fabric.findings[0]),
            "host1 rxe1 (rail 1): missing rail: its port is DOWN; check its cable");
  EXPECT_EQ(sentence(fabric.findings[1]),
            "host2 rxe1 (rail 1): missing rail: its port is DOWN; check its cable");
  EXPECT_EQ(failure_of(members)->kind, Kind::verdict);
}

/// The healthy twin: their port at this place is another card.
TEST(Fabric, DoesNotMindAnIdleCardOfAnotherModel) {
  std::vector<Member> members = hosts_with_cards("MT4129");
  for (const std::size_t host : {1U, 2U}) take_down(members[host], "MT4119");
  const Fabric fabric = gather(members, Mismatch::fail);
  EXPECT_TRUE(fabric.findings.empty());
  EXPECT_EQ(devices_of(fabric.ranks[0]), Names{"rxe0"});
}

TEST(Fabric, WarnsOfARailThatNoHostUses) {
  std::vector<Member> members = hosts_with_cards("MT4129");
  for (Member& one : members) take_down(one, "MT4129");
  const Fabric fabric = gather(members, Mismatch::fail);
  ASSERT_EQ(fabric.findings.size(), 1U);
  EXPECT_EQ(fabric.findings[0].severity, finding::Severity::warning);
  EXPECT_NE(sentence(fabric.findings[0]).find("rxe1 is a rail on none of 3 hosts"),
            std::string::npos);
  for (Member& one : members) one.seen.others[0].like_rails = false;  // without an address
  EXPECT_TRUE(gather(members, Mismatch::fail).findings.empty());
}

TEST(Fabric, LeavesOutPortsOfAnotherFabric) {
  std::vector<Member> members = healthy();
  for (Member& one : members) {
    one.seen.ports.insert(one.seen.ports.begin(),
                          port("mlx5_8", {192, 168, 0, one.seen.ports[0].gid->gid[15]}));
    one.seen.ports.front().gbps = 100;
  }
  const Fabric fabric = gather(members, Mismatch::fail);
  EXPECT_EQ(devices_of(fabric.ranks[3]), (Names{"rxe0", "rxe1"}));
  EXPECT_EQ(devices_of(members[0].seen), (Names{"rxe0", "rxe1"}));
  EXPECT_NE(members[0].seen.left_out.find("mlx5_8 port 1 is left out: of the fabric storage"),
            std::string::npos);
  DeviceOptions options;
  options.nics.fabric = "storage";
  members = healthy();
  EXPECT_EQ(failure_of(members, options)->kind, Kind::usage);
}

TEST(Fabric, NamesHostsOfOneName) {
  std::vector<Member> members{member(0), member(1), member(2)};
  members[2].host = "host1";
  const auto failure = failure_of(members);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->kind, Kind::environment);
  EXPECT_TRUE(std::string_view(failure->what()).starts_with("two hosts have the name host1: "));
}

TEST(Fabric, DoesNotMindHostsThatHaveOneRailEach) {
  std::vector<Member> members = healthy();
  for (Member& one : members) one.seen.ports.pop_back();
  EXPECT_FALSE(failure_of(members));
}

TEST(Fabric, SaysWhatThisHostHasLeftOut) {
  std::vector<Member> members = healthy();
  members[2].seen.ports.pop_back();
  members[3].seen.ports.pop_back();
  members[0].seen.left_out = "\nrxe9 port 1 is left out: it is down";
  const auto failure = failure_of(members);
  ASSERT_TRUE(failure);
  EXPECT_TRUE(std::string_view(failure->what()).ends_with(members[0].seen.left_out));
}

TEST(Fabric, NamesAnotherSubnet) {
  std::vector<Member> members{member(0), member(1), member(2)};
  EXPECT_FALSE(failure_of(members));
  set_port(members, "host2", 1, port("rxe1", {10, 99, 0, 3}));
  expect_mismatch(members,
                  "host2 rxe1 (rail 1): wrong subnet: 10.99.0.3/24 is not in 10.11.0.0/24");
}

TEST(Fabric, NamesAnAddressThatExistsTwice) {
  std::vector<Member> members = healthy();
  set_port(members, "host1", 0, port("rxe0", {10, 10, 0, 1}));
  expect_mismatch(members,
                  "host0 rxe0 (rail 0) or host1 rxe0 (rail 0): duplicate address: 10.10.0.1");
}

TEST(Fabric, NamesCrossedCables) {
  std::vector<Member> members = healthy();
  set_port(members, "host1", 0, port("rxe0", {10, 11, 0, 2}));
  set_port(members, "host1", 1, port("rxe1", {10, 10, 0, 2}));
  expect_mismatch(members, "host1: rails 0 and 1 are crossed");
}

TEST(Fabric, PutsCrossedRailsInTheOrderOfTheirSubnets) {
  std::vector<Member> members = healthy();
  set_port(members, "host1", 0, port("rxe0", {10, 11, 0, 2}));
  set_port(members, "host1", 1, port("rxe1", {10, 10, 0, 2}));
  const Fabric fabric = gather(members, Mismatch::report, {}, 2);
  EXPECT_EQ(devices_of(fabric.ranks[0]), (Names{"rxe0", "rxe1"}));
  EXPECT_EQ(devices_of(fabric.ranks[2]), (Names{"rxe1", "rxe0"}));
  EXPECT_EQ(devices_of(members[2].seen), (Names{"rxe1", "rxe0"}));
}

TEST(Fabric, OfSeveralMismatchesNamesEach) {
  std::vector<Member> members{member(0), member(1), member(2)};
  set_port(members, "host1", 1, port("rxe1", {10, 98, 0, 2}));
  set_port(members, "host2", 0, port("rxe0", {10, 99, 0, 3}));
  EXPECT_EQ(gather(members, Mismatch::report).findings.size(), 2U);
  const auto failure = failure_of(members);
  ASSERT_TRUE(failure);
  EXPECT_EQ(std::ranges::count(std::string_view(failure->what()), '\n'), 1);
}

TEST(Fabric, WarnsOfASlowRail) {
  std::vector<Member> members = healthy();
  for (const std::size_t rank : {2U, 3U}) members[rank].seen.ports[1].gbps = 100;
  const Fabric fabric = gather(members, Mismatch::fail);
  ASSERT_EQ(fabric.findings.size(), 1U);
  EXPECT_EQ(headline(fabric.findings[0]), "host1 rxe1 (rail 1): slow link");
}

TEST(Fabric, WantsTheSameDevicesOfAllRanksOfAHost) {
  std::vector<Member> members = healthy();
  members[3].seen.ports[1].device = "rxe7";
  const auto failure = failure_of(members);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->kind, Kind::environment);
  EXPECT_STREQ(failure->what(),
               "host1: its ranks use different devices: rxe0 rxe1 and rxe0 rxe7; give them the "
               "same (RAILGAUGE_DEVICES)");
}

TEST(Fabric, WantsTheSamePortsOfAllRanksOfAHost) {
  std::vector<Member> members = healthy();
  members[3].seen.ports[1].number = 2;
  const auto failure = failure_of(members);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->kind, Kind::environment);
  EXPECT_NE(std::string_view(failure->what()).find("rxe0 rxe1 and rxe0 rxe1 port 2;"),
            std::string_view::npos)
      << failure->what();
}

TEST(Fabric, ReportsRanksOfAHostThatUseOtherDevicesAsTheyAre) {
  std::vector<Member> members = healthy();
  members[3].seen.ports[1].device = "rxe7";
  const Fabric fabric = gather(members, Mismatch::report);
  EXPECT_EQ(devices_of(fabric.ranks[2]), (Names{"rxe0", "rxe1"}));
  EXPECT_EQ(devices_of(fabric.ranks[3]), (Names{"rxe0", "rxe7"}));
}

TEST(Fabric, AllowsOtherDevicesOnAnotherHost) {
  std::vector<Member> members = healthy();
  for (const std::size_t rank : {2U, 3U}) members[rank].seen.ports[1].device = "rxe7";
  EXPECT_FALSE(failure_of(members));
}

TEST(Fabric, KeepsNamedDevicesInTheirOrder) {
  std::vector<Member> members = healthy();
  for (Member& one : members) std::ranges::reverse(one.seen.ports);
  DeviceOptions named;
  named.devices = {"rxe1", "rxe0"};
  const Fabric fabric = gather(members, Mismatch::fail, named);
  EXPECT_EQ(fabric.rail_rule.rule, "named devices");
  for (const results::Rank& rank : fabric.ranks) {
    EXPECT_EQ(devices_of(rank), (Names{"rxe1", "rxe0"}));
  }
  EXPECT_EQ(devices_of(members[0].seen), (Names{"rxe1", "rxe0"}));
}

TEST(Fabric, NumbersOtherDevicesByRule) {
  std::vector<Member> members = healthy();
  for (Member& one : members) std::ranges::reverse(one.seen.ports);
  const Fabric fabric = gather(members, Mismatch::fail);
  for (const results::Rank& rank : fabric.ranks) {
    EXPECT_EQ(devices_of(rank), (Names{"rxe0", "rxe1"}));
    EXPECT_EQ(rank.rails[1].rail, 1);
  }
  EXPECT_EQ(devices_of(members[0].seen), (Names{"rxe0", "rxe1"}));
}

TEST(Fabric, NumbersDevicesByTheUsersMap) {
  std::vector<Member> members = healthy();
  DeviceOptions options;
  options.nics.rail_map = {{"rxe0", {}, 1}, {"rxe1", {}, 0}};
  const Fabric fabric = gather(members, Mismatch::fail, options);
  EXPECT_EQ(fabric.rail_rule.rule, "user map");
  EXPECT_EQ(devices_of(fabric.ranks[3]), (Names{"rxe1", "rxe0"}));
}

TEST(Fabric, TellsPortsOfADeviceApart) {
  std::vector<Member> members = healthy();
  for (std::uint8_t last = 1; last <= 2; ++last) {
    const std::string host = "host" + std::to_string(last - 1);
    set_port(members, host, 0, port("mlx5_0", {10, 11, 0, last}, 2));
    set_port(members, host, 1, port("mlx5_0", {10, 10, 0, last}, 1));
  }
  const Fabric fabric = gather(members, Mismatch::fail);
  EXPECT_EQ(fabric.ranks[0].rails[0].port, 1);
  EXPECT_EQ(fabric.ranks[0].rails[1].port, 2);
  EXPECT_EQ(members[0].seen.ports[0].number, 1);
}

/// Of host `number`, two devices of two ports each: rails in 10.10 and 10.11, planes in the third
/// byte.
Member member_of_planes(std::uint8_t number) {
  const auto last = static_cast<std::uint8_t>(number + 1);
  Member made{"host" + std::to_string(number), {}};
  for (std::uint8_t rail = 0; rail < 2; ++rail) {
    for (std::uint8_t plane = 0; plane < 2; ++plane) {
      made.seen.ports.push_back(port("rxe" + std::to_string(rail),
                                     {10, static_cast<std::uint8_t>(10 + rail), plane, last},
                                     plane + 1));
    }
  }
  return made;
}

/// The (rail, plane) of a rank's ports.
std::vector<std::pair<int, int>> places_of(const results::Rank& rank) {
  std::vector<std::pair<int, int>> places;
  for (const results::RankRail& rail : rank.rails) places.emplace_back(rail.rail, rail.plane);
  return places;
}

using Places = std::vector<std::pair<int, int>>;

TEST(Fabric, MakesPortsOfOneDevicePlanesOfARail) {
  std::vector<Member> members{member_of_planes(0), member_of_planes(1)};
  const Fabric fabric = gather(members, Mismatch::fail);
  EXPECT_EQ(places_of(fabric.ranks[1]), (Places{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
  EXPECT_TRUE(fabric.findings.empty());
}

/// So that every rank has the same stripes.
TEST(Fabric, LeavesAPlaneOutThatOneHostLacks) {
  std::vector<Member> members{member_of_planes(0), member_of_planes(1), member_of_planes(2)};
  LocalHost& poor = members[1].seen;
  poor.ports.erase(poor.ports.begin() + 2);
  poor.others = {{{.device = "rxe1"}, "its port is DOWN", "check its cable"}};
  const Fabric fabric = gather(members, Mismatch::fail);
  for (const results::Rank& rank : fabric.ranks) {
    EXPECT_EQ(places_of(rank), (Places{{0, 0}, {0, 1}, {1, 1}})) << rank.host;
  }
  EXPECT_EQ(members[0].seen.ports.size(), 3U);
  EXPECT_NE(members[0].seen.left_out.find("rxe1 port 1 is left out: rail 1 plane 0 is not up on "
                                          "all hosts"),
            std::string::npos);
  ASSERT_EQ(fabric.findings.size(), 1U);
  EXPECT_EQ(sentence(fabric.findings[0]),
            "host1 rxe1 (rail 1 plane 0): missing plane: its port is DOWN, which costs 1/2 of its "
            "rail; check its cable");
  members[0] = member_of_planes(0);
  const Fabric reported = gather(members, Mismatch::report, {}, 2);
  EXPECT_EQ(places_of(reported.ranks[2]), (Places{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
}

TEST(Fabric, PutsNamedDevicesOnThePlanesThatTheySay) {
  std::vector<Member> members = healthy();
  DeviceOptions named;
  named.devices = {"rxe0::0:0", "rxe1::0:1"};
  for (Member& one : members) one.seen.named = topology::rail_map_of_devices(named.devices);
  const Fabric fabric = gather(members, Mismatch::fail, named);
  EXPECT_EQ(places_of(fabric.ranks[3]), (Places{{0, 0}, {0, 1}}));
}

/// The failure of 2 ranks on host0 and 3 on host1; empty if there is none.
std::string failure_of_nodes(int nodes, int per_node, int on_host1 = 3) {
  std::vector<results::Rank> ranks(2, {.host = "host0"});
  ranks.insert(ranks.end(), static_cast<std::size_t>(on_host1), {.host = "host1"});
  try {
    check_nodes(ranks, nodes, per_node);
  } catch (const job::RunFailure& failure) {
    EXPECT_EQ(failure.kind, Kind::usage);
    return failure.what();
  }
  return "";
}

TEST(Nodes, MayBeAnyNumber) {
  EXPECT_EQ(failure_of_nodes(0, 0), "");
}

TEST(Nodes, AreAsManyAsAskedFor) {
  EXPECT_EQ(failure_of_nodes(2, 0), "");
  for (const int nodes : {1, 3}) {
    EXPECT_EQ(failure_of_nodes(nodes, 0).find("--nodes " + std::to_string(nodes) +
                                              ", but the 5 ranks are on 2 hosts: host0 (2) host1 "
                                              "(3). "),
              0U);
  }
  EXPECT_EQ(failure_of_nodes(2, 0, 0).find("--nodes 2, but the 2 ranks are on 1 host: host0 (2). "),
            0U);
}

TEST(Nodes, HaveAsManyRanksAsAskedFor) {
  EXPECT_EQ(failure_of_nodes(0, 2, 2), "");
  EXPECT_EQ(failure_of_nodes(2, 2, 2), "");
  EXPECT_EQ(failure_of_nodes(0, 2).find("--ppn 2, but the 5 ranks are on 2 hosts:"), 0U);
  EXPECT_EQ(failure_of_nodes(0, 3).find("--ppn 3, but the 5 ranks are on 2 hosts:"), 0U);
  EXPECT_EQ(failure_of_nodes(3, 2, 2).find("--nodes 3, but the 4 ranks are on 2 hosts:"), 0U);
}

}  // namespace
}  // namespace railgauge::cluster
