#pragma once

#include <vector>

#include "cluster/local_host.hpp"
#include "results/rank.hpp"
#include "topology/rail.hpp"
#include "transport/exchange.hpp"

namespace railgauge::cluster {

/// A part of a rank's self-portrait, exchanged as bytes: first the rank's own, then one a rail.
struct RankInfo {
  transport::ShortText host{};
  int pid = 0;
  transport::ShortText device{};
  transport::ShortText netdev{};
  transport::ShortText address{};
  transport::ShortText gid{};
  transport::ShortText pci{};
  int port = 0;  // 0: this info is the rank's own
  int gid_index = 0;
  int mtu_bytes = 0;
  int prefix_length = 0;
  double link_gigabits_per_second = 0;
  results::DeviceKind kind = results::DeviceKind::hardware;
  transport::ShortText firmware{};
  int numa_node = -1;  // of the device
  int rail = -1;       // that --devices says, and its plane; -1: neither
  int plane = 0;       // -1: left open
};

/// Those of this rank, on a host of that name.
[[nodiscard]] std::vector<RankInfo> own_rank_infos(const std::string& name, const LocalHost& host);

/// What a rank's infos say, in the order of its rails, with the rails and planes that `host` has
/// them on. A port that is not of the host's rails has the one that its own options say, or a free
/// one.
[[nodiscard]] results::Rank rank_of(const std::vector<RankInfo>& infos, int number, int local_rank,
                                    const topology::Host& host);
[[nodiscard]] topology::Host host_of(const std::vector<RankInfo>& infos);

}  // namespace railgauge::cluster
