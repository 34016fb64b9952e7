#include "topology/hwloc_map.hpp"

#include <hwloc.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <tuple>

#include "topology/hwloc_handle.hpp"

namespace railgauge::topology {

namespace {

// hwloc reads PCI from sysfs without "pci", whose libpciaccess adds vendors' names, and leaks them.
// "x86" has each processor execute CPUID, which adds only notes to what Linux tells. The others ask
// the drivers of GPUs and displays for what is not looked at here.
constexpr std::array kUnused = {"pci", "x86", "gl", "opencl", "cuda", "nvml", "rsmi", "levelzero"};

HwlocTopology empty_topology() {
  hwloc_topology_t made = nullptr;
  if (hwloc_topology_init(&made) != 0) throw std::runtime_error("hwloc_topology_init failed");
  return HwlocTopology(made);
}

}  // namespace

HwlocTopology load_here(hwloc_type_filter_e io) {
  HwlocTopology topology = empty_topology();
  hwloc_topology* const made = topology.get();
  for (const char* component : kUnused)
    hwloc_topology_set_components(made, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, component);
  hwloc_topology_set_flags(made, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  hwloc_topology_set_cache_types_filter(made, HWLOC_TYPE_FILTER_KEEP_NONE);
  hwloc_topology_set_icache_types_filter(made, HWLOC_TYPE_FILTER_KEEP_NONE);
  hwloc_topology_set_io_types_filter(made, io);
  if (hwloc_topology_load(made) != 0) {
    throw std::system_error(errno, std::generic_category(),
                            "hwloc cannot inspect this machine: hwloc_topology_load");
  }
  return topology;
}

hwloc_topology* processors_here() {
  static const HwlocTopology topology = load_here(HWLOC_TYPE_FILTER_KEEP_NONE);
  return topology.get();
}

CpuSet numbers(hwloc_const_bitmap_t bitmap) {
  CpuSet set;
  if (bitmap == nullptr || hwloc_bitmap_weight(bitmap) < 0) return set;
  for (int i = hwloc_bitmap_first(bitmap); i >= 0; i = hwloc_bitmap_next(bitmap, i)) set.insert(i);
  return set;
}

HwlocBitmap bitmap(const CpuSet& numbers) {
  HwlocBitmap made(hwloc_bitmap_alloc());
  for (const int number : numbers) hwloc_bitmap_set(made.get(), static_cast<unsigned>(number));
  return made;
}

namespace {

/// All objects of a type.
std::vector<hwloc_obj_t> objects(hwloc_topology_t topology, hwloc_obj_type_t type) {
  std::vector<hwloc_obj_t> found;
  hwloc_obj_t object = nullptr;
  while ((object = hwloc_get_next_obj_by_type(topology, type, object)) != nullptr) {
    found.push_back(object);
  }
  return found;
}

/// Hardware threads that are of no core are cores: a virtual machine may show none.
std::vector<CpuSet> cores_of(hwloc_topology_t topology, const CpuSet& cpus) {
  std::vector<CpuSet> cores;
  CpuSet left = cpus;
  for (const hwloc_obj_type_t type : {HWLOC_OBJ_CORE, HWLOC_OBJ_PU}) {
    for (const hwloc_obj_t core : objects(topology, type)) {
      CpuSet threads = numbers(core->cpuset);
      std::erase_if(threads, [&](int thread) { return left.erase(thread) == 0; });
      if (!threads.empty()) cores.push_back(std::move(threads));
    }
  }
  return cores;
}

NumaNode numa_node(hwloc_obj_t object) {
  NumaNode node{static_cast<int>(object->os_index), numbers(object->cpuset)};
  node.memory_bytes = object->attr->numanode.local_memory;
  if (object->subtype != nullptr) node.kind = object->subtype;
  if (node.kind == "DRAM") node.kind.clear();
  return node;
}

/// Leaves every cpu to one node, by the rule of hwloc_map.hpp.
void part_cpus(std::vector<NumaNode>& nodes) {
  std::ranges::stable_sort(nodes, {}, [](const NumaNode& node) {
    return std::tuple(!node.kind.empty(), node.cpus.size(), node.number);
  });
  CpuSet taken;
  for (NumaNode& node : nodes) {
    CpuSet own;
    std::ranges::set_difference(node.cpus, taken, std::inserter(own, own.end()));
    if (own.empty()) node.near_cpus = node.cpus;
    node.cpus = std::move(own);
    taken.insert(node.cpus.begin(), node.cpus.end());
  }
  std::ranges::sort(nodes, {}, &NumaNode::number);
}

std::vector<NumaNode> nodes_of(hwloc_topology_t topology) {
  const std::vector<hwloc_obj_t> found = objects(topology, HWLOC_OBJ_NUMANODE);
  std::vector<NumaNode> nodes;
  nodes.reserve(found.size());
  for (const hwloc_obj_t node : found) nodes.push_back(numa_node(node));
  part_cpus(nodes);
  for (NumaNode& node : nodes) node.cores = cores_of(topology, node.cpus);
  return nodes;
}

std::string pci_address(const hwloc_obj_attr_u::hwloc_pcidev_attr_s& at) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "%04x:%02x:%02x.%01x", at.domain, at.bus, at.dev,
                at.func);
  return text.data();
}

/// hwloc 3 has a set of types where hwloc 2 has one.
bool is_of_type(hwloc_obj_t device, hwloc_obj_osdev_type_t type) {
#if HWLOC_API_VERSION >= 0x00030000
  return (device->attr->osdev.types & type) != 0;
#else
  return device->attr->osdev.type == type;
#endif
}

std::vector<std::string> bridges_above(hwloc_obj_t device) {
  std::vector<std::string> bridges;
  for (hwloc_obj_t at = device->parent; at != nullptr && at->type == HWLOC_OBJ_BRIDGE;
       at = at->parent) {
    const auto& bridge = at->attr->bridge;
    if (bridge.upstream_type != HWLOC_OBJ_BRIDGE_PCI) continue;  // the host's own
    bridges.push_back(pci_address(bridge.upstream.pci));
  }
  std::ranges::reverse(bridges);
  return bridges;
}

/// The nodes with cpus among those that an object is near.
std::set<int> homes(hwloc_const_bitmap_t nodeset, const std::vector<NumaNode>& nodes) {
  std::set<int> found;
  for (const NumaNode& node : nodes) {
    const auto number = static_cast<unsigned>(node.number);
    if (!node.cpus.empty() && hwloc_bitmap_isset(nodeset, number) != 0) found.insert(node.number);
  }
  return found;
}

/// A display controller or a processing accelerator (PCI Code and ID Assignment, 1.4 and 1.19), by
/// who makes GPUs for servers.
bool is_gpu(const hwloc_obj_attr_u::hwloc_pcidev_attr_s& device) {
  constexpr unsigned kClassBits = 8;
  const unsigned base = device.class_id >> kClassBits;
  const bool by_maker = device.vendor_id == 0x10de || device.vendor_id == 0x1002;
  return by_maker && (base == 0x03 || base == 0x12);
}

HwlocPlace place_of(hwloc_topology_t topology, hwloc_obj_t device,
                    const std::vector<NumaNode>& nodes) {
  constexpr double kBits = 8;  // hwloc's link speeds are in GB/s
  const hwloc_obj_t near = hwloc_get_non_io_ancestor_obj(topology, device);
  HwlocPlace place{homes(near->nodeset, nodes), numbers(near->cpuset), bridges_above(device)};
  place.is_gpu = is_gpu(device->attr->pcidev);
  place.gigabits_per_second = device->attr->pcidev.linkspeed * kBits;
  for (hwloc_obj_t one = device->io_first_child; one != nullptr; one = one->next_sibling) {
    if (one->type == HWLOC_OBJ_OS_DEVICE && is_of_type(one, HWLOC_OBJ_OSDEV_NETWORK)) {
      place.netdevs.emplace_back(one->name);
    }
  }
  return place;
}

HwlocMap map_of(hwloc_topology_t topology) {
  HwlocMap map{.nodes = nodes_of(topology)};
  map.cores = cores_of(topology, numbers(hwloc_topology_get_topology_cpuset(topology)));
  map.allowed = numbers(hwloc_topology_get_allowed_cpuset(topology));
  for (const hwloc_obj_t device : objects(topology, HWLOC_OBJ_PCI_DEVICE)) {
    map.pci[pci_address(device->attr->pcidev)] = place_of(topology, device, map.nodes);
  }
  for (const hwloc_obj_t device : objects(topology, HWLOC_OBJ_OS_DEVICE)) {
    if (!is_of_type(device, HWLOC_OBJ_OSDEV_OPENFABRICS)) continue;
    const hwloc_obj_t parent = device->parent;
    map.rdma_devices[device->name] =
        parent->type == HWLOC_OBJ_PCI_DEVICE ? pci_address(parent->attr->pcidev) : "";
  }
  return map;
}

/// Of <topology version="3.0">: 3. Version 1 does not say, and is 0.
unsigned major_version(const std::string& xml) {
  constexpr std::string_view kVersion = "<topology version=\"";
  const std::size_t found = xml.find(kVersion);
  unsigned version = 0;
  if (found != std::string::npos) {
    std::from_chars(xml.data() + found + kVersion.size(), xml.data() + xml.size(), version);
  }
  return version;
}

/// hwloc refuses what is newer than itself, and does not say why.
void check_version(const std::string& xml) {
  constexpr unsigned kMajorBits = 16;
  const unsigned theirs = major_version(xml);
  const unsigned ours = hwloc_get_api_version() >> kMajorBits;
  if (theirs <= ours) return;
  throw std::invalid_argument(
      "this is version " + std::to_string(theirs) +
      " of hwloc's XML, and the hwloc that is installed here reads versions up to " +
      std::to_string(ours) + "; write it for that, `lstopo --export-xml-flags v2 host.xml`");
}

std::string without_notes(const std::string& xml) {
  std::istringstream lines(xml);
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    // hwloc writes every element on a line of its own.
    if (line.find("<info ") == std::string::npos && line.find("<support ") == std::string::npos) {
      kept += line + "\n";
    }
  }
  return kept;
}

}  // namespace

