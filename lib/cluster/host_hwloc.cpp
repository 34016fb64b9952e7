#include "cluster/host_hwloc.hpp"

#include <functional>
#include <string>
#include <vector>

#include "cluster/rank_watch.hpp"

namespace railgauge::cluster {
namespace {

using transport::Bytes;
using transport::Rank;

Bytes bytes_of(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

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
    const Bytes told = exchange.exchange_with(first, std::vector<Bytes>(1)).at(0);
    return {reinterpret_cast<const char*>(told.data()), told.size()};
  }
  std::string xml = read();
  const std::span others = std::span(here).subspan(1);
  exchange.exchange_with(others, std::vector<Bytes>(others.size(), bytes_of(xml)));
  return xml;
}

}  // namespace railgauge::cluster
