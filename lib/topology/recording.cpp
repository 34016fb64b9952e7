#include "topology/recording.hpp"

#include <unistd.h>
#include <array>
#include <charconv>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "topology/hwloc_map.hpp"
#include "topology/pci.hpp"

namespace railgauge::topology {
namespace {

constexpr std::string_view kFirstLine = "railgauge host 1";
constexpr std::string_view kXml = "<?xml";
constexpr std::string_view kNoXml = "hwloc: none";

struct Natural {
  bool operator()(const std::string& left, const std::string& right) const {
    return ::strverscmp(left.c_str(), right.c_str()) < 0;
  }
};

/// "eth1 10.10.0.8/24"
NetAddress net_address(const std::string& text) {
  const std::size_t space = text.find(' ');
  const std::size_t slash = text.find('/');
  if (space == std::string::npos || slash == std::string::npos || slash < space) {
    throw std::invalid_argument("expected an address like 'eth1 10.10.0.8/24'");
  }
  const auto address = parse_ip_address(text.substr(space + 1, slash - space - 1));
  int length = -1;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + slash + 1, end, length);
  if (!address || read.ptr != end || length < 0 || length > address_bits(*address)) {
    throw std::invalid_argument("expected an address with a prefix length");
  }
  return {text.substr(0, space), *address, length};
}

CpuSet cpus(const std::string& text) {
  if (auto list = parse_cpu_list(text)) return *list;
  throw std::invalid_argument("expected a list of cpus");
}

void take(const std::string& name, const std::string& value, Recording& into) {
  if (name == "host") {
    into.host = value;
  } else if (name == "allowed") {
    into.allowed = cpus(value);
  } else if (name == "default-route") {
    into.default_route = value;
  } else if (name == "address") {
    into.addresses.push_back(net_address(value));
  } else if (name.find('/') != std::string::npos) {
    into.files[name] = value;
  } else {
    throw std::invalid_argument("unknown name '" + name + "'");
  }
}

void take_line(const std::string& line, Recording& into) {
  const std::size_t colon = line.find(": ");
  const std::size_t arrow = line.find(" -> ");
  const std::size_t mark = line.find(" ! ");
  if (mark < colon && mark < arrow) {
    into.unread[line.substr(0, mark)] = line.substr(mark + 3);
  } else if (colon < arrow) {
    take(line.substr(0, colon), line.substr(colon + 2), into);
  } else if (arrow != std::string::npos) {
    into.links[line.substr(0, arrow)] = line.substr(arrow + 4);
  } else {
    throw std::invalid_argument("expected 'name: content', 'link -> target' or 'name ! error'");
  }
}

std::string rest(std::istream& text) {
  std::ostringstream all;
  all << text.rdbuf();
  return all.str();
}

/// Of a recording that was cut the XML has no end.
void check_end(const std::string& xml) {
  const std::size_t last = xml.find_last_not_of(" \t\r\n");
  if (last != std::string::npos && xml.substr(0, last + 1).ends_with("</topology>")) return;
  throw std::invalid_argument("hwloc's XML in it has no end: record the host again");
}

}  // namespace

std::string Recording::line(const std::string& path) const {
  const auto found = files.find(path);
  return found == files.end() ? "" : found->second;
}

std::string Recording::target(const std::string& path) const {
  const auto found = links.find(path);
  return found == links.end() ? "" : found->second;
}

std::vector<std::string> Recording::names(const std::string& folder) const {
  std::set<std::string, Natural> found;
  const std::string prefix = folder + "/";
  for (const auto* paths : {&files, &links}) {
    for (auto at = paths->lower_bound(prefix); at != paths->end(); ++at) {
      if (!at->first.starts_with(prefix)) break;
      found.insert(
          at->first.substr(prefix.size(), at->first.find('/', prefix.size()) - prefix.size()));
    }
  }
  return {found.begin(), found.end()};
}

