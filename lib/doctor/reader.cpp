#include "doctor/reader.hpp"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "doctor/facts.hpp"
#include "doctor/kernel_answers.hpp"
#include "finding/words.hpp"
#include "telemetry/counters.hpp"
#include "telemetry/ethtool.hpp"
#include "telemetry/port_condition.hpp"
#include "topology/host_map.hpp"
#include "topology/pci.hpp"

namespace railgauge::doctor {
namespace {

namespace fs = std::filesystem;
using topology::entries;
using topology::Recording;
using Names = std::initializer_list<const char*>;

// All files of a host that are read, in addition to those of topology/recording.cpp.
constexpr Names kOfHost{"proc/sys/kernel/osrelease",
                        "proc/sys/kernel/numa_balancing",
                        "proc/sys/vm/zone_reclaim_mode",
                        "proc/sys/net/ipv4/neigh/default/gc_thresh3",
                        "proc/uptime",
                        "proc/sys/kernel/random/boot_id",
                        "devices/system/clocksource/clocksource0/current_clocksource",
                        "devices/system/cpu/online",
                        "devices/system/cpu/present",
                        "devices/system/cpu/smt/active",
                        "devices/system/node/online",
                        "kernel/mm/hugepages/hugepages-2048kB/free_hugepages",
                        "kernel/mm/transparent_hugepage/enabled"};
constexpr Names kOfDevice{"fw_ver", "board_id", "node_guid"};
constexpr Names kOfPort{"state", "phys_state", "link_layer", "rate"};
constexpr Names kOfNetdev{"mtu",
                          "speed",
                          "duplex",
                          "operstate",
                          "carrier",
                          "carrier_down_count",
                          "address",
                          "statistics/rx_crc_errors",
                          "statistics/rx_packets",
                          "ecn/roce_np/cnp_dscp"};
constexpr Names kOfPci{"current_link_speed", "numa_node", "local_cpulist", "power_state",
                       "sriov_numvfs"};
constexpr Names kOfSockets{"arp_ignore", "arp_announce", "rp_filter"};
constexpr std::size_t kPriorities = 8;

/// A file's bytes, or the number of the error.
struct Content {
  std::string text{};
  int error = 0;

  [[nodiscard]] std::string line() const { return text.substr(0, text.find('\n')); }
};

Content content_of(const fs::path& file) {
  constexpr std::size_t kMost = 1U << 24U;
  const int opened = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (opened < 0) return {.error = errno};
  Content content;
  std::array<char, 4096> part{};
  ssize_t got = 0;
  while (content.text.size() < kMost && (got = ::read(opened, part.data(), part.size())) > 0)
    content.text.append(part.data(), static_cast<std::size_t>(got));
  if (got < 0) content = {.error = errno};
  ::close(opened);
  return content;
}

/// What follows a word in a text of lines: of "MemTotal:", "16 kB".
std::string after(const std::string& text, const std::string& word) {
  const std::size_t found = text.find(word);
  if (found == std::string::npos) return "";
  const std::size_t begin = text.find_first_not_of(": \t", found + word.size());
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find('\n', begin) - begin);
}

class Reader {
 public:
  explicit Reader(const fs::path& root)
      : root_(root), live_(fs::weakly_canonical(root) == fs::path("/")) {
    if (!fs::is_directory(root_ / "sys"))
      throw std::runtime_error("there is no folder " + (root_ / "sys").string());
    recording_ = live_ ? topology::record_here() : topology::record_sysfs(root_ / "sys");
  }

  Recording whole(const std::string& version) {
    if (!live_) take_name_and_addresses();
    for (const char* name : kOfHost) take(name);
    take_processors();
    take_memory();
    for (const auto& device : entries(sys("class/infiniband"))) take_device(device);
    for (const std::string& netdev : netdevs_) take_netdev(netdev);
    take_ports_of_verbs();
    take_container();
    if (live_) add_kernel_answers(recording_, {netdevs_.begin(), netdevs_.end()});
    for (const std::string& netdev : netdevs_) take_trust(netdev);
    recording_.files["railgauge/version"] = version;
    return std::move(recording_);
  }

