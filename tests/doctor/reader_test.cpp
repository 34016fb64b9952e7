#include "doctor/reader.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "doctor/hosts.hpp"

namespace railgauge::doctor {
namespace {

namespace fs = std::filesystem;

/// A copied tree with one mlx5 device, under a folder of its own.
class Tree : public ::testing::Test {
 protected:
  Tree() : root_(fs::path(::testing::TempDir()) / ("doctor_tree_" + name())) {
    fs::remove_all(root_);
    put("proc/sys/kernel/hostname", "node9\n");
    put("proc/sys/kernel/osrelease", "6.8.0\n");
    put("proc/meminfo", "MemTotal:       1056423412 kB\nMemFree:  1 kB\n");
    put("proc/cpuinfo",
        "model name\t: AMD EPYC 9654\nflags\t\t: fpu tsc constant_tsc nonstop_tsc\n\n");
    put("proc/net/route",
        "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\n"
        "eth9\t00000000\t0109A8C0\t0003\t0\t0\t0\t00000000\n"
        "eth0\t00000A0A\t00000000\t0001\t0\t0\t0\t00FFFFFF\n");
    put("proc/net/arp",
        "IP address       HW type     Flags       HW address            Mask     Device\n"
        "10.10.0.2        0x1         0x2         0c:42:a1:00:02:00     *        eth0\n"
        "10.10.0.3        0x1         0x0         00:00:00:00:00:00     *        eth0\n"
        "192.168.9.1      0x1         0x2         52:54:00:00:00:01     *        eth9\n"
        "10.10.0.4        0x1         0x6         0c:42:a1:00:04:00     *        eth0\n");
    for (const char* const cpu : {"cpu0", "cpu1"}) {
      const std::string path = std::string("sys/devices/system/cpu/") + cpu + "/";
      put(path + "cpufreq/scaling_governor", cpu[3] == '0' ? "performance\n" : "powersave\n");
      put(path + "cpuidle/state0/latency", "2\n");
      put(path + "cpuidle/state1/latency", "350\n");
      put(path + "cpuidle/state1/disable", "1\n");
    }
    add_device();
  }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;
  ~Tree() override { fs::remove_all(root_); }

  static std::string name() {
    return ::testing::UnitTest::GetInstance()->current_test_info()->name();
  }

  void put(const std::string& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path, std::ios::binary) << text;
  }

  void link(const std::string& path, const std::string& to) const {
    fs::create_directories((root_ / path).parent_path());
    fs::create_directories(root_ / to);
    fs::create_directory_symlink(root_ / to, root_ / path);
  }

  void add_device() const {
    const std::string pci = "sys/devices/pci0000:10/0000:10:01.0/0000:11:00.0";
    link("sys/bus/pci/devices/0000:11:00.0", pci);
    link("sys/bus/pci/devices/0000:10:01.0", "sys/devices/pci0000:10/0000:10:01.0");
    link("sys/class/infiniband/mlx5_0/device", pci);
    const std::string device = "sys/class/infiniband/mlx5_0/";
    put(device + "fw_ver", "28.39.1002\n");
    put(device + "ports/1/state", "4: ACTIVE\n");
    put(device + "ports/1/link_layer", "Ethernet\n");
    put(device + "ports/1/gids/0", "0000:0000:0000:0000:0000:ffff:0a0a:0009\n");
    put(device + "ports/1/gid_attrs/types/0", "RoCE v2\n");
    put(device + "ports/1/gid_attrs/ndevs/0", "eth0\n");
    put("sys/class/net/eth0/mtu", "9000\n");
    for (int priority = 0; priority < 8; ++priority)
      put("sys/class/net/eth0/ecn/roce_np/enable/" + std::to_string(priority), "1\n");
    put(pci + "/config", std::string(64, '\0'));
    put(pci + "/aer_dev_fatal", "Undefined 0\nDLP 2\nTOTAL_ERR_FATAL 2\n");
    put(pci + "/msi_irqs/40", "msix\n");
    put("proc/irq/40/smp_affinity_list", "0-3\n");
    link(pci + "/iommu_group", "sys/kernel/iommu_groups/7");
    put("sys/kernel/iommu_groups/7/type", "identity\n");
  }

