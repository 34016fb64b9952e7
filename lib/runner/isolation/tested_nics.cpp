#include "runner/isolation/tested_nics.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "job/failure.hpp"
#include "job/start_up.hpp"
#include "results/rail_name.hpp"

namespace railgauge::runner {
namespace {

void check_not_shared(const std::string& nic, const std::string& address,
                      std::set<std::string>& seen) {
  if (seen.insert(nic + " " + address).second) return;
  throw job::RunFailure(results::Failure::Kind::usage,
                        "two ranks drive " + nic +
                            ": start one rank per host, which drives all of its NICs (" +
                            job::launcher("mpirun") + " --map-by ppr:1:node)");
}

/// A number for each plane of each rail.
std::map<std::pair<int, int>, int> networks_of(const std::vector<results::Rank>& ranks) {
  std::map<std::pair<int, int>, int> networks;
  for (const results::Rank& rank : ranks) {
    for (const results::RankRail& rail : rank.rails) networks[{rail.rail, rail.plane}] = 0;
  }
  int next = 0;
  for (auto& [network, number] : networks) number = next++;
  return networks;
}

/// Ranks that share a host's name are told apart by their numbers.
std::string host_of(const results::Rank& rank, const std::map<std::string, int>& ranks_on) {
  if (ranks_on.at(rank.host) == 1) return rank.host;
  return rank.host + " rank " + std::to_string(rank.rank);
}

}  // namespace

std::vector<TestedNic> tested_nics(const std::vector<results::Rank>& ranks) {
  std::map<std::string, int> ranks_on;
  for (const results::Rank& rank : ranks) ++ranks_on[rank.host];
  const auto networks = networks_of(ranks);
  std::vector<TestedNic> all;
  std::set<std::string> seen;
  for (const results::Rank& rank : ranks) {
    const std::string host = host_of(rank, ranks_on);
    for (const results::RankRail& rail : rank.rails) {
      check_not_shared(rank.host + " " + rail.device + " port " + std::to_string(rail.port),
                       rail.address, seen);
      TestedNic& one = all.emplace_back();
      one.nic = {host, rail.device + " (" + results::rail_name(rail, rank.rails) + ")",
                 networks.at({rail.rail, rail.plane}), rail.link_gigabits_per_second};
      one.end = {host, rail.rail, rail.device, rail.port, rail.address, rail.plane};
      one.rank = static_cast<std::size_t>(rank.rank);
      one.software = rail.kind != results::DeviceKind::hardware;
    }
  }
  return all;
}

}  // namespace railgauge::runner