Recording parse_recording(std::istream& text) {
  std::string line;
  if (!std::getline(text, line) || line != kFirstLine) {
    throw std::invalid_argument("line 1 is not '" + std::string(kFirstLine) + "'");
  }
  Recording recording;
  int number = 2;
  for (; std::getline(text, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    if (line == "hwloc:") {
      recording.hwloc_xml = rest(text);
      check_end(recording.hwloc_xml);
      return recording;
    }
    if (line == kNoXml) return recording;
    try {
      take_line(line, recording);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument("line " + std::to_string(number) + ", '" + line +
                                  "': " + error.what());
    }
  }
  throw std::invalid_argument("it ends in line " + std::to_string(number - 1) +
                              ", before hwloc's XML: record the host again");
}

Recording load_recording(const std::filesystem::path& file) {
  std::ifstream in(file);
  const std::string text = rest(in);
  if (!in || std::filesystem::is_directory(file)) {
    throw std::runtime_error("cannot read " + file.string());
  }
  Recording recording;
  if (text.starts_with(kXml)) {
    recording.hwloc_xml = text;
  } else {
    std::istringstream lines(text);
    try {
      recording = parse_recording(lines);
    } catch (const std::invalid_argument& error) {
      throw std::runtime_error(file.string() + " is not a recording of a host: " + error.what());
    }
  }
  if (recording.host.empty()) recording.host = file.stem();
  return recording;
}

std::string to_text(const Recording& recording) {
  std::string text = std::string(kFirstLine) + "\nhost: " + recording.host + "\n";
  if (!recording.allowed.empty()) text += "allowed: " + cpu_list(recording.allowed) + "\n";
  if (!recording.default_route.empty()) text += "default-route: " + recording.default_route + "\n";
  for (const NetAddress& one : recording.addresses) {
    text += "address: " + one.netdev + " " + to_string(one.address) + "/" +
            std::to_string(one.prefix_length) + "\n";
  }
  for (const auto& [path, line] : recording.files)
    text.append(path).append(": ").append(line) += '\n';
  for (const auto& [path, to] : recording.links)
    text.append(path).append(" -> ").append(to) += '\n';
  for (const auto& [path, error] : recording.unread)
    text.append(path).append(" ! ").append(error) += '\n';
  if (recording.hwloc_xml.empty()) return text.append(kNoXml) + "\n";
  return text + "hwloc:\n" + recording.hwloc_xml;
}

namespace {

namespace fs = std::filesystem;
using Names = std::initializer_list<const char*>;

// All that is ever read of /sys.
constexpr Names kOfDevice{"node_guid", "sys_image_guid", "fw_ver",
                          "hca_type",  "node_type",      "parent"};
constexpr Names kOfPort{"state", "rate", "link_layer"};
constexpr Names kOfPci{"numa_node",          "local_cpulist",  "current_link_speed",
                       "current_link_width", "max_link_speed", "max_link_width"};
constexpr Names kLinksOfPci{"driver", "physfn"};
constexpr Names kOfNetdev{"mtu", "speed"};
constexpr Names kLinksOfNetdev{"device", "master"};
constexpr const char* kNoGid = "0000:0000:0000:0000:0000:0000:0000:0000";

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

std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

}  // namespace

std::vector<std::string> entries(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing))
    names.push_back(entry.path().filename());
  return names;
}

std::string default_route(const fs::path& file) {
  std::ifstream table(file);
  std::string line;
  while (std::getline(table, line)) {
    std::istringstream fields(line);
    std::string netdev;
    std::string destination;
    if (fields >> netdev >> destination && destination == "00000000") return netdev;
  }
  return "";
}

Recording record_sysfs(const fs::path& sysfs) {
  return Recorder(sysfs).sysfs();
}

Recording record_here(const fs::path& sysfs, std::string hwloc_xml) {
  Recording recording = record_sysfs(sysfs);
  recording.host = host_name();
  recording.default_route = default_route("/proc/net/route");
  recording.addresses = addresses_here();
  recording.hwloc_xml = std::move(hwloc_xml);
  recording.allowed = allowed_here();
  return recording;
}

Recording record_here(const fs::path& sysfs) {
  return record_here(sysfs, hwloc_xml_here());
}

}  // namespace railgauge::topology
