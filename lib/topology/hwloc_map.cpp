#include "topology/hwloc_map.hpp"

#include <hwloc.h>
#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>
#include <stdexcept>

#include "topology/hwloc_handle.hpp"

namespace railgauge::topology {
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

std::vector<CpuSet> cores_of(hwloc_topology_t topology, const CpuSet& cpus) {
  std::vector<CpuSet> cores;
  for (const hwloc_obj_type_t type : {HWLOC_OBJ_CORE, HWLOC_OBJ_PU}) {
    for (const hwloc_obj_t core : objects(topology, type)) {
      CpuSet threads = common(numbers(core->cpuset), cpus);
      if (!threads.empty()) cores.push_back(std::move(threads));
    }
    if (!cores.empty()) break;  // without cores every hardware thread is one
  }
  return cores;
}

NumaNode numa_node(hwloc_topology_t topology, hwloc_obj_t object) {
  NumaNode node{static_cast<int>(object->os_index), numbers(object->cpuset), {}, 0};
  node.cores = cores_of(topology, node.cpus);
  node.memory_bytes = object->attr->numanode.local_memory;
  return node;
}

std::string pci_address(const hwloc_obj_attr_u::hwloc_pcidev_attr_s& at) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "%04x:%02x:%02x.%01x", at.domain, at.bus, at.dev,
                at.func);
  return text.data();
}

HwlocMap map_of(hwloc_topology_t topology) {
  HwlocMap map;
  for (const hwloc_obj_t node : objects(topology, HWLOC_OBJ_NUMANODE)) {
    map.nodes.push_back(numa_node(topology, node));
  }
  std::ranges::sort(map.nodes, {}, &NumaNode::number);
  map.cores = cores_of(topology, numbers(hwloc_topology_get_topology_cpuset(topology)));
  map.allowed = numbers(hwloc_topology_get_allowed_cpuset(topology));
  for (const hwloc_obj_t device : objects(topology, HWLOC_OBJ_PCI_DEVICE)) {
    const hwloc_obj_t near = hwloc_get_non_io_ancestor_obj(topology, device);
    map.pci[pci_address(device->attr->pcidev)] = {numbers(near->nodeset), numbers(near->cpuset)};
  }
  for (const hwloc_obj_t device : objects(topology, HWLOC_OBJ_OS_DEVICE)) {
    if (device->attr->osdev.type != HWLOC_OBJ_OSDEV_OPENFABRICS) continue;
    const hwloc_obj_t parent = device->parent;
    map.rdma_devices[device->name] =
        parent->type == HWLOC_OBJ_PCI_DEVICE ? pci_address(parent->attr->pcidev) : "";
  }
  return map;
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
  hwloc_topology_t made = nullptr;
  if (hwloc_topology_init(&made) != 0) throw std::runtime_error("hwloc_topology_init failed");
  const HwlocTopology topology(made);
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
  const HwlocTopology topology = load_here(HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
  char* written = nullptr;
  int length = 0;
  if (hwloc_topology_export_xmlbuffer(topology.get(), &written, &length, 0) != 0) {
    throw std::runtime_error("hwloc cannot write this machine as XML");
  }
  const std::string xml(written);
  hwloc_free_xmlbuffer(topology.get(), written);
  return without_notes(xml);
}

CpuSet allowed_here() {
  const HwlocTopology topology = load_here(HWLOC_TYPE_FILTER_KEEP_NONE);
  const HwlocBitmap bound = bitmap({});
  CpuSet allowed = numbers(hwloc_topology_get_allowed_cpuset(topology.get()));
  if (hwloc_get_cpubind(topology.get(), bound.get(), HWLOC_CPUBIND_PROCESS) != 0) return allowed;
  return common(allowed, numbers(bound.get()));
}

}  // namespace railgauge::topology