 private:
  [[nodiscard]] fs::path sys(const std::string& path) const { return root_ / "sys" / path; }
  [[nodiscard]] fs::path file_of(const std::string& path) const {
    return path.starts_with("proc/") ? root_ / path : sys(path);
  }

  void put(const std::string& path, std::string text) {
    if (!text.empty()) recording_.files[path] = std::move(text);
  }
  void put_error(const std::string& path, int error) { doctor::put_error(recording_, path, error); }

  std::string take(const std::string& path) {
    const Content content = content_of(file_of(path));
    if (content.error != 0) put_error(path, content.error);
    put(path, content.line());
    return content.line();
  }

  void take_name_and_addresses() {
    recording_.host = content_of(root_ / "proc/sys/kernel/hostname").line();
    if (recording_.host.empty()) recording_.host = root_.filename();
    recording_.default_route = topology::default_route(root_ / "proc/net/route");
    for (const auto& device : recording_.names("class/infiniband")) {
      const std::string ports = "class/infiniband/" + device + "/ports/";
      for (const auto& port : recording_.names("class/infiniband/" + device + "/ports"))
        take_addresses(ports + port, port);
    }
  }

  void take_addresses(const std::string& path, const std::string& number) {
    for (const auto& gid : topology::read_port(recording_, path, number).gids) {
      const bool usable = gid.type == "RoCE v2" && !topology::is_ipv6_link_local(gid.gid);
      if (!usable || gid.netdev.empty()) continue;
      const int length = topology::is_ipv4(gid.gid) ? prefix_of(gid.netdev) : 64;
      recording_.addresses.push_back({gid.netdev, gid.gid, length});
    }
  }

  /// Of the route without a gateway, by proc(5): device, destination, gateway, ... mask.
  [[nodiscard]] int prefix_of(const std::string& netdev) const {
    std::istringstream table(content_of(root_ / "proc/net/route").text);
    for (std::string line; std::getline(table, line);) {
      std::istringstream fields(line);
      std::array<std::string, 8> field{};
      for (std::string& one : field) fields >> one;
      if (field[0] != netdev || field[2] != "00000000" || field[7].empty()) continue;
      return std::popcount(std::strtoull(field[7].c_str(), nullptr, 16));
    }
    return 32;
  }

  void take_processors() {
    const Content info = content_of(root_ / "proc/cpuinfo");
    if (info.error != 0) {
      for (const char* path : {"cpu/model", "cpu/hypervisor", "cpu/tsc"})
        put_error(path, info.error);
    } else {
      take_cpu_info(info.text);
    }
    std::vector<std::string> governors;
    double latency = -1;
    for (const auto& cpu : entries(sys("devices/system/cpu"))) {
      if (!cpu.starts_with("cpu")) continue;
      const fs::path folder = sys("devices/system/cpu/" + cpu);
      const std::string governor = content_of(folder / "cpufreq/scaling_governor").line();
      if (!governor.empty()) governors.push_back(governor);
      latency = std::max(latency, idle_latency(folder / "cpuidle"));
    }
    put_or_absent("cpu/governors", counted_words(governors));
    put_or_absent("cpu/idle-latency-us",
                  latency < 0 ? "" : std::to_string(static_cast<long>(latency)));
  }

  void put_or_absent(const std::string& path, const std::string& text) {
    if (text.empty()) put_error(path, ENOENT);
    put(path, text);
  }

