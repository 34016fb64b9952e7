#include "doctor/facts.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include "doctor/history.hpp"

namespace railgauge::doctor {
namespace {

using topology::RdmaDevice;
using topology::RdmaPort;

Gap gap_of(const std::string& error) {
  if (error == "ENOENT" || error == "ENOTDIR" || error == "EOPNOTSUPP") return Gap::absent;
  return error == "EACCES" || error == "EPERM" ? Gap::refused : Gap::failed;
}

/// The network device of a port: of its GIDs, of its PCI function, or the one below it.
std::string netdev_of(const HostFacts& facts, const RdmaDevice& device, const RdmaPort& port) {
  for (const topology::RdmaGid& gid : port.gids) {
    if (!gid.netdev.empty()) return gid.netdev;
  }
  std::string below = facts.recording.line("class/infiniband/" + device.name + "/parent");
  if (!below.empty() || device.pci.address.empty()) return below;
  const auto same =
      std::ranges::find(facts.map.netdevs, device.pci.address, &topology::Netdev::pci);
  return same == facts.map.netdevs.end() ? "" : same->name;
}

/// On how many hosts a port of that name is there, and how many of these are DOWN.
struct Census {
  std::size_t there = 0;
  std::size_t down = 0;
};
using PortName = std::pair<std::string, int>;
using Censuses = std::map<PortName, Census>;

Censuses census_of(const std::vector<HostFacts>& hosts) {
  Censuses all;
  for (const HostFacts& host : hosts) {
    for (const RdmaDevice& device : host.map.devices) {
      for (const RdmaPort& port : device.ports) {
        Census& one = all[{device.name, port.number}];
        ++one.there;
        if (port.state == "DOWN") ++one.down;
      }
    }
  }
  return all;
}

class Subjects {
 public:
  explicit Subjects(Hosts& hosts) : hosts_(hosts), census_(census_of(hosts.facts)) {}

  void add() {
    hosts_.subjects.push_back({.kind = Kind::fabric});
    for (std::size_t host = 0; host < hosts_.facts.size(); ++host) add_host(host);
  }

 private:
  void add_host(std::size_t number) {
    const HostFacts& facts = hosts_.facts[number];
    hosts_.subjects.push_back(
        {.kind = Kind::host,
         .host = number,
         .facts = &facts,
         .where = {.scope = finding::Scope::host, .at = {.host = facts.map.host}}});
    for (const RdmaDevice& device : facts.map.devices) add_device(number, device);
  }

  void add_device(std::size_t number, const RdmaDevice& device) {
    Subject subject{
        .kind = Kind::device,
        .host = number,
        .facts = &hosts_.facts[number],
        .device = &device,
        .where = {.scope = finding::Scope::device,
                  .at = {.host = hosts_.facts[number].map.host, .device = device.name}}};
    const std::size_t at = hosts_.subjects.size();
    hosts_.subjects.push_back(subject);
    bool used = device.ports.empty();
    for (const RdmaPort& port : device.ports) used = add_port(subject, port) || used;
    Subject& whole = hosts_.subjects[at];
    if (!used) whole.unused = hosts_.subjects.back().unused;
    if (!device.ports.empty()) whole.where.at.rail = hosts_.subjects[at + 1].where.at.rail;
    if (!device.ports.empty()) whole.netdev = hosts_.subjects[at + 1].netdev;
  }

  /// Whether somebody needs the port.
  bool add_port(Subject subject, const RdmaPort& port) {
    subject.kind = Kind::port;
    subject.port = &port;
    subject.netdev = netdev_of(*subject.facts, *subject.device, port);
    subject.where.scope = finding::Scope::port;
    subject.where.at.port = port.number;
    const topology::HostReport& host = hosts_.rails.hosts[subject.host];
    if (const auto* nic = topology::port_among(host.rails, subject.device->name, port.number)) {
      if (nic->rail >= 0) subject.where.at.rail = nic->rail;
      if (nic->planes > 1) subject.where.at.plane = nic->plane;
    }
    if (const auto* out = topology::port_among(host.left_out, subject.device->name, port.number))
      subject.unused = why_unused(*out, port);
    const bool used = subject.unused.empty();
    hosts_.subjects.push_back(std::move(subject));
    return used;
  }

  /// A port that is DOWN on most hosts is so by design. Of one that nothing can be done about, its
  /// user said so, or it is of another fabric; EFA, which speaks no RoCE, is judged by the rest.
  [[nodiscard]] std::string why_unused(const topology::LeftOut& out, const RdmaPort& port) const {
    const Census& census = census_.at({out.device, out.port});
    if (port.state == "DOWN" && census.there > 1 && census.down * 2 > census.there)
      return "it is DOWN on most hosts";
    const bool ethernet = port.link_layer == "Ethernet";
    return out.remedy.empty() && !port.state.empty() && ethernet ? out.reason : "";
  }

