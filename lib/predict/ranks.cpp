#include "predict/ranks.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace railgauge::predict {

using fabric::Count;

std::vector<Endpoint> endpoints_of(const fabric::Fabric& fabric, const Ranks& ranks,
                                   std::uint64_t seed) {
  std::vector<std::uint32_t> hosts(ranks.hosts);
  std::iota(hosts.begin(), hosts.end(), 0U);
  if (ranks.order == Order::random) {
    std::mt19937_64 random(seed);
    std::ranges::shuffle(hosts, random);
  }
  std::vector<Endpoint> ends;
  ends.reserve(ranks.hosts * ranks.per_host);
  for (Count rank = 0; rank < ranks.hosts * ranks.per_host; ++rank) {
    const bool rail = ranks.order == Order::rail;
    const std::uint32_t host = hosts[rail ? rank % ranks.hosts : rank / ranks.per_host];
    const Count local = rail ? rank / ranks.hosts : rank % ranks.per_host;
    ends.push_back({host, static_cast<std::uint32_t>(local * ranks.nics_each % fabric.nics),
                    static_cast<std::uint32_t>(host * ranks.per_host + local)});
  }
  return ends;
}

}  // namespace railgauge::predict
