#include "topology/host_map.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "topology/bundle.hpp"

namespace railgauge::topology {
namespace {

using Lines = std::vector<std::string>;

/// What a test says about a device: "mlx5_0 0000:16:00.0 node 0 [x16 32 GT/s of x16 32 GT/s] MT4129
/// 1:ACTIVE 400 Gb/s 10.10.0.7 gid 3 eth1".
std::string line_of(const HostMap& map, const RdmaDevice& device) {
  std::ostringstream text;
  text << device.name << " " << device.pci.address << " node " << device.locality.numa_node << " ["
       << to_string(device.pci.link) << " of " << to_string(device.pci.most()) << "] "
       << device.model;
  for (const RdmaPort& port : device.ports) {
    text << " " << port.number << ":" << port.state << " " << port.gigabits_per_second;
    if (const RdmaGid* gid = chosen_gid(map, port)) {
      text << " " << to_string(gid->gid) << " gid " << gid->index << " " << gid->netdev;
    }
  }
  return text.str();
}

Lines lines_of(const HostMap& map) {
  Lines lines;
  for (const RdmaDevice& device : map.devices) lines.push_back(line_of(map, device));
  return lines;
}

Lines remarks_of(const HostMap& map) {
  Lines remarks;
  for (const RdmaDevice& device : map.devices) {
    if (!device.locality.remark.empty()) {
      remarks.push_back(device.name + ": " + device.locality.remark);
    }
  }
  return remarks;
}

TEST(HostMap, OfTwoSocketsHasEightNicsEachBehindItsSwitch) {
  const HostMap map = bundle("two_sockets_eight_nics");
  const std::string pci = " [x16 32 GT/s of x16 32 GT/s] MT4129 1:ACTIVE 400 ";
  const Lines lines = lines_of(map);
  ASSERT_EQ(lines.size(), 10U);
  EXPECT_EQ(lines[0],
            "bnxt_re0 0000:03:00.0 node 0 [x8 8 GT/s of x8 8 GT/s] BCM57414 1:ACTIVE 25 "
            "192.168.0.7 gid 3 eth0");
  EXPECT_EQ(lines[1], "mlx5_0 0000:18:00.0 node 0" + pci + "10.10.0.7 gid 3 eth_mlx5_0");
  EXPECT_EQ(lines[2], "mlx5_1 0000:28:00.0 node 0" + pci + "10.11.0.7 gid 3 eth_mlx5_1");
  EXPECT_EQ(lines[3], "mlx5_2 0000:38:00.0 node 0" + pci + "10.12.0.7 gid 3 eth_mlx5_2");
  EXPECT_EQ(lines[4], "mlx5_3 0000:48:00.0 node 0" + pci + "10.13.0.7 gid 3 eth_mlx5_3");
  EXPECT_EQ(lines[5], "mlx5_4 0000:58:00.0 node 1" + pci + "10.14.0.7 gid 3 eth_mlx5_4");
  EXPECT_EQ(lines[6], "mlx5_5 0000:68:00.0 node 1" + pci + "10.15.0.7 gid 3 eth_mlx5_5");
  EXPECT_EQ(lines[7], "mlx5_6 0000:78:00.0 node 1" + pci + "10.16.0.7 gid 3 eth_mlx5_6");
  EXPECT_EQ(lines[8], "mlx5_7 0000:88:00.0 node 1" + pci + "10.17.0.7 gid 3 eth_mlx5_7");
  EXPECT_EQ(lines[9],
            "mlx5_8 0000:a5:00.0 node 1 [x16 8 GT/s of x16 8 GT/s] MT4119 1:ACTIVE 100 "
            "10.90.0.7 gid 3 eth_mlx5_8");
  EXPECT_EQ(remarks_of(map), Lines{});
  EXPECT_EQ(find_device(map, "mlx5_4")->pci.bridges,
            (Lines{"0000:55:01.0", "0000:56:00.0", "0000:57:00.0"}));
  ASSERT_EQ(map.nodes.size(), 2U);
  EXPECT_EQ(cpu_list(map.nodes[1].cpus), "8-15,24-31");
  EXPECT_EQ(map.nodes[1].cores.size(), 8U);
  EXPECT_EQ(map.nodes[1].cores[0], (CpuSet{8, 24}));
  EXPECT_EQ(map.nodes[1].memory_bytes, 256ULL << 30U);
  EXPECT_EQ(map.default_route, "eth0");
}

TEST(HostMap, OfFourNicsHasOneInANarrowPlace) {
  const HostMap map = bundle("four_nics");
  EXPECT_EQ(lines_of(map)[3],
            "mlx5_3 0000:41:00.0 node 0 [x8 32 GT/s of x16 32 GT/s] MT4129 1:ACTIVE 400 10.11.0.7 "
            "gid 3 eth_mlx5_3");
  ASSERT_NE(map.devices[3].pci.degraded(), nullptr);
  EXPECT_EQ(map.devices[3].pci.degraded()->upper, "0000:40:01.1");
  EXPECT_EQ(map.devices[2].pci.degraded(), nullptr);
}

TEST(HostMap, OfADualPortNicHasTwoFunctionsOfOneCard) {
  const HostMap map = bundle("dual_port");
  const std::string pci = " node 0 [x16 32 GT/s of x16 32 GT/s] MT4129 1:ACTIVE 400 ";
  EXPECT_EQ(lines_of(map), (Lines{"mlx5_0 0000:17:00.0" + pci + "10.10.0.7 gid 3 eth_mlx5_0",
                                  "mlx5_1 0000:17:00.1" + pci + "10.11.0.7 gid 3 eth_mlx5_1"}));
  EXPECT_EQ(map.devices[0].system_guid, map.devices[1].system_guid);
}

TEST(HostMap, OfADeviceWithTwoPortsHasBoth) {
  EXPECT_EQ(lines_of(bundle("two_ports")),
            (Lines{"mlx4_0 0000:17:00.0 node 0 [x8 8 GT/s of x8 8 GT/s] MT4103 1:ACTIVE 40 "
                   "10.10.0.7 gid 3 eth0 2:ACTIVE 40 10.11.0.7 gid 3 eth1"}));
}

TEST(HostMap, OfABondHasOneDeviceAndTheBondsMembers) {
  const HostMap map = bundle("bonded");
  EXPECT_EQ(lines_of(map),
            (Lines{"mlx5_bond_0 0000:17:00.0 node 0 [x16 32 GT/s of x16 32 GT/s] MT4129 1:ACTIVE "
                   "400 10.10.0.7 gid 3 bond0"}));
  EXPECT_EQ(find_netdev(map, "eth1")->master, "bond0");
  EXPECT_EQ(find_netdev(map, "eth1")->pci, "0000:17:00.0");
  EXPECT_EQ(find_netdev(map, "bond0")->pci, "");
}

TEST(HostMap, OfVirtualFunctionsAsksThePhysicalOne) {
  const HostMap map = bundle("sriov");
  EXPECT_EQ(lines_of(map)[1],
            "mlx5_1 0000:97:00.2 node 1 [x16 32 GT/s of x16 32 GT/s] MT4126 1:ACTIVE 400 "
            "10.10.0.107 gid 3 eth_mlx5_1");
  EXPECT_EQ(map.devices[1].pci.physical_function, "0000:97:00.0");
  EXPECT_EQ(remarks_of(map), Lines{});
}

TEST(HostMap, OfAVirtualMachineHasItsOnlyNode) {
  const HostMap map = bundle("vm_without_numa");
  EXPECT_EQ(lines_of(map), (Lines{"mlx5_0 0000:00:06.0 node 0 [ of ] MT4126 1:ACTIVE 400 10.10.0.7 "
                                  "gid 3 eth_mlx5_0"}));
  EXPECT_EQ(remarks_of(map),
            (Lines{"mlx5_0: sysfs says numa_node -1: NUMA node 0 is the only one"}));
}

TEST(HostMap, OfAnArmSocketHasPciDomains) {
  const HostMap map = bundle("arm_single_socket");
  EXPECT_EQ(map.devices.at(1).pci.address, "0009:01:00.0");
  EXPECT_EQ(map.nodes.at(0).cores.size(), 16U);
  EXPECT_EQ(remarks_of(map), Lines{});
}

TEST(HostMap, OfADeadPortSaysSoAndWhereHwlocIsWrong) {
  const HostMap map = bundle("dead_port");
  EXPECT_EQ(lines_of(map)[1],
            "mlx5_1 0000:27:00.0 node 0 [x16 32 GT/s of x16 32 GT/s] MT4129 1:DOWN 400");
  EXPECT_EQ(lines_of(map)[2].substr(0, 26), "mlx5_2 0000:97:00.0 node 1");
  EXPECT_EQ(remarks_of(map), (Lines{"mlx5_2: hwloc puts it on NUMA node 0, sysfs on NUMA node 1: "
                                    "using sysfs, by which the driver allocates"}));
}

TEST(HostMap, OfAContainerAllowsItsCpusOnly) {
  const HostMap map = bundle("cgroup");
  EXPECT_EQ(cpu_list(map.allowed), "0-5,16-21");
  EXPECT_EQ(cpu_list(map.nodes[1].cpus), "8-15,24-31");
  Recording unbound = bundle_recording("cgroup");
  unbound.allowed = {};
  EXPECT_EQ(cpu_list(read_host(unbound).allowed), "0-5,16-21");  // hwloc's XML says so too
}

TEST(HostMap, OfASoftwareDeviceIsWhereItsNetworkDeviceIs) {
  const HostMap map = bundle("software");
  ASSERT_EQ(map.devices.size(), 1U);
  EXPECT_TRUE(map.devices[0].software);
  EXPECT_EQ(map.devices[0].pci.address, "0000:00:03.0");
  EXPECT_EQ(map.devices[0].pci.driver, "virtio-pci");
}

/// Recorded on a host of launchers/lab, with Linux's rdma_rxe over virtio.
TEST(HostMap, OfARecordedHostIsThatHost) {
  const HostMap map = bundle("rxe_recorded");
  EXPECT_EQ(lines_of(map),
            (Lines{"rxe0 0000:00:07.0 node 0 [ of ]  1:ACTIVE 2.5 10.10.0.1 gid 1 rail0",
                   "rxe1 0000:00:08.0 node 0 [ of ]  1:ACTIVE 2.5 10.11.0.1 gid 1 rail1"}));
  EXPECT_TRUE(map.devices.at(0).software);
  EXPECT_EQ(cpu_list(map.allowed), "0");
}

TEST(HostMap, OfNoDeviceHasItsCpus) {
  const HostMap map = bundle("no_device");
  EXPECT_TRUE(map.devices.empty());
  EXPECT_EQ(map.nodes.size(), 1U);
  EXPECT_EQ(map.netdevs.at(0).addresses.size(), 1U);
}

TEST(HostMap, OfHwlocsXmlAloneHasDevicesWithoutPorts) {
  Recording alone;
  alone.hwloc_xml = bundle_recording("four_nics").hwloc_xml;
  const HostMap map = read_host(alone);
  EXPECT_EQ(lines_of(map),
            (Lines{"mlx5_0 0000:c1:00.0 node 1 [ of ] ", "mlx5_1 0000:e1:00.0 node 1 [ of ] ",
                   "mlx5_2 0000:01:00.0 node 0 [ of ] ", "mlx5_3 0000:41:00.0 node 0 [ of ] "}));
}

TEST(HostMap, IsNotMadeOfWhatIsNoXml) {
  Recording broken;
  broken.hwloc_xml = "<?xml nonsense";
  EXPECT_THROW(read_host(broken), std::invalid_argument);
}

TEST(RdmaPort, HasNoSpeedThatIsNoNumber) {
  for (const char* rate : {"", "nan Gb/sec", "inf", "-4 Gb/sec", "fast"}) {
    Recording recording = bundle_recording("dual_port");
    recording.files["class/infiniband/mlx5_0/ports/1/rate"] = rate;
    recording.files["bus/pci/devices/0000:17:00.0/current_link_width"] = "-inf";
    const HostMap map = read_host(recording);
    EXPECT_EQ(map.devices.at(0).ports.at(0).gigabits_per_second, 0) << rate;
    EXPECT_FALSE(map.devices[0].pci.link.known());
  }
}

TEST(RdmaPort, ChoosesItsGidByRule) {
  const auto gid = [](int index, const char* text, const char* type = "RoCE v2") {
    return RdmaGid{index, parse_ip_address(text).value(), type, "eth1"};
  };
  HostMap map;
  map.netdevs.push_back({.name = "eth1"});
  RdmaPort port;
  const auto choice = [&] {
    map.netdevs[0].addresses.clear();
    for (const RdmaGid& one : port.gids) map.netdevs[0].addresses.push_back({"eth1", one.gid, 24});
    const RdmaGid* const chosen = chosen_gid(map, port);
    return chosen == nullptr ? -1 : chosen->index;
  };
  EXPECT_EQ(choice(), -1);
  port.gids = {gid(0, "fe80::1"), gid(1, "10.0.0.1", "IB/RoCE v1")};
  EXPECT_EQ(choice(), -1);
  port.gids.push_back(gid(2, "169.254.0.1"));
  EXPECT_EQ(choice(), 2);
  port.gids.push_back(gid(5, "fd00::1"));
  EXPECT_EQ(choice(), 5);
  port.gids.push_back(gid(6, "10.0.0.1"));
  port.gids.push_back(gid(7, "10.0.0.2"));
  EXPECT_EQ(choice(), 6);
  map.netdevs[0].addresses = {{"eth1", parse_ip_address("10.0.0.2").value(), 24}};
  EXPECT_EQ(chosen_gid(map, port)->index, 7);  // the others are of another network namespace
}

}  // namespace
}  // namespace railgauge::topology
