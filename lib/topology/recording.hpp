#pragma once

#include <filesystem>
#include <istream>
#include <map>
#include <string>
#include <vector>

#include "topology/cpu_set.hpp"
#include "topology/ip_address.hpp"

namespace railgauge::topology {

/// All that is read from a host to understand it, and nothing else. Every host is seen through its
/// recording, this one too (record_here), so one from elsewhere is as good.
///
/// As text, one file per host, which a person can read before sending it to anyone:
///
///     railgauge host 1
///     host: node7
///     allowed: 0-63
///     default-route: eth0
///     address: eth1 10.10.0.8/24
///     class/infiniband/mlx5_0/ports/1/state: 4: ACTIVE
///     class/infiniband/mlx5_0/device -> devices/pci0000:15/0000:15:01.0/0000:16:00.0
///     class/net/eth1/speed ! EINVAL
///     hwloc:
///     <?xml ...                                    hwloc's XML, to the end
///
/// Files and links are those of /sys; of a file, the first line, or after ! why it could not be
/// read. Others may add files that are elsewhere, below a name of their own ("proc/..."). Empty
/// lines and lines that start with # are ignored. "hwloc: none" is the end where nothing of hwloc
/// was recorded.
struct Recording {
  std::string host{};
  CpuSet allowed{};             // where this process may run; none: wherever hwloc's XML says
  std::string default_route{};  // the network device that the default route leaves by
  std::vector<NetAddress> addresses{};
  std::map<std::string, std::string> files{};   // path below /sys: first line
  std::map<std::string, std::string> links{};   // path below /sys: target, below /sys too
  std::map<std::string, std::string> unread{};  // path below /sys: the name of the error, "EACCES"
  std::string hwloc_xml{};

  /// A file's line; "" if it was not recorded.
  [[nodiscard]] std::string line(const std::string& path) const;
  /// Where a link leads to; "" if it was not recorded.
  [[nodiscard]] std::string target(const std::string& path) const;
  /// What is in a folder, in natural order (mlx5_2 before mlx5_10).
  [[nodiscard]] std::vector<std::string> names(const std::string& folder) const;
  /// Whether it is hwloc's XML and nothing else.
  [[nodiscard]] bool is_xml_alone() const {
    return !hwloc_xml.empty() && files.empty() && links.empty() && addresses.empty();
  }
};

/// Throws std::invalid_argument that names the line if the text is not a whole recording.
Recording parse_recording(std::istream& text);

/// Reads a file: a recording, or hwloc's XML alone (`lstopo host.xml`), which knows no ports, rates
/// or addresses. Throws std::runtime_error that names the file.
Recording load_recording(const std::filesystem::path& file);

std::string to_text(const Recording& recording);

/// Records this host. What it reads is listed in recording.cpp, and is all that a recording holds:
/// - of every RDMA device and its ports: state, rate, link layer, GIDs, node GUID and type,
/// firmware
///   version and model;
/// - of their PCI devices and the bridges above them: NUMA node, cpus, link speeds, driver, SR-IOV;
/// - network devices: which PCI device they belong to, which bond, MTU, speed;
///   addresses; the default
/// route;
/// - the cpus and NUMA nodes, by hwloc, without what hwloc has to say about models, disks, memory
///   modules and serial numbers; where this process may run; the host's name.
/// GIDs and GUIDs contain MAC addresses. Nothing else in it identifies hardware or a person.
///
/// `hwloc_xml` is hwloc_xml_here()'s, which is the same for all processes of a host
/// (hwloc_map.hpp). `sysfs` may be another tree of the same form (for tests). Throws
/// std::runtime_error if hwloc cannot inspect this machine.
Recording record_here(const std::filesystem::path& sysfs, std::string hwloc_xml);
Recording record_here(const std::filesystem::path& sysfs = "/sys");

/// The part of it that is in the tree: without host name, addresses, default route and hwloc's XML.
Recording record_sysfs(const std::filesystem::path& sysfs);

/// The names in a folder; none if there is no such folder.
std::vector<std::string> entries(const std::filesystem::path& folder);

/// The network device that the default route leaves by, from the kernel's table of IPv4 routes
/// (proc(5), /proc/net/route); "" without one.
std::string default_route(const std::filesystem::path& table);

}  // namespace railgauge::topology