  Hosts& hosts_;
  Censuses census_;
};

/// Of the tables of all network devices that were recorded.
void add_neighbours(const HostFacts& host, Hosts& hosts) {
  constexpr std::string_view kTables = "neighbours/";
  const auto& files = host.recording.files;
  for (auto at = files.lower_bound(std::string(kTables));
       at != files.end() && at->first.starts_with(kTables); ++at) {
    const std::string_view table = at->second;
    for (std::size_t begin = 0; begin < table.size();) {
      const std::size_t end = std::min(table.find(' ', begin), table.size());
      hosts.neighbours.emplace(table.substr(begin, end - begin), &host);
      begin = end + 1;
    }
  }
}

struct Name {
  std::string_view prefix;
  std::string_view words;
};

/// What is no file has words of its own.
constexpr std::array kAnswers{Name{"dcb/", "DCB netlink: "},
                              Name{"devlink/", "devlink: "},
                              Name{"rdma/", "RDMA netlink: "},
                              Name{"counters/", "counters: "},
                              Name{"neighbours/", "/proc/net/arp: "},
                              Name{"ecn/", "ECN by priority: "},
                              Name{"ethtool/", "ethtool: "},
                              Name{"module/", "memory of the module: "},
                              Name{"bond/", "bond: "},
                              Name{"pci/", "PCI configuration, interrupts and errors: "},
                              Name{"route/", "route of the kernel: "},
                              Name{"process/", "process: "},
                              Name{"cpu/", "CPUs: "},
                              Name{"memory/", "memory: "},
                              Name{"clock/", "clock: "},
                              Name{"railgauge/", "railgauge: "}};

std::string without_domain(const std::string& name) {
  return name.substr(0, name.find('.'));
}

/// Two whole names have to be equal: node1.rack-a is not node1.rack-b.
bool is_called(const HostFacts& host, const std::string& name) {
  const std::string& own = host.map.host;
  const bool one_is_short =
      own.find('.') == std::string::npos || name.find('.') == std::string::npos;
  if (own == name || (one_is_short && without_domain(own) == without_domain(name))) return true;
  return std::ranges::any_of(host.recording.addresses, [&](const topology::NetAddress& one) {
    return to_string(one.address) == name;
  });
}

}  // namespace

std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<int> whole_in(const std::string& text) {
  int value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc()) return std::nullopt;
  return value;
}

std::string source_of(const std::string& path) {
  for (const Name& one : kAnswers) {
    if (!path.starts_with(one.prefix)) continue;
    std::string rest = path.substr(one.prefix.size());
    std::ranges::replace(rest, '/', ' ');
    return std::string(one.words) + rest;
  }
  return (path.starts_with("proc/") ? "/" : "/sys/") + path;
}

Fact HostFacts::at(const std::string& path) const {
  if (const auto found = recording.files.find(path); found != recording.files.end())
    return {.text = found->second};
  const auto found = recording.unread.find(path);
  if (found == recording.unread.end())
    return {.gap = Gap::unasked, .why = std::string(kNotRecorded) + source_of(path)};
  return {.gap = gap_of(found->second),
          .why = "cannot read " + source_of(path) + ": " + found->second};
}

HostFacts facts_of(topology::Recording recording) {
  recording.hwloc_xml.clear();
  topology::HostMap map = topology::read_host(recording);
  return {.recording = std::move(recording), .map = std::move(map)};
}

std::string_view word(Kind kind) {
  switch (kind) {
    case Kind::host: return "host";
    case Kind::device: return "device";
    case Kind::port: return "port";
    case Kind::fabric: return "fabric";
  }
  return "";
}

bool Subject::is_virtual_machine() const {
  return facts != nullptr && facts->recording.line("cpu/hypervisor") == "yes";
}

Hosts understood(std::vector<HostFacts> facts, const topology::NicWishes& wishes,
                 const std::vector<std::string>& expected) {
  Hosts hosts{.facts = std::move(facts)};
  for (const std::string& name : expected) {
    const auto is_it = [&](const HostFacts& host) { return is_called(host, name); };
    if (std::ranges::none_of(hosts.facts, is_it)) hosts.missing.push_back(name);
  }
  std::vector<topology::HostMap> maps;
  maps.reserve(hosts.facts.size());
  for (const HostFacts& host : hosts.facts) maps.push_back(host.map);
  hosts.rails = topology::report_on(std::move(maps), wishes);
  Subjects(hosts).add();
  for (const HostFacts& host : hosts.facts) add_neighbours(host, hosts);
  return hosts;
}

void compare_counters(Hosts& hosts, std::vector<HostFacts> earlier) {
  hosts.earlier = std::move(earlier);
  std::map<std::string, const HostFacts*> by_name;
  for (const HostFacts& host : hosts.earlier) by_name[host.map.host] = &host;
  for (Subject& subject : hosts.subjects) {
    if (subject.port == nullptr) continue;
    const auto found = by_name.find(subject.facts->map.host);
    subject.history = std::make_shared<const History>(
        history_of(found == by_name.end() ? nullptr : found->second, *subject.facts,
                   subject.device->name, subject.port->number));
  }
}

std::string expanded(std::string_view pattern, const Subject& subject) {
  std::string text(pattern);
  const auto put = [&](std::string_view name, const std::string& value) {
    for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
      if (value.empty()) return false;
      text.replace(at, name.size(), value);
      at += value.size();
    }
    return true;
  };
  const auto* const device = subject.device;
  const bool whole =
      put("{device}", device == nullptr ? "" : device->name) &&
      put("{pci}", device == nullptr ? "" : device->pci.address) &&
      put("{netdev}", subject.netdev) &&
      put("{port}", subject.port == nullptr ? "" : std::to_string(subject.port->number));
  return whole ? text : "";
}

}  // namespace railgauge::doctor