  void take_cpu_info(const std::string& info) {
    std::string model = after(info, "model name");
    if (model.empty()) model = "part " + after(info, "CPU part");
    put("cpu/model", model);
    const std::string flags = " " + after(info, "flags") + " ";
    put("cpu/hypervisor", flags.find(" hypervisor ") == std::string::npos ? "no" : "yes");
    std::vector<std::string> found;
    for (const char* const one : {"constant_tsc", "nonstop_tsc"}) {
      if (flags.find(" " + std::string(one) + " ") != std::string::npos) found.emplace_back(one);
    }
    const bool has_counter = flags.find(" tsc ") != std::string::npos;
    put_or_absent("cpu/tsc", has_counter && found.empty() ? "tsc" : finding::joined(found, " "));
  }

  /// Of the deepest state that is not disabled; below 0: there are no states.
  static double idle_latency(const fs::path& folder) {
    double longest = -1;
    for (const auto& state : entries(folder)) {
      if (content_of(folder / state / "disable").line() == "1") continue;
      const auto latency = number_in_file(folder / state / "latency");
      longest = std::max(longest, latency);
    }
    return longest;
  }

  static double number_in_file(const fs::path& file) {
    const std::string line = content_of(file).line();
    return line.empty() ? -1 : std::strtod(line.c_str(), nullptr);
  }

  void take_memory() {
    const Content info = content_of(root_ / "proc/meminfo");
    if (info.error != 0) put_error("memory/total-kb", info.error);
    const std::string total = after(info.text, "MemTotal");
    put("memory/total-kb", total.substr(0, total.find(' ')));
    const std::string group = after(content_of(root_ / "proc/self/cgroup").text, "0::");
    for (std::string path = group; live_;) {
      const Content limit = content_of(sys("fs/cgroup" + path + "/memory.max"));
      if (limit.error == 0) return put("process/cgroup-memory", limit.line());
      const std::size_t slash = path.rfind('/');
      if (slash == std::string::npos) return put_error("process/cgroup-memory", limit.error);
      path.resize(slash);  // a container sees its own group as the top
    }
  }

  void take_device(const std::string& name) {
    const std::string path = "class/infiniband/" + name + "/";
    for (const char* file : kOfDevice) take(path + file);
    for (const auto& port : entries(sys(path + "ports"))) take_port(name, port);
    for (const auto& port : entries(sys(path + "ports"))) take_counters(name, port);
    const auto chain = topology::pci_addresses(recording_.target(path + "device"));
    if (!chain.empty()) take_pci(chain);
    const std::string below = recording_.line(path + "parent");
    if (!below.empty()) netdevs_.insert(below);
    for (const auto& netdev : entries(sys(path + "device/net"))) netdevs_.insert(netdev);
  }

  void take_port(const std::string& device, const std::string& number) {
    const std::string path = "class/infiniband/" + device + "/ports/" + number + "/";
    for (const char* file : kOfPort) take(path + file);
    take("class/infiniband/" + device + "/tc/" + number + "/traffic_class");
    take("kernel/config/rdma_cm/" + device + "/ports/" + number + "/default_roce_tos");
    const std::string types = path + "gid_attrs/types/";
    const std::string netdevs = path + "gid_attrs/ndevs/";
    for (const auto& index : recording_.names(path + "gids")) {
      take(types + index);
      const std::string netdev = take(netdevs + index);
      if (!netdev.empty()) netdevs_.insert(netdev);
    }
  }

  /// How many there are, and each. Those of a network device are of all ports that work through it.
  void take_counters(const std::string& device, const std::string& port) {
    const std::string netdev = netdev_of(device, port);
    auto counters = telemetry::read_counters(device, whole_in(port).value_or(0), root_ / "sys");
    counters.merge(telemetry::read_host_counters(device, netdev, root_ / "sys"));
    if (live_ && !netdev.empty()) {
      counters.merge(telemetry::read_ethtool_counters(netdev));
      counters.merge(netlink_counters(netdev));
    }
    const std::string path = "counters/" + device + "/" + port;
    if (live_)
      put_error(path + "/fec_uncorrectable_blocks", EOPNOTSUPP);  // unless it is among them
    put(path, std::to_string(counters.size()));
    const std::string folder = path + "/";
    for (const auto& [name, value] : counters) {
      put(folder + name, std::to_string(value));
      recording_.unread.erase(folder + name);
    }
  }

