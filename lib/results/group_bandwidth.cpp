#include "results/group_bandwidth.hpp"

#include <algorithm>

#include "finding/words.hpp"

namespace railgauge::results {
namespace {

/// 0: a rank has no median.
double slowest_us(const std::vector<std::uint32_t>& ranks, const std::vector<double>& medians_us) {
  double slowest = 0;
  for (const std::uint32_t rank : ranks) {
    if (rank >= medians_us.size() || medians_us[rank] <= 0) return 0;
    slowest = std::max(slowest, medians_us[rank]);
  }
  return slowest;
}

std::string listed(const std::vector<std::uint32_t>& ranks) {
  constexpr std::size_t kMost = 8;
  std::string text = ranks.size() == 1 ? "rank" : "ranks";
  for (std::size_t i = 0; i < std::min(ranks.size(), kMost); ++i)
    text += " " + std::to_string(ranks[i]);
  return text + (ranks.size() > kMost ? " ..." : "");
}

}  // namespace

std::vector<GroupBandwidth> group_bandwidths(const std::vector<std::vector<std::uint32_t>>& groups,
                                             const Measurement& measured) {
  std::vector<GroupBandwidth> all;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const double time_us = slowest_us(groups[group], measured.rank_medians_us);
    if (time_us <= 0) return {};
    all.push_back({group, measured.busbw_gigabytes_per_second * measured.time.p50_us / time_us});
  }
  std::ranges::stable_sort(all, {}, &GroupBandwidth::busbw_gigabytes_per_second);
  return all;
}

std::string line_of_groups(const CollectiveBody& body, const CollectiveRow& row) {
  constexpr std::size_t kMost = 8;
  if (!row.out_of_place) return "";
  std::string text;
  const auto all = group_bandwidths(body.groups, *row.out_of_place);
  for (std::size_t i = 0; i < std::min(all.size(), kMost); ++i) {
    text += (text.empty() ? "" : ", ") + std::to_string(all[i].group) + " (" +
            listed(body.groups[all[i].group]) + ") " +
            finding::number(all[i].busbw_gigabytes_per_second);
  }
  if (text.empty()) return "";
  const std::string which =
      all.size() > kMost ? "slowest 8 of " + std::to_string(all.size()) : "slowest first";
  return "# Groups, " + which + ", busbw in GB/s: " + text + "\n";
}

}  // namespace railgauge::results
