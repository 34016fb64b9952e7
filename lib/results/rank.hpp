#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace railgauge::results {

/// What a device is made of, and so what figures measured on it are about.
enum class DeviceKind {
  hardware,
  software,          // softroce, rdma_rxe: processors play the NIC
  software_shortcut  // and data between processes of one host are copied, without packets
};

/// One rail of one rank: the port it sends and receives through.
struct RankRail {
  int rail = 0;
  std::string device{};  // "mlx5_0"
  int port = 1;
  std::string netdev{};
  std::string address{};  // IPv4 or IPv6
  std::string gid{};
  int gid_index = 0;
  int mtu_bytes = 0;  // active path MTU of RoCE, not the network device's
  double link_gigabits_per_second = 0;
  DeviceKind kind = DeviceKind::hardware;
  std::string firmware{};  // version, as the device tells it
  int numa_node = -1;      // that it is attached to; -1: the host does not tell
};

/// Where one rank was put on its host (--placement), and whether it stayed there.
struct RankPlacement {
  std::string mode{};        // "rail", "spread", "none", "file"
  std::vector<int> rails{};  // whose NICs it was put beside; it may drive others too
  std::string cpus{};        // that it was bound to, as the kernel lists them; "": it was not bound
  int memory_node = -1;      // NUMA node that its memory was bound to; -1: it was not
  std::optional<bool> verified{};  // threads and buffers were found there; empty: not looked at yet
  std::string remark{};            // what is not as one would wish; "" if nothing
};

/// Where one rank runs.
struct Rank {
  int rank = 0;
  std::string host{};
  int pid = 0;
  int local_rank = 0;  // its position among the ranks of its host
  int numa_node = -1;  // that it ran on when it had been placed; -1: the host does not tell
  RankPlacement placement{};
  std::vector<RankRail> rails{};
};

/// "hardware", "software", "software-shortcut".
std::string_view word(DeviceKind kind);

void to_json(nlohmann::ordered_json& json, const RankRail& rail);
void to_json(nlohmann::ordered_json& json, const RankPlacement& placement);
void from_json(const nlohmann::ordered_json& json, RankPlacement& placement);
void to_json(nlohmann::ordered_json& json, const Rank& rank);

}  // namespace railgauge::results