  /// Of its first GID that has one, else below the device.
  std::string netdev_of(const std::string& device, const std::string& port) {
    const std::string path = "class/infiniband/" + device + "/";
    const std::string of_port = path + "ports/" + port + "/";
    const std::string ndevs = of_port + "gid_attrs/ndevs/";
    for (const auto& index : recording_.names(of_port + "gids")) {
      std::string found = recording_.line(ndevs + index);
      if (!found.empty()) return found;
    }
    const auto below = entries(sys(path + "device/net"));
    return below.size() == 1 ? below.front() : recording_.line(path + "parent");
  }

  void take_netdev(const std::string& name) {
    for (const char* file : kOfNetdev) take("class/net/" + name + "/" + file);
    for (const char* file : kOfSockets) {
      take("proc/sys/net/ipv4/conf/all/" + std::string(file));
      take("proc/sys/net/ipv4/conf/" + name + "/" + file);
    }
    for (const char* const side : {"roce_np", "roce_rp"}) take_ecn(name, side);
    take_bond(name);
    take_neighbours(name);
  }

  /// "10.10.0.2=0c:42:a1:00:02:00 ...", of the kernel's table of IPv4 neighbours by proc(5):
  /// address, kind, flags, MAC, mask, device.
  void take_neighbours(const std::string& name) {
    const std::string path = "neighbours/" + name;
    const Content table = content_of(root_ / "proc/net/arp");
    if (table.error != 0) return put_error(path, table.error);
    std::istringstream lines(table.text.substr(std::min(table.text.find('\n'), table.text.size())));
    std::vector<std::string> known;
    for (std::string address, kind, flags, mac, mask, device;
         lines >> address >> kind >> flags >> mac >> mask >> device;) {
      const bool answered = flags != "0x0";
      if (answered && device == name) known.push_back(finding::joined({address, mac}, "="));
    }
    put(path, known.empty() ? "none" : finding::joined(known, " "));
  }

  /// "eth0:up:200000 eth1:down:-1"
  void take_bond(const std::string& name) {
    const std::string path = "bond/" + name + "/members";
    const Content slaves = content_of(sys("class/net/" + name + "/bonding/slaves"));
    if (slaves.error != 0) return put_error(path, slaves.error);
    std::istringstream words(slaves.line());
    std::string text;
    for (std::string member; words >> member;) {
      const fs::path folder = sys("class/net/" + member);
      text += (text.empty() ? "" : " ") + member + ":" + content_of(folder / "operstate").line() +
              ":" + content_of(folder / "speed").line();
    }
    put(path, text.empty() ? "none" : text);
  }

  /// "0:1 1:1 ...": whether it is on, by priority.
  void take_ecn(const std::string& netdev, const std::string& side) {
    const fs::path folder = sys("class/net/" + netdev + "/ecn/" + side + "/enable");
    const std::string path = "ecn/" + netdev + "/" + side;
    std::vector<std::string> all;
    for (std::size_t priority = 0; priority < kPriorities; ++priority) {
      const Content one = content_of(folder / std::to_string(priority));
      if (one.error != 0) return put_error(path, one.error);
      all.push_back(std::to_string(priority) + ":" + one.line());
    }
    put(path, finding::joined(all, " "));
  }

