#include "topology/recording.hpp"

#include <unistd.h>
#include <algorithm>
#include <array>
#include <fstream>
#include <initializer_list>
#include <sstream>

#include "topology/hwloc_map.hpp"
#include "topology/pci.hpp"

namespace railgauge::topology {
namespace {

namespace fs = std::filesystem;
using Names = std::initializer_list<const char*>;

// All that is ever read of /sys.
constexpr Names kOfDevice{"node_guid", "sys_image_guid", "fw_ver", "hca_type", "parent"};
constexpr Names kOfPort{"state", "rate", "link_layer"};
constexpr Names kOfPci{"numa_node",          "local_cpulist",  "current_link_speed",
                       "current_link_width", "max_link_speed", "max_link_width"};
constexpr Names kLinksOfPci{"driver", "physfn"};
constexpr Names kOfNetdev{"mtu"};
constexpr Names kLinksOfNetdev{"device", "master"};
constexpr const char* kNoGid = "0000:0000:0000:0000:0000:0000:0000:0000";

std::vector<std::string> entries(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code missing;  // no RDMA device: no such folder
  for (const auto& entry : fs::directory_iterator(folder, missing)) {
    names.push_back(entry.path().filename());
  }
  return names;
}

class Recorder {
 public:
  explicit Recorder(const fs::path& sysfs) : sysfs_(fs::weakly_canonical(sysfs)) {}

  Recording sysfs() {
    for (const auto& name : entries(sysfs_ / "class/net")) take_netdev("class/net/" + name + "/");
    for (const auto& name : entries(sysfs_ / "class/infiniband")) {
      take_device("class/infiniband/" + name + "/");
    }
    return std::move(recording_);
  }

 private:
  /// Not what cannot be read, or is empty: a GID's type, where there is no GID.
  std::string take(const std::string& path) {
    std::ifstream file(sysfs_ / path);
    std::string line;
    if (std::getline(file, line) && !line.empty()) recording_.files[path] = line;
    return line;
  }

  std::string take_link(const std::string& path) {
    std::error_code missing;
    if (!fs::is_symlink(sysfs_ / path, missing)) return "";
    const fs::path target = fs::weakly_canonical(sysfs_ / path).lexically_relative(sysfs_);
    return recording_.links[path] = target.string();
  }

  void take_device(const std::string& path) {
    for (const char* name : kOfDevice) take(path + name);
    const std::string device = take_link(path + "device");
    const std::string netdev = recording_.line(path + "parent");
    take_chain(device.empty() ? recording_.target("class/net/" + netdev + "/device") : device);
    for (const auto& port : entries(sysfs_ / path / "ports")) take_port(path + "ports/", port);
  }

  void take_port(const std::string& ports, const std::string& number) {
    const std::string path = ports + number + "/";
    for (const char* name : kOfPort) take(path + name);
    const std::string gids = path + "gids/";
    const std::string types = path + "gid_attrs/types/";
    const std::string netdevs = path + "gid_attrs/ndevs/";
    for (const auto& index : entries(sysfs_ / gids)) {
      if (take(gids + index) == kNoGid) {
        recording_.files.erase(gids + index);
        continue;
      }
      take(types + index);
      take(netdevs + index);
    }
  }

  void take_netdev(const std::string& path) {
    for (const char* name : kOfNetdev) take(path + name);
    for (const char* name : kLinksOfNetdev) take_link(path + name);
  }

  /// A device's PCI function and the bridges above it.
  void take_chain(const std::string& device_path) {
    for (const std::string& address : pci_addresses(device_path)) {
      const std::string path = "bus/pci/devices/" + address + "/";
      for (const char* name : kOfPci) take(path + name);
      for (const char* name : kLinksOfPci) take_link(path + name);
    }
  }

  fs::path sysfs_;
  Recording recording_;
};

/// From the kernel's table of IPv4 routes (proc(5), /proc/net/route): the one to 0.0.0.0/0.
std::string default_route() {
  std::ifstream table("/proc/net/route");
  std::string line;
  while (std::getline(table, line)) {
    std::istringstream fields(line);
    std::string netdev;
    std::string destination;
    if (fields >> netdev >> destination && destination == "00000000") return netdev;
  }
  return "";
}

std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

}  // namespace

Recording record_here(const fs::path& sysfs) {
  Recording recording = Recorder(sysfs).sysfs();
  recording.host = host_name();
  recording.default_route = default_route();
  recording.addresses = addresses_here();
  recording.hwloc_xml = hwloc_xml_here();
  recording.allowed = allowed_here();
  return recording;
}

}  // namespace railgauge::topology
