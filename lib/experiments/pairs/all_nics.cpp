#include "experiments/pairs/all_nics.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "experiments/pairs/pairs_plan.hpp"
#include "job/failure.hpp"
#include "job/start_up.hpp"
#include "pairs/judgement.hpp"

namespace railgauge::runner {
namespace {

void check_no_nic_is_shared(const std::vector<results::Rank>& ranks) {
  std::set<std::string> seen;
  for (const results::Rank& rank : ranks) {
    for (const results::RankRail& rail : rank.rails) {
      const std::string nic = rank.host + " " + rail.device + " port " + std::to_string(rail.port);
      if (seen.insert(nic + " " + rail.address).second) continue;
      job::refuse_use("two ranks drive " + nic +
                      ": start one rank per host, which drives all of its NICs "
                      "(" +
                      job::launcher("mpirun") + " --map-by ppr:1:node)");
    }
  }
}

using results::Endpoint;
using ByName = std::map<Endpoint, Endpoint>;  // without its address: with it

Endpoint without_address(Endpoint end) {
  end.address.clear();
  return end;
}

ByName nics_by_name(const std::vector<Endpoint>& ends) {
  ByName found;
  for (const Endpoint& end : ends) found.emplace(without_address(end), end);
  return found;
}

std::vector<Endpoint> endpoints_of(const AllNics& all) {
  std::vector<Endpoint> ends;
  ends.reserve(all.nics.size());
  for (const pairs::Nic& nic : all.nics) ends.push_back(endpoint_of(nic));
  return ends;
}

[[noreturn]] void refuse_nics(const std::string& why) {
  job::refuse_use("--resume: " + why +
                  ": go on with the same hosts and devices, or measure all again, into "
                  "another file");
}

const Endpoint& end_now(const ByName& now, const Endpoint& end) {
  const auto found = now.find(without_address(end));
  if (found == now.end())
    refuse_nics("the result has " + pairs::name_of(end) + ", which does not take part now");
  return found->second;
}

}  // namespace

AllNics nics_of(const std::vector<results::Rank>& ranks) {
  check_no_nic_is_shared(ranks);
  std::map<std::string, int> ranks_on;
  for (const results::Rank& rank : ranks) ++ranks_on[rank.host];
  AllNics all;
  for (const results::Rank& rank : ranks) {
    // Ranks that share a host's name are told apart by their numbers.
    const bool alone = ranks_on[rank.host] == 1;
    const std::string host = alone ? rank.host : rank.host + " rank " + std::to_string(rank.rank);
    for (const results::RankRail& rail : rank.rails) {
      all.rank_of.push_back(static_cast<std::size_t>(&rank - ranks.data()));
      all.nics.push_back({host, rail.rail, rail.plane, rail.device, rail.port, rail.netdev,
                          rail.address, rail.link_gigabits_per_second,
                          rail.kind != results::DeviceKind::hardware});
    }
  }
  return all;
}

std::vector<results::PairRow> rows_of_same_nics(EarlierRows earlier, const AllNics& now) {
  const ByName before = nics_by_name(earlier.nics);
  const ByName present = nics_by_name(endpoints_of(now));
  for (const auto& [name, end] : before) (void)end_now(present, end);
  for (results::PairRow& row : earlier.rows) {
    row.from = end_now(present, row.from);
    row.to = end_now(present, row.to);
  }
  for (const auto& [name, end] : present) {
    if (!before.empty() && !before.contains(name))
      refuse_nics(pairs::name_of(end) + " takes part now, and the result does not have it");
  }
  return std::move(earlier.rows);
}

}  // namespace railgauge::runner
