#include "softroce/paths/tree.hpp"

#include <algorithm>
#include <string_view>

namespace railgauge::softroce::paths {
namespace {

constexpr std::string_view kClass = "/sys/class/infiniband";
/// Where the kernel has devices that are on no bus; the class then has a link to each.
constexpr std::string_view kDevices = "/sys/devices/virtual/infiniband";
constexpr std::string_view kCharacterDevices = "/dev/infiniband";
constexpr std::string_view kPrefix = "uverbs_";
/// The first minor number of the kernel's uverbs devices (drivers/infiniband/core/uverbs_main.c).
constexpr unsigned kFirstMinor = 192;
/// The major number of the kernel's uverbs devices (drivers/infiniband/core/uverbs_main.c).
constexpr unsigned kUverbsMajor = 231;
/// That of miscellaneous devices, and of those a number that is given to none for good
/// (include/linux/miscdevice.h).
constexpr unsigned kMiscMajor = 10;
constexpr unsigned kAnyMinor = 254;
constexpr std::string_view kConnectionManagerClass = "/sys/class/misc/rdma_cm";

std::string below(std::string_view folder, std::string_view name) {
  return std::string(folder) + "/" + std::string(name);
}

/// What follows `folder` and a slash; nothing where path is not below it.
std::optional<std::string_view> inside(std::string_view path, std::string_view folder) {
  if (!path.starts_with(folder) || path.size() <= folder.size() + 1) return std::nullopt;
  if (path[folder.size()] != '/') return std::nullopt;
  return path.substr(folder.size() + 1);
}

const DeviceDescription* find(const std::vector<DeviceDescription>& devices,
                              std::string_view name) {
  const auto found = std::ranges::find(devices, name, &DeviceDescription::name);
  return found == devices.end() ? nullptr : &*found;
}

/// The devices' own folder, if this is the link to it.
std::optional<std::string> target(const std::vector<DeviceDescription>& devices,
                                  const std::string& path) {
  const auto name = inside(path, kClass);
  if (!name || find(devices, *name) == nullptr) return std::nullopt;
  return below(kDevices, *name);
}

/// As the kernel walks: a link is followed before ".." is, and at the end only if asked, or if a
/// slash follows.
std::string walk(const std::vector<DeviceDescription>& devices, std::string_view path,
                 LastLink last) {
  std::string walked;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::string_view name = path.substr(0, slash);
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
    if (name.empty() || name == ".") continue;
    if (name == "..") {
      walked.resize(std::min(walked.size(), walked.rfind('/')));
      continue;
    }
    walked = below(walked, name);
    if (slash == std::string_view::npos && last == LastLink::keep) break;
    if (auto linked = target(devices, walked)) walked = std::move(*linked);
  }
  return walked;
}

/// A folder that has an entry for every device, whose name follows `prefix`.
Node root(const std::vector<DeviceDescription>& devices, std::string path,
          std::string_view prefix) {
  Node node{.path = std::move(path), .shared = true};
  for (const DeviceDescription& device : devices) {
    node.entries.push_back(std::string(prefix) + device.name);
  }
  return node;
}

/// What ".." of a root is: the kernel has it, but not by way of a folder that is only ours.
bool is_above(std::string_view path) {
  return path == "/sys/class" || path == "/sys/devices/virtual" || path == "/dev";
}

/// A file, or the folder that files have in their path; the device's own is "".
std::optional<Node> inside_device(const DeviceDescription& device, std::string_view relative,
                                  std::string path) {
  Node folder{.path = std::move(path)};
  for (File& file : files_of(device, relative)) {
    if (file.path == relative) {
      return Node{.kind = Kind::file, .path = folder.path, .text = std::move(file.content)};
    }
    const std::string_view rest = relative.empty() ? file.path : *inside(file.path, relative);
    std::string entry(rest.substr(0, rest.find('/')));
    if (std::ranges::find(folder.entries, entry) == folder.entries.end()) {
      folder.entries.push_back(std::move(entry));
    }
  }
  if (folder.entries.empty()) return std::nullopt;
  return folder;
}

std::optional<Node> in_devices(const std::vector<DeviceDescription>& devices, std::string path) {
  const auto rest = inside(path, kDevices);
  if (!rest) return std::nullopt;
  const std::size_t slash = rest->find('/');
  const DeviceDescription* const device = find(devices, rest->substr(0, slash));
  if (device == nullptr) return std::nullopt;
  const std::string relative(slash == std::string_view::npos ? "" : rest->substr(slash + 1));
  return inside_device(*device, relative, std::move(path));
}

std::optional<Node> character_device(const std::vector<DeviceDescription>& devices,
                                     std::string path) {
  const auto name = inside(path, kCharacterDevices);
  if (!name || !name->starts_with(kPrefix)) return std::nullopt;
  const DeviceDescription* const device = find(devices, name->substr(kPrefix.size()));
  if (device == nullptr) return std::nullopt;
  const auto number = static_cast<unsigned>(device - devices.data());
  return Node{.kind = Kind::device,
              .path = std::move(path),
              .major = kUverbsMajor,
              .minor = kFirstMinor + number};
}

/// The version is RDMA_USER_CM_ABI_VERSION of <rdma/rdma_user_cm.h>.
std::optional<Node> connection_manager(std::string path) {
  if (path == kConnectionManager) {
    return Node{
        .kind = Kind::device, .path = std::move(path), .major = kMiscMajor, .minor = kAnyMinor};
  }
  const auto name = inside(path, kConnectionManagerClass);
  if (path == kConnectionManagerClass) {
    return Node{.path = std::move(path), .entries = {"abi_version", "dev"}};
  }
  if (name == "abi_version") return Node{.kind = Kind::file, .path = path, .text = "4\n"};
  if (name == "dev") return Node{.kind = Kind::file, .path = path, .text = "10:254\n"};
  return std::nullopt;
}

using Counters = std::vector<std::pair<std::string, std::uint64_t>>;

/// Files that are `within`, which is a file itself or a folder; others are not even written down.
/// Programs read hundreds of counters, each by its path.
class Files {
 public:
  explicit Files(std::string_view within) : within_(within) {}