HwlocMap read_hwloc_xml(const std::string& xml) {
  if (xml.empty()) return {};
  check_version(xml);
  // hwloc loads its plugins for the first topology, and unloads them after the last.
  static const HwlocTopology keeps_plugins = empty_topology();
  const HwlocTopology topology = empty_topology();
  hwloc_topology* const made = topology.get();
  hwloc_topology_set_flags(made, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  hwloc_topology_set_io_types_filter(made, HWLOC_TYPE_FILTER_KEEP_ALL);
  // hwloc counts the terminating zero.
  if (hwloc_topology_set_xmlbuffer(made, xml.c_str(), static_cast<int>(xml.size() + 1)) != 0 ||
      hwloc_topology_load(made) != 0) {
    throw std::invalid_argument("hwloc cannot read this XML as a machine");
  }
  return map_of(made);
}

std::string hwloc_xml_here() {
#if HWLOC_API_VERSION >= 0x00030000
  constexpr unsigned long kExport = HWLOC_TOPOLOGY_EXPORT_XML_FLAG_V2;  // for hosts with hwloc 2
#else
  constexpr unsigned long kExport = 0;
#endif
  const HwlocTopology topology = load_here(HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
  char* written = nullptr;
  int length = 0;
  if (hwloc_topology_export_xmlbuffer(topology.get(), &written, &length, kExport) != 0) {
    throw std::runtime_error("hwloc cannot write this machine as XML");
  }
  const std::string xml(written);
  hwloc_free_xmlbuffer(topology.get(), written);
  return without_notes(xml);
}

CpuSet allowed_here() {
  const HwlocBitmap bound = bitmap({});
  CpuSet allowed = numbers(hwloc_topology_get_allowed_cpuset(processors_here()));
  if (hwloc_get_cpubind(processors_here(), bound.get(), HWLOC_CPUBIND_PROCESS) != 0) return allowed;
  return common(allowed, numbers(bound.get()));
}

}  // namespace railgauge::topology
