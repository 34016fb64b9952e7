#include "topology/recording.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "topology/host_map.hpp"
#include "topology/hwloc_map.hpp"

namespace railgauge::topology {
namespace {

namespace fs = std::filesystem;

/// A /sys with one device, in a folder that goes away with the test.
class RecordSysfs : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "railgauge_record_XXXXXX";
    sysfs_ = ::mkdtemp(name.data());
    has(kPci + "/numa_node", "0\n");
    has(kPci + "/vpd", "serial number 12345\n");
    has(kPci + "/infiniband/mlx5_0/ports/1/state", "4: ACTIVE\n");
    has(kPci + "/infiniband/mlx5_0/node_desc", "somebody's\n");
    has(kPci + "/infiniband/mlx5_0/ports/1/gids/0", std::string(kNoGid) + "\n");
    has(kPci + "/infiniband/mlx5_0/ports/1/gids/1", "0000:0000:0000:0000:0000:ffff:0a0a:0001\n");
    has(kPci + "/infiniband/mlx5_0/ports/1/gid_attrs/types/1", "RoCE v2\n");
    has(kPci + "/net/eth1/address", "02:00:00:00:00:01\n");
    has(kPci + "/net/eth1/mtu", "9000\n");
    links("class/infiniband/mlx5_0", kPci + "/infiniband/mlx5_0");
    links("class/net/eth1", kPci + "/net/eth1");
    links("bus/pci/devices/0000:16:00.0", kPci);
    links(kPci + "/infiniband/mlx5_0/device", kPci);
    links(kPci + "/net/eth1/device", kPci);
  }
  void TearDown() override { fs::remove_all(sysfs_); }

  void has(const std::string& file, const std::string& content) const {
    fs::create_directories((sysfs_ / file).parent_path());
    std::ofstream(sysfs_ / file) << content;
  }
  void links(const std::string& from, const std::string& to) const {
    fs::create_directories((sysfs_ / from).parent_path());
    fs::create_symlink(sysfs_ / to, sysfs_ / from);
  }

  const std::string kPci = "devices/pci0000:15/0000:15:01.0/0000:16:00.0";
  static constexpr const char* kNoGid = "0000:0000:0000:0000:0000:0000:0000:0000";
  fs::path sysfs_;
};

TEST_F(RecordSysfs, HasWhatIsNeededAndNothingElse) {
  const Recording recording = record_here(sysfs_);
  const std::string port = "class/infiniband/mlx5_0/ports/1/";
  EXPECT_EQ(recording.files, (std::map<std::string, std::string>{
                                 {"bus/pci/devices/0000:16:00.0/numa_node", "0"},
                                 {"class/net/eth1/mtu", "9000"},
                                 {port + "gids/1", "0000:0000:0000:0000:0000:ffff:0a0a:0001"},
                                 {port + "gid_attrs/types/1", "RoCE v2"},
                                 {port + "state", "4: ACTIVE"}}));
  EXPECT_EQ(recording.links,
            (std::map<std::string, std::string>{{"class/infiniband/mlx5_0/device", kPci},
                                                {"class/net/eth1/device", kPci}}));
}

TEST_F(RecordSysfs, IsEnoughToFindTheDevice) {
  Recording recording = record_here(sysfs_);
  recording.addresses = {{"eth1", parse_ip_address("10.10.0.1").value(), 24}};
  const HostMap map = read_host(recording);
  ASSERT_EQ(map.devices.size(), 1U);
  EXPECT_EQ(map.devices[0].pci.address, "0000:16:00.0");
  const RdmaGid* const gid = chosen_gid(map, map.devices[0].ports.at(0));
  ASSERT_NE(gid, nullptr);
  EXPECT_EQ(to_string(gid->gid), "10.10.0.1");
}

TEST_F(RecordSysfs, HasWhereASoftwareDevicesNetworkDeviceIs) {
  has("devices/virtual/infiniband/rxe0/parent", "eth1\n");
  links("class/infiniband/rxe0", "devices/virtual/infiniband/rxe0");
  fs::remove(sysfs_ / "class/infiniband/mlx5_0");
  const HostMap map = read_host(record_here(sysfs_));
  ASSERT_EQ(map.devices.size(), 1U);
  EXPECT_TRUE(map.devices[0].software);
  EXPECT_EQ(map.devices[0].pci.address, "0000:16:00.0");
  EXPECT_EQ(map.devices[0].locality.numa_node, 0);
}

TEST(Record, HasThisMachinesCpusWithoutHwlocsNotes) {
  const Recording recording = record_here("/nowhere");
  EXPECT_TRUE(recording.files.empty());
  EXPECT_FALSE(recording.host.empty());
  EXPECT_EQ(recording.hwloc_xml.find("<info"), std::string::npos);
  EXPECT_EQ(recording.hwloc_xml.find("HostName"), std::string::npos);
  const HostMap map = read_host(recording);
  ASSERT_FALSE(map.nodes.empty());
  EXPECT_FALSE(map.nodes[0].cores.empty());
  EXPECT_FALSE(map.allowed.empty());
}

}  // namespace
}  // namespace railgauge::topology