  void add(std::string_view path, std::string_view content) {
    if (within_.empty() || path == within_ || inside(path, within_))
      files_.push_back({std::string(path), std::string(content) + "\n"});
  }
  void add_gids(const DeviceDescription& device) {
    for (std::size_t i = 0; i < device.gids.size(); ++i) {
      const std::string index = std::to_string(i);
      add("ports/1/gids/" + index, device.gids[i].gid);
      add("ports/1/gid_attrs/types/" + index, device.gids[i].type);
      add("ports/1/gid_attrs/ndevs/" + index, device.netdev);
    }
  }
  void add_counters(const std::string& folder, const Counters& counters) {
    const auto name = inside(within_, folder);
    if (!name && !within_.empty() && within_ != folder && !inside(folder, within_)) return;
    for (const auto& counter : counters) {
      if (!name || *name == counter.first)
        add(below(folder, counter.first), std::to_string(counter.second));
    }
  }

  std::vector<File> files() { return std::move(files_); }

 private:
  std::string_view within_;
  std::vector<File> files_;
};

}  // namespace

std::optional<Node> look_up(const std::vector<DeviceDescription>& devices, const std::string& path,
                            LastLink last) {
  if (devices.empty()) return std::nullopt;
  std::string walked = walk(devices, path, last);
  if (walked == kClass || walked == kDevices) return root(devices, std::move(walked), "");
  if (walked == kCharacterDevices) {
    Node folder = root(devices, std::move(walked), kPrefix);
    folder.entries.emplace_back("rdma_cm");
    return folder;
  }
  if (is_above(walked)) return Node{.path = std::move(walked), .shared = true};
  if (auto device = target(devices, walked)) {
    const std::string to = "../.." + device->substr(std::string_view("/sys").size());
    return Node{.kind = Kind::link, .path = std::move(walked), .text = to};
  }
  if (auto node = character_device(devices, walked)) return node;
  if (auto node = connection_manager(walked)) return node;
  return in_devices(devices, std::move(walked));
}

/// Names and forms are the kernel's: Documentation/ABI/stable/sysfs-class-infiniband. The device
/// is on no bus, which is NUMA node -1 (Documentation/ABI/testing/sysfs-bus-pci, numa_node).
std::vector<File> files_of(const DeviceDescription& device, std::string_view within) {
  Files files(within);
  files.add("node_guid", device.node_guid);
  files.add("sys_image_guid", device.node_guid);
  files.add("node_type", "1: CA");
  files.add("node_desc", device.name);
  files.add("fw_ver", device.firmware);
  files.add("hw_rev", "0x0");
  files.add("hca_type", "softroce");
  files.add("board_id", "softroce");
  files.add("device/numa_node", "-1");
  files.add("ports/1/state", device.state);
  files.add("ports/1/phys_state", device.physical_state);
  files.add("ports/1/rate", device.rate);
  files.add("ports/1/link_layer", device.link_layer);
  files.add("ports/1/lid", "0x0");
  files.add("ports/1/lid_mask_count", "0");
  files.add("ports/1/sm_lid", "0x0");
  files.add("ports/1/sm_sl", "0");
  files.add("ports/1/cap_mask", "0x00010000");  // IBV_PORT_CM_SUP, as rdma_rxe has
  files.add("ports/1/pkeys/0", "0xffff");
  files.add_gids(device);
  files.add_counters("ports/1/counters", device.counters);
  files.add_counters("ports/1/hw_counters", device.hw_counters);
  return files.files();
}

}  // namespace railgauge::softroce::paths