  /// Of a driver that has files instead of a table of DSCPs in DCB netlink (MLNX_OFED): what
  /// mlnx_qos reads. Numbers of DSCP and priority, below a line of words.
  void take_trust(const std::string& netdev) {
    const fs::path folder = sys("class/net/" + netdev + "/qos");
    const std::string path = "dcb/" + netdev + "/dscp-to-priority";
    const std::string trust = content_of(folder / "trust").line();
    const std::string known = recording_.line(path);
    if ((trust != "dscp" && trust != "pcp") || (!known.empty() && known != "none")) return;
    std::istringstream lines(content_of(folder / "dscp2prio").text);
    std::string words;
    std::getline(lines, words);
    std::vector<std::string> map;
    for (int dscp = 0, priority = 0; lines >> dscp >> priority;)
      map.push_back(std::to_string(dscp) + ":" + std::to_string(priority));
    recording_.files.erase(path);
    recording_.unread.erase(path);
    if (trust == "dscp" && map.empty()) return put_error(path, ENODATA);
    put(path, trust == "pcp" ? "none" : finding::joined(map, " "));
  }

  void take_pci(const std::vector<std::string>& chain) {
    const std::string& address = chain.back();
    const std::string path = "bus/pci/devices/" + address + "/";
    for (const char* file : kOfPci) take(path + file);
    for (const char* const kind : {"fatal", "nonfatal", "correctable"}) take_errors(address, kind);
    take_settings(chain);
    take_iommu(address);
    take_interrupts(address);
  }

  void take_errors(const std::string& address, const std::string& kind) {
    const Content content = content_of(sys("bus/pci/devices/" + address + "/aer_dev_" + kind));
    const std::string path = "pci/" + address + "/aer-" + kind;
    if (content.error != 0) return put_error(path, content.error);
    put(path, after(content.text, kind == "correctable" ? "TOTAL_ERR_COR"
                                  : kind == "fatal"     ? "TOTAL_ERR_FATAL"
                                                        : "TOTAL_ERR_NONFATAL"));
  }

  /// Without a right the kernel shows the first 64 bytes, in which there is nothing of it.
  void take_settings(const std::vector<std::string>& chain) {
    constexpr std::size_t kForAll = 64;
    const std::string path = "pci/" + chain.back() + "/";
    bool acs = false;
    for (const std::string& address : chain) {
      const Content content = content_of(sys("bus/pci/devices/" + address + "/config"));
      const int error =
          content.error == 0 && content.text.size() <= kForAll ? EACCES : content.error;
      const bool last = address == chain.back();
      if (error != 0) {
        put_error(path + "acs-above", error);
        if (!last) continue;
        for (const char* const name : {"max-payload", "max-read-request", "relaxed-ordering"})
          put_error(path + name, error);
        return;
      }
      const auto settings = pci_settings(content.text);
      if (!last) acs = acs || (settings.contains("acs") && settings.at("acs") == "on");
      for (const auto& [name, value] : settings) {
        if (last && name != "acs") put(path + name, value);
      }
    }
    if (!recording_.unread.contains(path + "acs-above"))
      put(path + "acs-above", acs ? "on" : "off");
  }

  void take_iommu(const std::string& address) {
    const std::string path = "pci/" + address + "/iommu";
    const fs::path link = sys("bus/pci/devices/" + address + "/iommu_group");
    std::error_code missing;
    if (!fs::exists(link, missing)) return put(path, "none");
    const std::string group = fs::weakly_canonical(link).filename();
    const Content type = content_of(sys("kernel/iommu_groups/" + group + "/type"));
    if (type.error != 0) return put_error(path, type.error);
    put(path, type.line());
  }

  void take_interrupts(const std::string& address) {
    const std::string path = "pci/" + address + "/irq-cpus";
    topology::CpuSet cpus;
    for (const auto& irq : entries(sys("bus/pci/devices/" + address + "/msi_irqs"))) {
      const Content list = content_of(root_ / "proc/irq" / irq / "smp_affinity_list");
      if (list.error != 0) return put_error(path, list.error);
      cpus.merge(topology::parse_cpu_list(list.line()).value_or(topology::CpuSet{}));
    }
    put_or_absent(path, topology::cpu_list(cpus));
  }

