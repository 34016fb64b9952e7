#include "topology/nic_choice.hpp"

#include <gtest/gtest.h>

#include "topology/bundle.hpp"
#include "topology/fabrics.hpp"

namespace railgauge::topology {
namespace {

using Names = std::vector<std::string>;

/// A host by itself: what could be rails, without the ports of other fabrics.
Host chosen(const HostMap& map, const NicWishes& wishes = {}) {
  return separate_fabrics({choose_nics(map, wishes)}, wishes).hosts.at(0);
}

Names rails_of(const Host& choice) {
  Names names;
  for (const Nic& nic : choice.rails) names.push_back(name_of(nic));
  return names;
}

Names left_out_of(const Host& choice) {
  Names reasons;
  for (const LeftOut& one : choice.left_out) reasons.push_back(one.device + ": " + one.reason);
  return reasons;
}

TEST(NicChoice, LeavesStorageAndManagementOut) {
  const Host choice = chosen(bundle("two_sockets_eight_nics"));
  EXPECT_EQ(rails_of(choice), (Names{"mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3", "mlx5_4", "mlx5_5",
                                     "mlx5_6", "mlx5_7"}));
  EXPECT_EQ(left_out_of(choice),
            (Names{"bnxt_re0: of the fabric management: 25 Gb/s, the rails 400",
                   "mlx5_8: of the fabric storage: 100 Gb/s, the rails 400"}));
}

TEST(NicChoice, TellsAddressesAndSpeeds) {
  const Nic nic = chosen(bundle("two_sockets_eight_nics")).rails.at(4);
  EXPECT_EQ(nic.address, "10.14.0.7");
  EXPECT_EQ(nic.prefix_length, 24);
  EXPECT_EQ(nic.netdev, "eth_mlx5_4");
  EXPECT_EQ(nic.pci, "0000:58:00.0");
  EXPECT_EQ(nic.gigabits_per_second, 400);
}

TEST(NicChoice, IsInPciOrder) {
  EXPECT_EQ(rails_of(chosen(bundle("four_nics"))), (Names{"mlx5_2", "mlx5_3", "mlx5_0", "mlx5_1"}));
}

TEST(NicChoice, HasBothFunctionsAndBothPorts) {
  EXPECT_EQ(rails_of(chosen(bundle("dual_port"))), (Names{"mlx5_0", "mlx5_1"}));
  EXPECT_EQ(rails_of(chosen(bundle("two_ports"))), (Names{"mlx4_0", "mlx4_0 port 2"}));
}

TEST(NicChoice, HasTheBondAndNotItsMembers) {
  EXPECT_EQ(rails_of(chosen(bundle("bonded"))), (Names{"mlx5_bond_0"}));
  HostMap map = bundle("bonded");
  map.devices[0].ports[0].gids.erase(map.devices[0].ports[0].gids.begin() + 2,
                                     map.devices[0].ports[0].gids.end());
  for (RdmaGid& gid : map.devices[0].ports[0].gids) gid.netdev = "eth1";
  EXPECT_EQ(left_out_of(chosen(map)),
            (Names{"mlx5_bond_0: its network device is a member of bond0"}));
}

TEST(NicChoice, HasThePhysicalFunctionAndNotTheVirtual) {
  const Host choice = chosen(bundle("sriov"));
  EXPECT_EQ(rails_of(choice), (Names{"mlx5_0"}));
  EXPECT_EQ(left_out_of(choice),
            (Names{"mlx5_2: it has no IP address",
                   "mlx5_1: it is a virtual function of mlx5_0, which is a rail"}));
  EXPECT_EQ(rails_of(chosen(bundle("sriov"), {.include = PortPattern("mlx5_1")})),
            (Names{"mlx5_1"}));
}

TEST(NicChoice, HasTheVirtualFunctionOfAVirtualMachine) {
  EXPECT_EQ(rails_of(chosen(bundle("vm_without_numa"))), (Names{"mlx5_0"}));
}

TEST(NicChoice, LeavesADeadPortOutAndKeepsASlowOne) {
  const Host choice = chosen(bundle("dead_port"));
  EXPECT_EQ(rails_of(choice), (Names{"mlx5_0", "mlx5_2", "mlx5_3"}));
  EXPECT_EQ(left_out_of(choice), (Names{"mlx5_1: its port is DOWN"}));
}

TEST(NicChoice, HasTheOnlyDeviceEvenOnTheDefaultRoute) {
  EXPECT_EQ(rails_of(chosen(bundle("software"))), (Names{"rxe0"}));
}

TEST(NicChoice, LeavesTheDefaultRouteOutBesideOthers) {
  HostMap map = bundle("arm_single_socket");
  map.default_route = "eth_mlx5_0";
  EXPECT_EQ(left_out_of(chosen(map)),
            (Names{"mlx5_0: of the fabric management: the default route leaves by eth_mlx5_0"}));
  EXPECT_EQ(rails_of(chosen(map, {.include = PortPattern("mlx5")})), (Names{"mlx5_0", "mlx5_1"}));
}

TEST(NicChoice, DoesAsTheUserSays) {
  const HostMap map = bundle("two_sockets_eight_nics");
  EXPECT_EQ(rails_of(chosen(map, {.include = PortPattern("=mlx5_8,bnxt_re0")})),
            (Names{"bnxt_re0", "mlx5_8"}));
  EXPECT_EQ(rails_of(chosen(map, {.exclude = PortPattern("^mlx5_7")})), (Names{"mlx5_7"}));
  EXPECT_EQ(rails_of(chosen(map, {.rail_map = {{"mlx5_8", {}, 0}}})), (Names{"mlx5_8"}));
  const Host choice = chosen(map, {.exclude = PortPattern("bnxt")});
  EXPECT_EQ(left_out_of(choice)[0], "bnxt_re0: excluded by 'bnxt'");
}

TEST(NicChoice, DoesNotTakeWhatCannotBeUsed) {
  HostMap map = bundle("dual_port");
  map.devices[0].ports[0].link_layer = "InfiniBand";
  map.netdevs.clear();
  EXPECT_EQ(
      left_out_of(chosen(map, {.include = PortPattern("mlx5")})),
      (Names{"mlx5_0: its link layer is InfiniBand",
             "mlx5_1: its network interface is not in this network namespace: its GID 10.11.0.7 is "
             "not an address here"}));
}

TEST(NicChoice, TellsRoceV1AloneFromNoAddress) {
  HostMap map = bundle("dual_port");
  std::erase_if(map.devices[0].ports[0].gids,
                [](const RdmaGid& gid) { return gid.type == "RoCE v2"; });
  map.devices[1].ports[0].gids.resize(2);  // of fe80 alone
  EXPECT_EQ(left_out_of(chosen(map)),
            (Names{"mlx5_0: its GIDs are of RoCE v1 only",
                   "mlx5_1: no GID has the address 10.11.0.7 of eth_mlx5_1"}));
  for (Netdev& netdev : map.netdevs) netdev.addresses.clear();
  EXPECT_EQ(left_out_of(chosen(map))[1], "mlx5_1: it has no IP address");
  EXPECT_EQ(chosen(map).left_out[1].remedy, "give eth_mlx5_1 one");
}

TEST(NicChoice, SeesThatAPodHasItsHostsDevicesWithoutTheirNetworkDevices) {
  HostMap map = bundle("dual_port");
  map.netdevs.clear();
  for (RdmaGid& gid : map.devices[1].ports[0].gids) gid.netdev = gid.type = "";
  EXPECT_EQ(left_out_of(chosen(map))[1],
            "mlx5_1: its network interface is not in this network namespace: its GID 10.11.0.7 is "
            "not an address here");
}

TEST(NicChoice, TellsDevicesWithoutRoce) {
  HostMap map = bundle("dual_port");
  map.devices[0].node_type = "RNIC";
  for (const char* const word : {"Unknown", "Unspecified"}) {
    map.devices[1].ports[0].link_layer = word;
    EXPECT_EQ(left_out_of(chosen(map)),
              (Names{"mlx5_0: it is an iWARP device, which has no RoCE",
                     "mlx5_1: it is not a RoCE device, and has no RC queue pairs (EFA)"}));
    EXPECT_EQ(chosen(map).left_out[1].remedy, "");
  }
}

TEST(NicChoice, TakesAnAddressOfTheNamespaceBeforeAForeignOne) {
  HostMap map = bundle("dual_port");
  auto& gids = map.devices[0].ports[0].gids;
  RdmaGid foreign = gids.back();
  foreign.gid = parse_ip_address("10.99.0.1").value();
  foreign.netdev = "";
  gids.insert(gids.begin(), foreign);
  EXPECT_EQ(chosen(map).rails.at(0).address, "10.10.0.7");
}

TEST(NicChoice, TakesIpv4LinkLocalAddresses) {
  HostMap map = bundle("vm_without_numa");
  const IpAddress local = parse_ip_address("169.254.1.7").value();
  for (Netdev& netdev : map.netdevs) {
    if (netdev.name == "eth_mlx5_0") netdev.addresses.at(0).address = local;
  }
  for (RdmaGid& gid : map.devices.at(0).ports.at(0).gids) {
    if (is_ipv4(gid.gid)) gid.gid = local;
  }
  EXPECT_EQ(chosen(map).rails.at(0).address, "169.254.1.7");
}

TEST(NicChoice, SaysWhyAPortIsNotWantedThatTheHostDoesNotKnow) {
  EXPECT_EQ(why_unwanted("soft0", 1, {}), "");
  EXPECT_EQ(why_unwanted("soft0", 1, {.include = PortPattern("soft")}), "");
  EXPECT_EQ(why_unwanted("soft0", 1, {.include = PortPattern("mlx5")}), "not included by 'mlx5'");
  EXPECT_EQ(why_unwanted("soft0", 1, {.exclude = PortPattern("soft0:1")}), "excluded by 'soft0:1'");
  EXPECT_EQ(why_unwanted("soft0", 1, {.rail_map = {{"soft1", {}, 0}}}), "not in the rail map");
}

}  // namespace

}  // namespace railgauge::topology
