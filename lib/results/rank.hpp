#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace railgauge::results {

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
};

/// Where one rank runs.
struct Rank {
  int rank = 0;
  std::string host{};
  int pid = 0;
  int local_rank = 0;  // its position among the ranks of its host
  std::vector<RankRail> rails{};
};

void to_json(nlohmann::ordered_json& json, const RankRail& rail);
void to_json(nlohmann::ordered_json& json, const Rank& rank);

}  // namespace railgauge::results
