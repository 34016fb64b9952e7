// Every check with a host that passes, one that does not, and one on which it cannot be read.

#include <gtest/gtest.h>

#include <set>

#include "doctor/hosts.hpp"

namespace railgauge::doctor {
namespace {

using topology::Recording;

/// A value that is wrong, on the first of several hosts.
struct Planted {
  const char* check;
  const char* path;
  const char* value;
  Verdict verdict;
  const char* says;  // a part of the sentence
};

constexpr Verdict kWarn = Verdict::warn;
constexpr Verdict kFail = Verdict::fail;
constexpr Verdict kUnknown = Verdict::unknown;

#define IB "class/infiniband/mlx5_0/"
#define PORT IB "ports/1/"
#define NET "class/net/eth0/"
#define PCI "bus/pci/devices/0000:11:00.0/"
#define SET "pci/0000:11:00.0/"
#define OPTICS "module/eth0/"
#define IP "proc/sys/net/ipv4/"

const std::vector<Planted> kPlanted{
    {"firmware", IB "fw_ver", "28.36.1010", kWarn, "28.36.1010, expected 28.39.1002"},
    {"firmware-pending", "devlink/0000:11:00.0/pending", "fw.version 28.39.1002 to 28.40.1000",
     kWarn, "to 28.40.1000, expected none"},
    {"rdma-namespaces", "rdma/network-namespaces", "exclusive", kWarn,
     "exclusive, expected shared"},
    {"board", IB "board_id", "MT_0000000999", kWarn, "MT_0000000999"},
    {"node-guid", IB "node_guid", "0000:0000:0000:0000", kFail, "expected not zero"},
    {"mac", NET "address", "00:00:00:00:00:00", kFail, "expected not zero"},
    {"mac", NET "address", "0c:42:a1:00:02:00", kFail, "has it, too"},
    {"kernel", "proc/sys/kernel/osrelease", "6.5.0", kWarn, "expected 6.8.0-45-generic"},
    {"build", "railgauge/version", "0.1.0 123456", kFail, "most hosts"},
    {"cpu-model", "cpu/model", "Xeon", kWarn, "Xeon"},
    {"driver-version", "ethtool/eth0/driver-version", "mlx5_core 5.8", kWarn, "5.8"},
    {"port-state", PORT "state", "1: DOWN", kFail, "DOWN, expected ACTIVE"},
    {"port-state", PORT "state", "2: INIT", kFail, "INIT, expected ACTIVE"},
    {"physical-state", PORT "phys_state", "2: Polling", kFail, "Polling, expected LinkUp"},
    {"operating-state", NET "operstate", "down", kFail, "down, expected up"},
    {"operating-state", NET "operstate", "unknown", kUnknown, "not understood"},
    {"carrier", NET "carrier", "0", kFail, "carrier is 0"},
    {"link-layer", PORT "link_layer", "InfiniBand", kFail, "InfiniBand, expected Ethernet"},
    {"port-speed", NET "speed", "-1", kUnknown, "not understood: '-1'"},
    {"link-width", PORT "rate", "100 Gb/sec (1X NDR)", kWarn, "1X, expected 4X"},
    {"link-width", PORT "rate", "fast", kUnknown, "not understood: 'fast'"},
    {"duplex", NET "duplex", "half", kFail, "half, expected full"},
    {"duplex", NET "duplex", "unknown", kUnknown, "not understood"},
    {"link-flaps", NET "carrier_down_count", "62", kWarn, "6 a day"},
    {"fec", "ethtool/eth0/fec", "off", kWarn, "RS or BaseR"},
    {"fec", "ethtool/eth0/fec", "BaseR", kWarn, "BaseR, expected RS"},
    {"fec-blocks", "counters/mlx5_0/1/fec_uncorrectable_blocks", "5000", kWarn, "500 a day"},
    {"fec-blocks", "counters/mlx5_0/1/fec_uncorrectable_blocks", "many", kUnknown, "'many, 864000"},
    {"module-temperature", OPTICS "temperature", "76 within -5 75", kFail, "76 degrees C"},
    {"module-temperature", OPTICS "temperature", "72 within -5 75", kWarn, "nearer than 5"},
    {"module-temperature", OPTICS "temperature", "hot", kUnknown, "not understood"},
    {"module-rx-power", OPTICS "rx-power", "-1 -1 -40 -1 within -10.4 5", kFail, "-40 dBm to -1"},
    {"module-rx-power", OPTICS "rx-power", "-1 -9.8 within -10.4 5", kWarn, "to an alarm"},
    {"module-rx-power", OPTICS "rx-power", "-1 within -10.4", kUnknown, "not understood"},
    {"module-tx-power", OPTICS "tx-power", "-7 0 0 0 within -6.6 5", kFail, "alarm limits"},
    {"bond-members", "bond/eth0/members", "p0:up:200000 p1:down:-1", kFail, "all up"},
    {"bond-members", "bond/eth0/members", "p0:up:200000 p1:up:100000", kFail, "one speed"},
    {"bond-members", "bond/eth0/members", "p0:up:200000", kFail, "two members"},
    {"bond-members", "bond/eth0/members", "none", kUnknown, "not understood"},
    {"crc-errors", NET "statistics/rx_crc_errors", "5000000", kWarn, "% since boot"},
    {"pcie-speed", PCI "current_link_speed", "16.0 GT/s PCIe", kFail, "16 GT/s, expected 32 GT/s"},
    {"pcie-width", PCI "current_link_width", "8", kFail, "x8, expected x16"},
    {"pcie-speed", PCI "current_link_speed", "Unknown", kUnknown, "no speed"},
    {"max-payload", SET "max-payload", "128", kWarn, "at least 256"},
    {"max-payload", SET "max-payload", "256", kWarn, "expected 512"},
    {"max-read-request", SET "max-read-request", "256", kWarn, "at least 512"},
    {"relaxed-ordering", SET "relaxed-ordering", "off", kWarn, "off, expected on"},
    {"acs", SET "acs-above", "on", kWarn, "on, expected off"},
    {"iommu", SET "iommu", "DMA-FQ", kWarn, "DMA-FQ, expected identity"},
    {"pcie-fatal-errors", SET "aer-fatal", "2", kFail, "2 since boot"},
    {"pcie-nonfatal-errors", SET "aer-nonfatal", "7", kWarn, "7 since boot"},
    {"pcie-corrected-errors", SET "aer-correctable", "90000", kWarn, "9000 a day"},
    {"pcie-power", PCI "power_state", "D3hot", kWarn, "D3hot, expected D0"},
    {"numa-node", PCI "numa_node", "-1", kUnknown, "does not report its node"},
    {"virtual-functions", PCI "sriov_numvfs", "8", kWarn, "8, expected 0"},
    {"governor", "cpu/governors", "performance 62, powersave 2", kWarn, "powersave 2"},
    {"governor", "cpu/governors", "schedutil 64", kWarn, "schedutil 64"},
    {"idle-states", "cpu/idle-latency-us", "350", kWarn, "350 us"},
    {"cpus-online", "devices/system/cpu/online", "0-61", kWarn, "0-61, expected 0-63"},
    {"smt", "devices/system/cpu/smt/active", "0", kWarn, "0, expected 1"},
    {"numa-balancing", "proc/sys/kernel/numa_balancing", "1", kWarn, "1, expected 0"},
    {"zone-reclaim", "proc/sys/vm/zone_reclaim_mode", "1", kWarn, "1, expected 0"},
    {"page-size", "kernel/mm/transparent_hugepage/enabled", "always madvise [never]", kWarn,
     "4 KiB only"},
    {"memory", "memory/total-kb", "989314548", kWarn, "944 GiB, expected 1008 GiB"},
    {"memlock", "process/memlock", "65536", kFail, "64 KiB, expected unlimited"},
    {"memlock", "process/memlock", "8589934592", kWarn, "8 GiB"},
    {"memlock", "process/memlock", "much", kUnknown, "not understood: 'much'"},
    {"open-files", "process/open-files", "1024", kWarn, "1024, expected at least 4096"},
    {"shared-memory", "process/shared-memory", "67108864", kFail, "64 MiB"},
    {"shared-memory", "process/shared-memory", "1073741824", kWarn, "1 GiB"},
    {"cgroup-memory", "process/cgroup-memory", "4294967296", kWarn, "4 GiB"},
    {"irq-affinity", SET "irq-cpus", "32-47", kWarn, "CPUs 32-47, expected some of 0-31"},
    {"cpu-affinity", PCI "local_cpulist", "64-95", kWarn, "expected some of 64-95"},
    {"roce-gid", PORT "gid_attrs/types/0", "IB/RoCE v1", kFail, "number of RoCE v2 GIDs is 0"},
    {"gid-address", PORT "gids/0", "fe80:0000:0000:0000:0e42:a1ff:fe00:0001", kFail, "link-local"},
    {"source-route", "route/eth0", "eth1", kFail, "eth1, expected eth0"},
    {"neighbour-table", IP "neigh/default/gc_thresh3", "512", kFail, "at least 1024"},
    {"mtu", NET "mtu", "1500", kWarn, "1500, expected at least 4200"},
    {"mtu-of-rail", NET "mtu", "4500", kWarn, "different MTU"},
    {"trust", "dcb/eth0/dscp-to-priority", "none", kWarn, "pcp, expected dscp"},
    {"dscp-map", "dcb/eth0/dscp-to-priority", "26:4", kFail, "a DSCP of priority 3"},
    {"pfc", "dcb/eth0/pfc", "none", kWarn, "none, expected one"},
    {"pfc", "dcb/eth0/pfc", "3 4", kWarn, "3 4, expected one"},
    {"pfc", "dcb/eth0/pfc", "4", kFail, "4, expected 3"},
    {"pause", "ethtool/eth0/pause", "rx on tx on", kFail, "exclude each other"},
    {"switch-pfc", "dcb/eth0/peer-pfc", "4", kFail, "switch 4, expected 3"},
    {"dcb-owner", "dcb/eth0/owner", "firmware", kWarn, "firmware, expected host"},
    {"buffer", "dcb/eth0/buffer-size", "0:20000 1:0", kFail, "buffer 1 of 0 bytes"},
    {"buffer", "dcb/eth0/priority-to-buffer", "0:1 3:1", kWarn, "other priorities share it"},
    {"buffer", "dcb/eth0/priority-to-buffer", "0:0 1:1 2:1 3:1", kWarn, "priorities share it"},
    {"ecn-receiver", "ecn/eth0/roce_np", "0:1 3:0", kWarn, "receivers send no CNPs"},
    {"ecn-sender", "ecn/eth0/roce_rp", "0:1 3:0", kWarn, "senders do not slow down"},
    {"cnp-dscp", NET "ecn/roce_np/cnp_dscp", "4", kWarn, "4, expected 48"},
    {"traffic-class", IB "tc/1/traffic_class", "Global tclass=0", kWarn, "DSCP 0"},
    {"default-tos", "kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_tos", "0", kWarn, "DSCP 0"},
    {"container", "process/container", "docker", kWarn, "docker, expected none"},
    {"virtual-machine", "cpu/hypervisor", "yes", kWarn, "yes, expected no"},
    {"clock-source", "devices/system/clocksource/clocksource0/current_clocksource", "hpet", kWarn,
     "hpet"},
    {"steady-tsc", "cpu/tsc", "tsc", kWarn, "constant_tsc nonstop_tsc"},
    {"clock-sync", "clock/state", "free-running", kWarn, "free-running, expected synchronised"},
    {"clock-error", "clock/max-error-us", "16000000", kWarn, "16000 ms"},
};

std::vector<Recording> hosts() {
  return fleet(machine("mlx5"), 3);
}

void plant(Recording& host, const std::string& path, const std::string& value) {
  host.unread.erase(path);
  host.files[path] = value;
}

TEST(Cases, AWrongValueIsFoundOnItsHost) {
  for (const Planted& one : kPlanted) {
    auto all = hosts();
    plant(all[0], one.path, one.value);
    const Document found = examined(std::move(all));
    const CheckSummary& summary = summary_of(found, one.check);
    EXPECT_EQ(word(summary.verdict), word(one.verdict)) << one.check << " " << one.value;
    ASSERT_FALSE(summary.remarks.empty()) << one.check;
    EXPECT_NE(summary.remarks[0].text.find(one.says), std::string::npos) << summary.remarks[0].text;
    for (const finding::Finding& finding : found.report.findings) {
      if (finding.check != one.check) continue;
      EXPECT_NE(sentence(finding).find("node1"), std::string::npos) << sentence(finding);
      EXPECT_NE(remedy_of(finding), "") << one.check;
      EXPECT_EQ(remedy_of(finding).find('{'), std::string::npos) << remedy_of(finding);
    }
    const finding::Outcome end = outcome(found.report, found.policy);
    if (one.verdict == kFail) {
      EXPECT_EQ(end, finding::Outcome::fail) << one.check;
    } else if (one.verdict == kUnknown) {
      EXPECT_NE(end, finding::Outcome::pass) << one.check;
    }
  }
}

/// A pattern as the first device has it.
std::string path_of(std::string_view pattern) {
  const std::vector<std::pair<std::string, std::string>> names{
      {"{device}", "mlx5_0"}, {"{pci}", "0000:11:00.0"}, {"{netdev}", "eth0"}, {"{port}", "1"}};
  std::string path(pattern);
  for (const auto& [name, value] : names) {
    for (auto at = path.find(name); at != std::string::npos; at = path.find(name))
      path.replace(at, name.size(), value);
  }
  return path;
}

/// What the check says of a host on which that file could not be read.
CheckSummary without(const Check& check, const std::string& path, const std::string& error) {
  auto host = healthy(machine("mlx5"));
  host.files.erase(path);
  host.unread.erase(path);
  if (!error.empty()) host.unread[path] = error;
  const Document found = examined({host}, {}, {&check});
  EXPECT_NE(outcome(found.report, found.policy), finding::Outcome::fail) << check.name;
  return found.checks.at(0);
}

std::size_t count_of(const CheckSummary& summary, Verdict verdict) {
  return summary.counts.at(std::string(word(verdict)));
}

/// Each file of each check, not to be read for each reason: never PASS, and a file that is not
/// there is a reason to skip the check only where its row says so.
TEST(Cases, WhatCannotBeReadIsNeverPassed) {
  std::size_t cases = 0;
  for (const Check& check : all_checks()) {
    for (const std::string_view pattern : check.reads) {
      const std::string path = path_of(pattern);
      for (const char* const error : {"EACCES", "EIO", ""})
        EXPECT_GE(count_of(without(check, path, error), kUnknown), 1U) << check.name << " " << path;
      const Verdict absent = check.absent.empty() ? kUnknown : Verdict::skip;
      EXPECT_GE(count_of(without(check, path, "ENOENT"), absent), 1U) << check.name << " " << path;
      cases += 4;
    }
  }
  EXPECT_GE(cases + kPlanted.size(), 400U);
}

/// Those whose hosts differ in more than one file.
const std::set<std::string_view> kOwnTests{
    "rdma-device", "verbs-access", "driver",   "arp-ignore",        "arp-announce",
    "arp-flux",    "rp-filter",    "function", "network-namespace", "pcie-capacity"};

TEST(Cases, EveryCheckHasACase) {
  std::set<std::string_view> planted;
  for (const Planted& one : kPlanted) planted.insert(one.check);
  for (const Check& check : all_checks()) {
    const bool elsewhere =
        kOwnTests.contains(check.name) || check.of == Kind::fabric || check.level != Level::reading;
    EXPECT_TRUE(elsewhere || planted.contains(check.name)) << check.name << " has no case";
  }
}

TEST(Cases, EveryRowIsWhole) {
  std::set<std::string_view> names;
  for (const Check& check : all_checks()) {
    EXPECT_TRUE(names.insert(check.name).second) << check.name;
    EXPECT_NE(check.expects, "") << check.name;
    EXPECT_NE(check.source, "") << check.name;
    EXPECT_EQ(check.source.find("validation "), std::string_view::npos)
        << "not public: " << check.name;
    EXPECT_NE(check.title, "") << check.name;
    EXPECT_TRUE(check.of == Kind::fabric || !check.remedy.empty()) << check.name;
  }
  EXPECT_GE(names.size(), 50U);
}

TEST(Cases, SeveralPortsInOneSubnetNeedTheirOwnAnswers) {
  auto host = healthy(machine("mlx5"));
  host.addresses[1].address = topology::ipv4_address({10, 10, 0, 77});
  plant(host, "class/infiniband/mlx5_1/ports/1/gids/0", "0000:0000:0000:0000:0000:ffff:0a0a:004d");
  plant(host, IP "conf/all/rp_filter", "1");
  const Document bad = examined({host});
  EXPECT_EQ(summary_of(bad, "arp-ignore").verdict, kFail);
  EXPECT_EQ(summary_of(bad, "arp-announce").verdict, kFail);
  EXPECT_EQ(summary_of(bad, "rp-filter").verdict, kWarn);
  plant(host, IP "conf/all/rp_filter", "2");
  plant(host, IP "conf/all/arp_ignore", "1");
  plant(host, IP "conf/all/arp_announce", "2");
  const Document good = examined({host});
  for (const char* const name : {"arp-ignore", "arp-announce", "rp-filter"})
    EXPECT_EQ(summary_of(good, name).verdict, Verdict::pass) << name;
}

/// By the table of one of two neighbours, of which the other has the right MAC; and by nobody's.
TEST(Cases, AnotherPortAnswersArp) {
  auto all = hosts();
  all[1].files["neighbours/eth0"] = "10.10.0.2=0c:42:a1:00:01:01 10.10.0.4=0c:42:a1:00:03:00";
  const Document found = examined(all);
  ASSERT_EQ(found.report.findings.size(), 1U) << troubles(found);
  EXPECT_EQ(sentence(found.report.findings[0]).find("node1 mlx5_0"), 0U);
  EXPECT_EQ(summary_of(found, "arp-flux").remarks.at(0).text,
            "port that answers ARP for its address is eth1, expected eth0 (by the neighbour table "
            "of node2)");
  all[1].files["neighbours/eth0"] = "10.10.0.2=12:34:56:78:9a:bc";  // a proxy
  EXPECT_EQ(summary_of(examined(all), "arp-flux").verdict, Verdict::pass);
  for (auto& host : all) host.files["neighbours/eth0"] = "none";
  EXPECT_EQ(summary_of(examined(all), "arp-flux").remarks.at(0).text,
            "no recorded host has it as a neighbour");
  all[0].files["neighbours/eth0"] = "=, 10 ==";
  EXPECT_EQ(troubles(examined(all)), "");
}

TEST(Cases, AContainerDoesNotSeeTheNetworkDevice) {
  auto host = healthy(machine("mlx5"));
  for (int nic = 0; nic < 2; ++nic) {
    const std::string number = std::to_string(nic);
    const std::string path = "class/infiniband/mlx5_" + number + "/ports/1/gid_attrs/ndevs/0";
    host.files.erase(path);
    host.unread[path] = "EINVAL";
  }
  const Document found = examined({host});
  EXPECT_EQ(summary_of(found, "mtu").verdict, kUnknown);
  EXPECT_EQ(summary_of(found, "pfc").verdict, kUnknown);
  EXPECT_EQ(outcome(found.report, found.policy), finding::Outcome::inconclusive);
}

TEST(Cases, AVirtualFunctionAmongPhysicalOnesIsOdd) {
  auto all = hosts();
  all[0].links[PCI "physfn"] = "devices/pci0000:10/0000:10:01.0/0000:11:00.7";
  const Document found = examined(std::move(all));
  EXPECT_EQ(summary_of(found, "function").remarks.at(0).places.at(0).substr(0, 12), "node1 mlx5_0");
  EXPECT_EQ(summary_of(found, "function").verdict, kWarn);
}

/// Nothing is degraded: the slot is not made for more.
TEST(Cases, ASlotCarriesTooLittle) {
  for (const auto& [lanes, verdict] : {std::pair{"8", kFail}, {"12", kWarn}}) {
    auto host = healthy(machine("mlx5"));
    for (const char* const file : {"current_link_width", "max_link_width"}) {
      plant(host, PCI + std::string(file), lanes);
      plant(host, "bus/pci/devices/0000:10:01.0/" + std::string(file), lanes);
    }
    const Document found = examined({host});
    EXPECT_EQ(word(summary_of(found, "pcie-capacity").verdict), word(verdict)) << lanes;
    EXPECT_EQ(summary_of(found, "pcie-width").verdict, Verdict::pass);
  }
}

TEST(Cases, AnotherDriverIsOdd) {
  auto all = hosts();
  all[0].links[PCI "driver"] = "bus/pci/drivers/vfio-pci";
  const Document found = examined(all);
  EXPECT_EQ(summary_of(found, "driver").verdict, kWarn);
  all[0].links.erase(PCI "driver");
  EXPECT_EQ(summary_of(examined(all), "driver").verdict, kUnknown);
}

/// A recording is somebody else's text.
TEST(Cases, StrangeTextsAreNotUnderstoodAndEndNothing) {
  const auto whole = healthy(machine("mlx5"));
  for (const char* const text :
       {"", "nan", "-1", "99999999999999999999", "{netdev}", "*", ":", "0:"}) {
    auto host = whole;
    for (auto& [path, value] : host.files) {
      if (path.find("link_layer") == std::string::npos) value = text;
    }
    const Document found = examined({host});
    EXPECT_NE(outcome(found.report, found.policy), finding::Outcome::pass) << text;
  }
  auto host = whole;
  host.files["class/infiniband/*/ports/1/state"] = "1: DOWN";
  host.files["class/infiniband/{device}/ports/1/state"] = "1: DOWN";
  EXPECT_EQ(summary_of(examined({host}), "port-state").verdict, kFail);
}

TEST(Cases, AHostWithoutDevicesFails) {
  const Document found = examined({healthy(machine("mlx5"), 1, 0)});
  EXPECT_EQ(summary_of(found, "rdma-device").verdict, kFail);
  EXPECT_EQ(outcome(found.report, found.policy), finding::Outcome::fail);
}

TEST(Cases, APolicySaysWhatIsRight) {
  Expectations wanted{.mtu_bytes = 9000,
                      .gigabits_per_second = 400,
                      .priority = 3,
                      .dscp = 26,
                      .cnp_dscp = 48,
                      .pfc = true,
                      .ecn = true,
                      .driver = "mlx5_core",
                      .firmware = "28.39.1002",
                      .kernel = "6.8.0-45-generic"};
  EXPECT_EQ(troubles(examined(hosts(), wanted)), "");
  wanted = {.mtu_bytes = 9100,
            .gigabits_per_second = 800,
            .priority = 4,
            .dscp = 27,
            .cnp_dscp = 4,
            .pfc = false,
            .ecn = false,
            .driver = "bnxt_en",
            .firmware = "1",
            .kernel = "7"};
  const Document found = examined(hosts(), wanted);
  for (const char* const name : {"port-speed", "dscp-map", "cnp-dscp", "pfc", "ecn-receiver",
                                 "ecn-sender", "traffic-class", "driver", "firmware", "kernel"})
    EXPECT_EQ(word(summary_of(found, name).verdict), "FAIL") << name;
  EXPECT_EQ(summary_of(found, "mtu").verdict, kWarn);
}

/// "PASS", "FAIL" of the map "26:3 48:6" with PFC for those priorities.
std::string_view verdict_on_map(const Expectations& wanted, const char* pfc) {
  auto host = healthy(machine("mlx5"));
  for (const char* const netdev : {"eth0", "eth1"})
    host.files["dcb/" + std::string(netdev) + "/pfc"] = pfc;
  return word(summary_of(examined({host}, wanted), "dscp-map").verdict);
}

TEST(Cases, APolicyWithADscpAloneTakesAnyPriorityWithPfc) {
  EXPECT_EQ(verdict_on_map({.dscp = 26}, "3"), "PASS");
  EXPECT_EQ(verdict_on_map({.dscp = 26}, "3 4"), "PASS");
  EXPECT_EQ(verdict_on_map({.dscp = 26}, "4 5"), "FAIL");
  EXPECT_EQ(verdict_on_map({.dscp = 26}, "none"), "FAIL");
}

/// RoCE may lose packets: no priority has PFC.
TEST(Cases, APolicyWithoutPfcTakesAnyPriority) {
  EXPECT_EQ(verdict_on_map({.dscp = 26, .pfc = false}, "none"), "PASS");
  EXPECT_EQ(verdict_on_map({.priority = 3, .dscp = 26, .pfc = false}, "none"), "PASS");
  EXPECT_EQ(verdict_on_map({.priority = 4, .dscp = 26, .pfc = false}, "none"), "FAIL");
}

}  // namespace
}  // namespace railgauge::doctor
