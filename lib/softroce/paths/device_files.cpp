#include "softroce/paths/tree.hpp"

namespace railgauge::softroce::paths {
namespace {

using Counters = std::vector<std::pair<std::string, std::uint64_t>>;

void add(std::vector<File>& files, std::string path, std::string_view content) {
  files.push_back({std::move(path), std::string(content) + "\n"});
}

void add_counters(std::vector<File>& files, const std::string& folder, const Counters& counters) {
  for (const auto& [name, value] : counters) {
    add(files, std::string(folder) += name, std::to_string(value));
  }
}

}  // namespace

/// Names and forms are the kernel's: Documentation/ABI/stable/sysfs-class-infiniband. The device
/// is on no bus, which is NUMA node -1 (Documentation/ABI/testing/sysfs-bus-pci, numa_node).
std::vector<File> files_of(const DeviceDescription& device) {
  std::vector<File> files;
  add(files, "node_guid", device.node_guid);
  add(files, "sys_image_guid", device.node_guid);
  add(files, "node_type", "1: CA");
  add(files, "node_desc", device.name);
  add(files, "fw_ver", device.firmware);
  add(files, "hw_rev", "0x0");
  add(files, "hca_type", "softroce");
  add(files, "board_id", "softroce");
  add(files, "device/numa_node", "-1");
  add(files, "ports/1/state", device.state);
  add(files, "ports/1/phys_state", device.physical_state);
  add(files, "ports/1/rate", device.rate);
  add(files, "ports/1/link_layer", "Ethernet");
  add(files, "ports/1/lid", "0x0");
  add(files, "ports/1/lid_mask_count", "0");
  add(files, "ports/1/sm_lid", "0x0");
  add(files, "ports/1/sm_sl", "0");
  add(files, "ports/1/cap_mask", "0x00010000");  // IBV_PORT_CM_SUP, as rdma_rxe has
  add(files, "ports/1/pkeys/0", "0xffff");
  add(files, "ports/1/gids/0", device.gid);
  add(files, "ports/1/gid_attrs/types/0", "RoCE v2");
  add(files, "ports/1/gid_attrs/ndevs/0", device.netdev);
  add_counters(files, "ports/1/counters/", device.counters);
  add_counters(files, "ports/1/hw_counters/", device.hw_counters);
  return files;
}

}  // namespace railgauge::softroce::paths
