#include "predict/fair_rates.hpp"

#include <queue>
#include <utility>

namespace railgauge::predict {
namespace {

/// The flows of each link, as one list with offsets.
Flows by_link(const Flows& flows, std::size_t links) {
  Flows found;
  found.first.assign(links + 1, 0);
  for (const std::uint32_t link : flows.links) ++found.first[link + 1];
  for (std::size_t link = 0; link < links; ++link) found.first[link + 1] += found.first[link];
  found.links.resize(flows.links.size());
  std::vector<std::uint32_t> next(found.first.begin(), found.first.end() - 1);
  for (std::uint32_t flow = 0; flow < flows.size(); ++flow) {
    for (std::uint32_t at = flows.first[flow]; at < flows.first[flow + 1]; ++at) {
      found.links[next[flows.links[at]]++] = flow;
    }
  }
  return found;
}

}  // namespace

std::vector<double> fair_rates(const Flows& flows, const std::vector<double>& capacities) {
  const Flows users = by_link(flows, capacities.size());
  std::vector<double> left = capacities;
  std::vector<std::uint32_t> open(capacities.size());
  using Share = std::pair<double, std::uint32_t>;
  std::priority_queue<Share, std::vector<Share>, std::greater<>> least;
  for (std::uint32_t link = 0; link < capacities.size(); ++link) {
    open[link] = users.first[link + 1] - users.first[link];
    if (open[link] > 0) least.emplace(left[link] / open[link], link);
  }
  std::vector<double> rates(flows.size(), -1);
  while (!least.empty()) {
    const auto [share, link] = least.top();
    least.pop();
    if (open[link] == 0) continue;
    const double now = left[link] / open[link];
    if (now > share * (1 + 1e-15)) {  // others have ended since: shares only grow
      least.emplace(now, link);
      continue;
    }
    for (std::uint32_t at = users.first[link]; at < users.first[link + 1]; ++at) {
      const std::uint32_t flow = users.links[at];
      if (rates[flow] >= 0) continue;
      rates[flow] = now;
      for (std::uint32_t hop = flows.first[flow]; hop < flows.first[flow + 1]; ++hop) {
        left[flows.links[hop]] -= now;
        --open[flows.links[hop]];
      }
    }
  }
  return rates;
}

}  // namespace railgauge::predict
