#pragma once

#include <string>
#include <vector>

#include "cluster/local_host.hpp"
#include "json/members.hpp"
#include "results/rank.hpp"
#include "topology/rail.hpp"
#include "transport/exchange.hpp"

namespace railgauge::cluster {

/// A rank's self-portrait, which it tells all others.
struct RankInfo {
  int pid = 0;
  topology::Host host{};  // as it sees it; rails are where --devices puts them, or at -1
  std::vector<results::RankRail> rails{};  // the same for the record

  RAILGAUGE_FIELDS(pid, host, rails)
};

/// That of this rank, on a host of that name.
[[nodiscard]] RankInfo own_rank_info(const std::string& name, const LocalHost& host);

/// Collective: of every rank, on every rank, as bytes_of() each.
[[nodiscard]] std::vector<RankInfo> gather_infos(transport::Exchange& exchange,
                                                 const RankInfo& own);
[[nodiscard]] transport::Bytes bytes_of(const RankInfo& info);

/// What a rank says, in the order of its rails, with the rails and planes that `host` has them on.
/// A port that is not of the host's rails has the one that its own options say, or a free one.
[[nodiscard]] results::Rank rank_of(const RankInfo& info, int number, int local_rank,
                                    const topology::Host& host);

}  // namespace railgauge::cluster