  /// Which of /dev/infiniband/uverbs* this process may open.
  void take_ports_of_verbs() {
    if (!live_) return;
    for (const auto& device : recording_.names("class/infiniband"))
      put_error("process/verbs/" + device, ENOENT);
    for (const auto& file : entries(sys("class/infiniband_verbs"))) {
      const std::string device =
          content_of(sys("class/infiniband_verbs/" + file + "/ibdev")).line();
      if (device.empty()) continue;
      const std::string path = "process/verbs/" + device;
      const fs::path node = root_ / "dev/infiniband" / file;
      if (::access(node.c_str(), R_OK | W_OK) != 0) {
        put_error(path, errno);
      } else {
        recording_.unread.erase(path);
        put(path, "read-write");
      }
    }
  }

  void take_container() {
    const auto is_there = [&](const char* path) {
      std::error_code missing;
      return fs::exists(root_ / path, missing);
    };
    put("process/container", is_there(".dockerenv")          ? "docker"
                             : is_there("run/.containerenv") ? "podman"
                                                             : "none");
    if (!live_) return;
    struct statvfs shm {};
    if (::statvfs("/dev/shm", &shm) != 0) return put_error("process/shared-memory", errno);
    put("process/shared-memory", std::to_string(std::uint64_t{shm.f_blocks} * shm.f_frsize));
  }

  fs::path root_;
  bool live_;
  Recording recording_{};
  std::set<std::string> netdevs_{};
};

std::uint32_t number_at(const std::string& bytes, std::size_t offset, std::size_t size) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < size && offset + i < bytes.size(); ++i)
    value |= std::uint32_t{static_cast<unsigned char>(bytes[offset + i])} << (8 * i);
  return value;
}

std::size_t express_capability(const std::string& bytes) {
  constexpr std::uint32_t kExpress = 0x10;
  std::size_t at = number_at(bytes, 0x34, 1);
  for (int steps = 0; at >= 0x40 && at + 2 <= bytes.size() && steps < 48; ++steps) {
    if (number_at(bytes, at, 1) == kExpress) return at;
    at = number_at(bytes, at + 1, 1);
  }
  return 0;
}

/// The place of an extended capability; 0: there is none.
std::size_t extended_capability(const std::string& bytes, std::uint32_t wanted) {
  std::size_t at = 0x100;
  for (int steps = 0; at >= 0x100 && at + 4 <= bytes.size() && steps < 96; ++steps) {
    const std::uint32_t head = number_at(bytes, at, 4);
    if ((head & 0xffffU) == wanted) return at;
    at = head >> 20U;
  }
  return 0;
}

}  // namespace

Recording record(const fs::path& root, const std::string& version) {
  return Reader(root).whole(version);
}

std::string counted_words(const std::vector<std::string>& words) {
  std::map<std::string, int> counts;
  for (const std::string& word : words) ++counts[word];
  std::vector<std::string> parts;
  parts.reserve(counts.size());
  for (const auto& [word, count] : counts) parts.push_back(word + " " + std::to_string(count));
  return finding::joined(parts);
}

std::map<std::string, std::string> pci_settings(const std::string& configuration) {
  std::map<std::string, std::string> found;
  const std::size_t express = express_capability(configuration);
  if (express == 0) return found;
  const std::uint32_t control = number_at(configuration, express + 8, 2);
  found["max-payload"] = std::to_string(128U << ((control >> 5U) & 7U));
  found["max-read-request"] = std::to_string(128U << ((control >> 12U) & 7U));
  found["relaxed-ordering"] = (control & 0x10U) != 0 ? "on" : "off";
  constexpr std::uint32_t kAccessControl = 0x000d;
  constexpr std::uint32_t kRedirects = 0x1c;  // request redirect, completion redirect, upstream
  if (const std::size_t acs = extended_capability(configuration, kAccessControl); acs != 0)
    found["acs"] = (number_at(configuration, acs + 6, 2) & kRedirects) != 0 ? "on" : "off";
  return found;
}

}  // namespace railgauge::doctor
