#include "doctor/hosts.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace railgauge::doctor {
namespace {

using topology::Recording;
using Values = std::vector<std::pair<const char*, const char*>>;

const Values kOfHost{{"proc/sys/kernel/osrelease", "6.8.0-45-generic"},
                     {"proc/sys/kernel/numa_balancing", "0"},
                     {"proc/sys/vm/zone_reclaim_mode", "0"},
                     {"proc/sys/net/ipv4/neigh/default/gc_thresh3", "65536"},
                     {"proc/sys/net/ipv4/conf/all/arp_ignore", "0"},
                     {"proc/sys/net/ipv4/conf/all/arp_announce", "0"},
                     {"proc/sys/net/ipv4/conf/all/rp_filter", "0"},
                     {"proc/uptime", "864000.00 100000.00"},
                     {"devices/system/cpu/online", "0-63"},
                     {"devices/system/cpu/present", "0-63"},
                     {"devices/system/cpu/smt/active", "1"},
                     {"devices/system/node/online", "0-1"},
                     {"kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "0"},
                     {"kernel/mm/transparent_hugepage/enabled", "always [madvise] never"},
                     {"cpu/model", "AMD EPYC 9654 96-Core Processor"},
                     {"memory/total-kb", "1056423412"},
                     {"process/memlock", "unlimited"},
                     {"process/open-files", "65536"},
                     {"process/shared-memory", "540888788992"},
                     {"process/cgroup-memory", "max"},
                     {"process/container", "none"},
                     {"rdma/network-namespaces", "shared"},
                     {"clock/state", "synchronised"},
                     {"clock/max-error-us", "1500"},
                     {"railgauge/version", "0.1.0 abcdef"}};

const Values kOfMetal{{"cpu/hypervisor", "no"},
                      {"cpu/governors", "performance 64"},
                      {"cpu/idle-latency-us", "10"},
                      {"cpu/tsc", "constant_tsc nonstop_tsc"},
                      {"devices/system/clocksource/clocksource0/current_clocksource", "tsc"}};

const Values kOfGuest{{"cpu/hypervisor", "yes"},
                      {"cpu/tsc", "constant_tsc"},
                      {"devices/system/clocksource/clocksource0/current_clocksource", "kvm-clock"}};

const Values kOfNetdev{{"mtu", "9000"},
                       {"speed", "400000"},
                       {"duplex", "full"},
                       {"operstate", "up"},
                       {"carrier", "1"},
                       {"carrier_down_count", "2"},
                       {"statistics/rx_crc_errors", "0"},
                       {"statistics/rx_packets", "123456789012"}};

const Values kOfPci{{"current_link_speed", "32.0 GT/s PCIe"},
                    {"current_link_width", "16"},
                    {"max_link_speed", "32.0 GT/s PCIe"},
                    {"max_link_width", "16"},
                    {"power_state", "D0"},
                    {"local_cpulist", "0-31"},
                    {"numa_node", "0"}};

const Values kPciSettings{
    {"max-payload", "512"}, {"max-read-request", "4096"}, {"relaxed-ordering", "on"},
    {"acs-above", "off"},   {"iommu", "identity"},        {"aer-fatal", "0"},
    {"aer-nonfatal", "0"},  {"aer-correctable", "3"},     {"irq-cpus", "0-15"}};

const Values kDcb{{"pfc", "3"},
                  {"peer-pfc", "3"},
                  {"dscp-to-priority", "26:3 48:6"},
                  {"owner", "host"},
                  {"priority-to-buffer", "0:0 1:0 2:0 3:1 4:0 5:0 6:0 7:0"},
                  {"buffer-size", "0:20000 1:200000 2:0 3:0 4:0 5:0 6:0 7:0"}};

void put(Recording& into, const std::string& folder, const Values& values) {
  for (const auto& [name, value] : values) into.files[folder + name] = value;
}

/// Writes one host.
class Maker {
 public:
  Maker(const Machine& machine, int number) : machine_(machine), number_(number) {
    recording_.host = "node" + std::to_string(number);
    recording_.allowed = topology::parse_cpu_list("0-63").value_or(topology::CpuSet{});
    put(recording_, "", kOfHost);
    put(recording_, "", machine.virtual_machine ? kOfGuest : kOfMetal);
    if (machine.virtual_machine) {
      recording_.unread["cpu/governors"] = "ENOENT";
      recording_.unread["cpu/idle-latency-us"] = "ENOENT";
    }
  }

  void add_nic(int nic) {
    const std::string device = machine_.device + std::to_string(nic);
    const std::string netdev = "eth" + std::to_string(nic);
    add_device("class/infiniband/" + device + "/", nic, netdev);
    if (machine_.link_layer != "Ethernet") return;
    add_netdev(netdev, nic);
  }

  Recording take() { return std::move(recording_); }

 private:
  std::string& file(const std::string& path) { return recording_.files[path]; }

  [[nodiscard]] std::string guid(int nic) const {
    return "0c42:a103:00" + two(number_ / 256) + ":" + two(number_) + two(nic);
  }

  void add_device(const std::string& path, int nic, const std::string& netdev) {
    file(path + "node_guid") = machine_.name == "efa" ? "0000:0000:0000:0000" : guid(nic);
    file(path + "node_type") = "1: CA";
    file(path + "fw_ver") = "28.39.1002";
    if (!machine_.model.empty()) file(path + "hca_type") = machine_.model;
    if (machine_.name == "rxe") file(path + "parent") = netdev;
    absent_or(path + "board_id", "MT_0000000838");
    add_port(path + "ports/1/", netdev);
    const std::string device = path.substr(path.find('/', 8) + 1);
    const std::string name = device.substr(0, device.size() - 1);
    absent_or(path + "tc/1/traffic_class", "Global tclass=106");
    recording_.unread["kernel/config/rdma_cm/" + name + "/ports/1/default_roce_tos"] = "ENOENT";
    if (machine_.driver.empty()) return;
    file("process/verbs/" + name) = "read-write";
    add_pci(path + "device", "0000:" + std::to_string(11 + nic) + ":00.0");
  }

  void absent_or(const std::string& path, const std::string& value) {
    if (machine_.vendor_files) {
      file(path) = value;
    } else {
      recording_.unread[path] = "ENOENT";
    }
  }

  void add_port(const std::string& path, const std::string& netdev) {
    file(path + "state") = "4: ACTIVE";
    file(path + "phys_state") = "5: LinkUp";
    file(path + "link_layer") = machine_.link_layer;
    file(path + "rate") = "400 Gb/sec (4X NDR)";
    if (machine_.link_layer != "Ethernet") return;
    file(path + "gid_attrs/types/0") = "RoCE v2";
    file(path + "gid_attrs/ndevs/0") = netdev;
  }

  static std::string two(int value) {
    const auto digits = static_cast<unsigned>(value);
    return {"0123456789abcdef"[digits >> 4U & 15U], "0123456789abcdef"[digits & 15U]};
  }

  void add_netdev(const std::string& netdev, int nic) {
    const std::string path = "class/net/" + netdev + "/";
    put(recording_, path, kOfNetdev);
    file(path + "address") = mac(number_, nic);
    for (const char* const name : {"arp_ignore", "arp_announce", "rp_filter"})
      file("proc/sys/net/ipv4/conf/" + netdev + "/" + name) = "0";
    const std::array<std::uint8_t, 4> bytes{10, static_cast<std::uint8_t>(10 + nic),
                                            static_cast<std::uint8_t>(number_ / 250),
                                            static_cast<std::uint8_t>(number_ % 250 + 1)};
    add_address(netdev, nic, bytes);
    put(recording_, "ethtool/" + netdev + "/",
        {{"driver-version", "driver 6.8"}, {"pause", "rx off tx off"}, {"fec", "RS"}});
    put(recording_, "module/" + netdev + "/",
        {{"temperature", "48.5 within -5 75"},
         {"rx-power", "-1.2 -0.8 -1.1 -0.9 within -10.4 5"},
         {"tx-power", "0.4 0.6 0.5 0.2 within -6.6 5"}});
    recording_.unread["bond/" + netdev + "/members"] = "ENOENT";
    file("route/" + netdev) = netdev;
    add_settings(netdev);
    file("counters/" + machine_.device + std::to_string(nic) + "/1/fec_uncorrectable_blocks") =
        "12";
    file("neighbours/" + netdev) = neighbours(nic);
  }

  /// Of the first hosts.
  [[nodiscard]] std::string neighbours(int nic) const {
    constexpr int kKnown = 4;
    std::string table;
    for (int number = 1; number <= kKnown; ++number) {
      if (number == number_) continue;
      table += (table.empty() ? "10." : " 10.") + std::to_string(10 + nic) + ".0." +
               std::to_string(number + 1) + "=" + mac(number, nic);
    }
    return table;
  }

  static std::string mac(int number, int nic) {
    return "0c:42:a1:" + two(number / 256) + ":" + two(number) + ":" + two(nic);
  }

  void add_address(const std::string& netdev, int nic, const std::array<std::uint8_t, 4>& bytes) {
    const std::string gid = "0000:0000:0000:0000:0000:ffff:" + two(bytes[0]) + two(bytes[1]) + ":" +
                            two(bytes[2]) + two(bytes[3]);
    file("class/infiniband/" + machine_.device + std::to_string(nic) + "/ports/1/gids/0") = gid;
    recording_.addresses.push_back({netdev, topology::ipv4_address(bytes), 16});
  }

  void add_settings(const std::string& netdev) {
    const std::string dcb = "dcb/" + netdev + "/";
    for (const auto& [name, value] : kDcb) {
      const bool buffer = std::string_view(name).find("buffer") != std::string_view::npos;
      if (machine_.dcb && (machine_.vendor_files || !buffer)) {
        file(dcb + name) = value;
      } else {
        recording_.unread[dcb + name] = "EOPNOTSUPP";
      }
    }
    absent_or("ecn/" + netdev + "/roce_np", "0:1 1:1 2:1 3:1 4:1 5:1 6:1 7:1");
    absent_or("ecn/" + netdev + "/roce_rp", "0:1 1:1 2:1 3:1 4:1 5:1 6:1 7:1");
    absent_or("class/net/" + netdev + "/ecn/roce_np/cnp_dscp", "48");
  }

  void add_pci(const std::string& link, const std::string& address) {
    const std::string bridge = "0000:" + address.substr(5, 1) + "0:01.0";
    recording_.links[link] = "devices/pci0000:00/" + bridge + "/" + address;
    for (const std::string& one : {bridge, address})
      put(recording_, "bus/pci/devices/" + one + "/", kOfPci);
    const std::string path = "bus/pci/devices/" + address + "/";
    recording_.links[path + "driver"] = "bus/pci/drivers/" + machine_.driver;
    file(path + "sriov_numvfs") = "0";
    if (machine_.virtual_machine) {
      for (const std::string& one : {bridge, address}) hide_links("bus/pci/devices/" + one + "/");
    }
    put(recording_, "pci/" + address + "/", kPciSettings);
    file("devlink/" + address + "/pending") = "none";
  }

  void hide_links(const std::string& path) {
    for (const char* const name : {"current_link_speed", "max_link_speed"})
      file(path + name) = "Unknown";
  }

  const Machine& machine_;
  int number_;
  Recording recording_{};
};

}  // namespace

const std::vector<Machine>& machines() {
  static const std::vector<Machine> kAll{
      {.name = "mlx5",
       .driver = "mlx5_core",
       .device = "mlx5_",
       .model = "MT4129",
       .vendor_files = true},
      {.name = "bnxt_re", .driver = "bnxt_en", .device = "bnxt_re", .model = "BCM57608"},
      {.name = "irdma", .driver = "ice", .device = "irdma", .model = "E810"},
      {.name = "ionic", .driver = "ionic", .device = "ionic_", .model = "AINIC"},
      {.name = "mana",
       .driver = "mana",
       .device = "mana_",
       .model = "MANA",
       .dcb = false,
       .virtual_machine = true},
      {.name = "efa",
       .driver = "efa",
       .device = "efa_",
       .model = "EFA",
       .link_layer = "Unknown",
       .dcb = false,
       .virtual_machine = true},
      {.name = "rxe", .device = "rxe", .dcb = false},
      {.name = "softroce", .device = "soft", .model = "softroce", .dcb = false},
  };
  return kAll;
}

const Machine& machine(const std::string& name) {
  const auto found = std::ranges::find(machines(), name, &Machine::name);
  if (found == machines().end()) throw std::out_of_range(name);
  return *found;
}

Recording healthy(const Machine& machine, int number, int nics) {
  Maker maker(machine, number);
  for (int nic = 0; nic < nics; ++nic) maker.add_nic(nic);
  return maker.take();
}

std::vector<Recording> fleet(const Machine& machine, int hosts, int nics) {
  std::vector<Recording> all;
  all.reserve(static_cast<std::size_t>(hosts));
  for (int number = 1; number <= hosts; ++number) all.push_back(healthy(machine, number, nics));
  return all;
}

Document examined(std::vector<Recording> recordings, const Expectations& wanted,
                  const std::vector<const Check*>& checks) {
  std::vector<HostFacts> facts;
  facts.reserve(recordings.size());
  for (Recording& one : recordings) facts.push_back(facts_of(std::move(one)));
  std::vector<const Check*> chosen = checks;
  for (const Check& check : all_checks()) {
    if (checks.empty()) chosen.push_back(&check);
  }
  return examine(understood(std::move(facts), {}), chosen, wanted);
}

const CheckSummary& summary_of(const Document& examination, const std::string& check) {
  const auto found = std::ranges::find_if(
      examination.checks, [&](const CheckSummary& one) { return one.name == check; });
  if (found == examination.checks.end()) throw std::out_of_range(check);
  return *found;
}

std::string troubles(const Document& examination) {
  std::string text;
  for (const CheckSummary& one : examination.checks) {
    if (one.verdict <= Verdict::skip) continue;
    text += (text.empty() ? "" : ", ") + one.name + " " + std::string(word(one.verdict)) + ": " +
            one.remarks.front().text;
  }
  return text;
}

}  // namespace railgauge::doctor
