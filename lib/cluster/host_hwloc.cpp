#include "cluster/host_hwloc.hpp"

#include <functional>
#include <span>
#include <vector>

#include "cluster/rank_watch.hpp"

namespace railgauge::cluster {
namespace {

using Text = std::vector<char>;
using transport::Rank;

/// The ranks of this one's host, this one among them, by rank.
std::vector<Rank> ranks_of_host(transport::Exchange& exchange, const std::string& host) {
  const std::vector own{std::hash<std::string>{}(host) ^ clock_identity()};
  const auto all = transport::all_gather(exchange, own);
  std::vector<Rank> here;
  for (Rank rank = 0; rank < all.size(); ++rank) {
    if (all[rank] == own) here.push_back(rank);
  }
  return here;
}

}  // namespace

std::string hwloc_of_host(transport::Exchange& exchange, const std::string& host,
                          const std::function<std::string()>& read) {
  const std::vector<Rank> here = ranks_of_host(exchange, host);
  const std::span first(here.data(), 1);
  if (first[0] != exchange.rank()) {
    const Text told = transport::exchange_with(exchange, first, std::vector<Text>(1)).at(0);
    return {told.begin(), told.end()};
  }
  std::string xml = read();
  const std::span others = std::span(here).subspan(1);
  const Text text(xml.begin(), xml.end());
  transport::exchange_with(exchange, others, std::vector<Text>(others.size(), text));
  return xml;
}

}  // namespace railgauge::cluster