  fs::path root_;
};

TEST_F(Tree, IsReadWithoutTheKernel) {
  const topology::Recording read = record(root_, "0.1.0 test");
  EXPECT_EQ(read.host, "node9");
  EXPECT_EQ(read.default_route, "eth9");
  ASSERT_EQ(read.addresses.size(), 1U);
  EXPECT_EQ(to_string(read.addresses[0].address), "10.10.0.9");
  EXPECT_EQ(read.addresses[0].prefix_length, 24);
  EXPECT_EQ(read.line("memory/total-kb"), "1056423412");
  EXPECT_EQ(read.line("cpu/model"), "AMD EPYC 9654");
  EXPECT_EQ(read.line("cpu/hypervisor"), "no");
  EXPECT_EQ(read.line("cpu/tsc"), "constant_tsc nonstop_tsc");
  EXPECT_EQ(read.line("cpu/governors"), "performance 1, powersave 1");
  EXPECT_EQ(read.line("cpu/idle-latency-us"), "2");
  EXPECT_EQ(read.line("pci/0000:11:00.0/aer-fatal"), "2");
  EXPECT_EQ(read.line("pci/0000:11:00.0/irq-cpus"), "0-3");
  EXPECT_EQ(read.line("pci/0000:11:00.0/iommu"), "identity");
  EXPECT_EQ(read.line("ecn/eth0/roce_np"), "0:1 1:1 2:1 3:1 4:1 5:1 6:1 7:1");
  EXPECT_EQ(read.line("neighbours/eth0"),
            "10.10.0.2=0c:42:a1:00:02:00 10.10.0.4=0c:42:a1:00:04:00");
  EXPECT_EQ(read.line("railgauge/version"), "0.1.0 test");
}

/// Of drivers without a table of DSCPs in DCB netlink.
TEST_F(Tree, HasTheTrustThatADriversFilesTell) {
  const std::string map = "dcb/eth0/dscp-to-priority";
  const std::string qos = "sys/class/net/eth0/qos/";
  EXPECT_FALSE(record(root_, "").files.contains(map));
  put(qos + "trust", "dscp\n");
  EXPECT_EQ(record(root_, "").unread.at(map), "ENODATA");
  put(qos + "dscp2prio", "dscp\tprio\n26\t3\n48\t6\n");
  EXPECT_EQ(record(root_, "").line(map), "26:3 48:6");
  put(qos + "trust", "pcp\n");
  EXPECT_EQ(record(root_, "").line(map), "none");
  put(qos + "trust", "of another driver\n");
  EXPECT_FALSE(record(root_, "").files.contains(map));
}

TEST_F(Tree, SaysWhyItCouldNotBeRead) {
  const topology::Recording read = record(root_, "");
  EXPECT_EQ(read.unread.at("pci/0000:11:00.0/max-payload"), "EACCES");  // 64 bytes are for anybody
  EXPECT_EQ(read.unread.at("class/infiniband/mlx5_0/board_id"), "ENOENT");
  EXPECT_EQ(read.unread.at("ecn/eth0/roce_rp"), "ENOENT");
  EXPECT_FALSE(read.files.contains("process/memlock"));
  EXPECT_THROW(static_cast<void>(record("/no/such/root", "")), std::runtime_error);
}

TEST_F(Tree, IsTheSameAsItsRecording) {
  const topology::Recording read = record(root_, "0.1.0");
  std::istringstream text(to_text(read));
  const topology::Recording again = topology::parse_recording(text);
  EXPECT_EQ(again.files, read.files);
  EXPECT_EQ(again.unread, read.unread);
  EXPECT_EQ(examined({again}).report.findings.size(), examined({read}).report.findings.size());
  EXPECT_EQ(outcome(examined({again}).report), finding::Outcome::fail);  // fatal PCIe errors
}

TEST(Reader, CountsWords) {
  EXPECT_EQ(counted_words({}), "");
  EXPECT_EQ(counted_words({"a", "b", "a"}), "a 2, b 1");
}

}  // namespace
}  // namespace railgauge::doctor
