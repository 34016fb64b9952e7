#pragma once

#include <nlohmann/json_fwd.hpp>
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

/// Where one rank runs.
struct Rank {
  int rank = 0;
  std::string host{};
  int pid = 0;
  int local_rank = 0;  // its position among the ranks of its host
  int numa_node = -1;  // that it ran on when it met the others; -1: the host does not tell
  std::vector<RankRail> rails{};
};

/// "hardware", "software", "software-shortcut".
std::string_view word(DeviceKind kind);

void to_json(nlohmann::ordered_json& json, const RankRail& rail);
void to_json(nlohmann::ordered_json& json, const Rank& rank);

}  // namespace railgauge::results
