#include "topology/pci.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace railgauge::topology {
namespace {

/// "0000:17:00.0": domain (four digits or more), bus, device, function.
bool is_pci_address(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  constexpr std::string_view kTail = ":xx:xx.x";
  if (text.size() < 4 + kTail.size()) return false;
  const std::size_t domain = text.size() - kTail.size();
  if (text.substr(0, domain).find_first_not_of(kDigits) != std::string_view::npos) return false;
  for (std::size_t i = 0; i < kTail.size(); ++i) {
    const char c = text[domain + i];
    if (kTail[i] == 'x' ? kDigits.find(c) == std::string_view::npos : c != kTail[i]) return false;
  }
  return true;
}

std::string path_of(const std::string& address, const char* file) {
  return "bus/pci/devices/" + address + "/" + file;
}

/// The number that a text begins with: of "32.0 GT/s PCIe", "16", "Unknown" (0).
double leading_number(const std::string& text) {
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return std::isfinite(number) ? number : 0;  // from_chars reads "nan" too
}

PciLink read_link(const Recording& recording, const std::string& address, const char* which) {
  const std::string name = which;
  const auto text = [&](const char* what) {
    return recording.line(path_of(address, (name + what).c_str()));
  };
  const double lanes = leading_number(text("_link_width"));
  // 255: the kernel's PCIE_LNK_WIDTH_UNKNOWN (include/linux/pci.h).
  return {leading_number(text("_link_speed")),
          lanes > 0 && lanes < 255 ? static_cast<int>(lanes) : 0};
}

std::string last_part(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

std::string to_string(const PciLink& link) {
  if (!link.known()) return "";
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "x%d %g GT/s", link.lanes, link.gigatransfers_per_second);
  return text.data();
}

double PciLink::gigabits_per_second() const {
  const double raw = gigatransfers_per_second * lanes;
  if (gigatransfers_per_second <= 5) return raw * 8 / 10;
  return gigatransfers_per_second <= 32 ? raw * 128 / 130 : raw;
}

namespace {

PciLink lesser(const PciLink& device, const PciLink& slot) {
  if (!slot.known() || !device.known()) return device;
  return {std::min(device.gigatransfers_per_second, slot.gigatransfers_per_second),
          std::min(device.lanes, slot.lanes)};
}

/// The links on the way down to `wired`, the function whose wires are used. A switch is two
/// bridges with no link between them, so of the bridges and the device every second pair is one.
/// Should there be an odd number of them, only the last link is sure.
std::vector<PciHop> hops_to(const Recording& recording, const std::vector<std::string>& bridges,
                            const std::string& wired) {
  std::vector<std::string> chain = bridges;
  chain.push_back(wired);
  std::vector<PciHop> hops;
  for (std::size_t i = chain.size() % 2 == 0 ? 1 : chain.size() - 1; i > 0 && i < chain.size();
       i += 2) {
    PciHop hop{
        chain[i - 1], chain[i], read_link(recording, chain[i], "current"),
        lesser(read_link(recording, chain[i], "max"), read_link(recording, chain[i - 1], "max"))};
    if (hop.now.known()) hops.push_back(std::move(hop));
  }
  return hops;
}

}  // namespace

PciLink PciFunction::most() const {
  return lesser(device_most, slot_most);
}

bool PciHop::degraded() const {
  return now.known() && most.known() &&
         (now.lanes < most.lanes || now.gigatransfers_per_second < most.gigatransfers_per_second);
}

const PciHop* PciFunction::degraded() const {
  const auto found = std::ranges::find_if(hops, &PciHop::degraded);
  return found == hops.end() ? nullptr : &*found;
}

const PciHop* PciFunction::narrowest() const {
  const auto found = std::ranges::min_element(
      hops, {}, [](const PciHop& hop) { return hop.now.gigabits_per_second(); });
  return found == hops.end() ? nullptr : &*found;
}

std::vector<std::string> pci_addresses(std::string_view device_path) {
  std::vector<std::string> addresses;
  while (!device_path.empty()) {
    const std::size_t slash = device_path.find('/');
    const std::string_view part = device_path.substr(0, slash);
    if (is_pci_address(part)) addresses.emplace_back(part);
    if (slash == std::string_view::npos) break;
    device_path.remove_prefix(slash + 1);
  }
  return addresses;
}

PciFunction pci_function(const Recording& recording, const std::string& device_path) {
  std::vector<std::string> chain = pci_addresses(device_path);
  if (chain.empty()) return {};
  PciFunction function;
  function.address = chain.back();
  chain.pop_back();
  function.bridges = std::move(chain);
  function.driver = last_part(recording.target(path_of(function.address, "driver")));
  function.physical_function = last_part(recording.target(path_of(function.address, "physfn")));
  const std::string& wired =
      function.physical_function.empty() ? function.address : function.physical_function;
  function.link = read_link(recording, wired, "current");
  function.device_most = read_link(recording, wired, "max");
  if (!function.bridges.empty()) {
    function.slot_most = read_link(recording, function.bridges.back(), "max");
  }
  function.hops = hops_to(recording, function.bridges, wired);
  return function;
}

namespace {

const NumaNode* find(const std::vector<NumaNode>& nodes, int number) {
  const auto found = std::ranges::find(nodes, number, &NumaNode::number);
  return found == nodes.end() ? nullptr : &*found;
}

CpuSet all_cpus(const std::vector<NumaNode>& nodes) {
  CpuSet all;
  for (const NumaNode& node : nodes) all.insert(node.cpus.begin(), node.cpus.end());
  return all;
}

CpuSet cpus_of(const std::set<int>& numbers, const std::vector<NumaNode>& nodes) {
  CpuSet cpus;
  for (const NumaNode& node : nodes) {
    if (numbers.contains(node.number)) cpus.insert(node.cpus.begin(), node.cpus.end());
  }
  return cpus;
}

std::string named(int node) {
  return "NUMA node " + std::to_string(node);
}

/// The one node that hwloc names, if it names one.
std::optional<int> by_hwloc(const LocalityClaims& claims) {
  if (!claims.hwloc || claims.hwloc->nodes.size() != 1) return std::nullopt;
  return *claims.hwloc->nodes.begin();
}

/// On memory that has no cpus.
Locality on_memory(const LocalityClaims& claims, const NumaNode& node) {
  const std::string none = named(node.number) + " has no cpus: using those of ";
  if (!claims.sysfs_cpus.empty()) return {node.number, claims.sysfs_cpus, none + "local_cpulist"};
  return {node.number, node.near_cpus, none + "the node next to it"};
}

Locality known(const LocalityClaims& claims, const NumaNode& node) {
  if (node.cpus.empty()) return on_memory(claims, node);
  Locality locality{node.number, node.cpus, ""};
  const auto hwloc = by_hwloc(claims);
  if (hwloc && *hwloc != node.number) {
    locality.remark = "hwloc puts it on " + named(*hwloc) + ", sysfs on " + named(node.number) +
                      ": using sysfs, by which the driver allocates";
  } else if (!claims.sysfs_cpus.empty() && claims.sysfs_cpus != node.cpus) {
    locality.remark = "local_cpulist is " + cpu_list(claims.sysfs_cpus) + ", not " +
                      cpu_list(node.cpus) + " of " + named(node.number) + ": using the node";
  }
  return locality;
}

Locality guessed(const LocalityClaims& claims, const std::vector<NumaNode>& nodes) {
  const std::string unsaid = "sysfs says numa_node -1: ";
  const std::set<int> all = nodes_of(all_cpus(nodes), nodes);
  if (all.size() == 1) {
    const NumaNode& only = *find(nodes, *all.begin());
    return {only.number, only.cpus, unsaid + named(only.number) + " is the only one"};
  }
  const auto hwloc = by_hwloc(claims);
  if (const NumaNode* node = hwloc ? find(nodes, *hwloc) : nullptr) {
    return {node->number, node->cpus, unsaid + "using hwloc's answer, " + named(node->number)};
  }
  const auto same = std::ranges::find(nodes, claims.sysfs_cpus, &NumaNode::cpus);
  if (same != nodes.end() && !same->cpus.empty()) {
    return {same->number, same->cpus, unsaid + "local_cpulist is that of " + named(same->number)};
  }
  if (claims.hwloc && !claims.hwloc->nodes.empty() && claims.hwloc->nodes.size() < all.size()) {
    return {-1, cpus_of(claims.hwloc->nodes, nodes),
            unsaid + "hwloc names NUMA nodes " + cpu_list(claims.hwloc->nodes)};
  }
  return {-1, all_cpus(nodes), unsaid + "its location is unknown"};
}

}  // namespace

Locality locate(const LocalityClaims& claims, const std::vector<NumaNode>& nodes) {
  if (nodes.empty()) {
    return {claims.sysfs_node, claims.sysfs_cpus, "no NUMA nodes are known: using sysfs"};
  }
  if (claims.sysfs_node < 0) return guessed(claims, nodes);
  if (const NumaNode* node = find(nodes, claims.sysfs_node)) return known(claims, *node);
  Locality elsewhere = guessed(claims, nodes);
  elsewhere.remark = "sysfs puts it on " + named(claims.sysfs_node) +
                     ", which this host does not have: its location is unknown";
  elsewhere.numa_node = -1;
  elsewhere.cpus = all_cpus(nodes);
  return elsewhere;
}

Locality locate_by_hwloc(const HwlocPlace& place, const std::vector<NumaNode>& nodes) {
  Locality locality = locate({-1, {}, place}, nodes);
  locality.remark = locality.numa_node >= 0 ? ""
                    : place.nodes.empty()
                        ? "hwloc does not say where it is"
                        : "hwloc names NUMA nodes " + cpu_list(place.nodes) + ", not one of them";
  return locality;
}

std::set<int> nodes_of(const CpuSet& cpus, const std::vector<NumaNode>& nodes) {
  std::set<int> numbers;
  for (const NumaNode& node : nodes) {
    if (!common(node.cpus, cpus).empty()) numbers.insert(node.number);
  }
  return numbers;
}

}  // namespace railgauge::topology
