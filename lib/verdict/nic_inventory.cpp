#include "verdict/nic_inventory.hpp"

#include <algorithm>
#include <set>

namespace railgauge::verdict {

void NicInventory::add_rank(const std::string& host, const std::vector<Nic>& nics) {
  ++ranks_;
  Ports& ports = hosts_[host];
  for (const Nic& nic : nics) ports[nic.port] = nic;
}

Run NicInventory::run(const std::vector<int>& rails, bool by_memory) const {
  std::set<int> counts;
  std::set<double> rates;
  for (const auto& [host, ports] : hosts_) {
    int count = 0;
    for (const auto& [port, nic] : ports) {
      if (std::ranges::find(rails, nic.rail) == rails.end()) continue;
      ++count;
      rates.insert(nic.gigabits_per_second);
    }
    counts.insert(count);
  }
  Run run;
  if (ranks_ > 0) run.ranks = ranks_;
  if (!hosts_.empty()) run.nodes = static_cast<int>(hosts_.size());
  run.beside_nics.emplace();
  if (by_memory && run.ranks > run.nodes) run.beside_nics->emplace_back("memory");
  if (counts.size() == 1 && *counts.begin() > 0) run.nics_per_node = *counts.begin();
  const bool known = rates.size() == 1 && *rates.begin() > 0;
  if (known) run.line_rate_gigabits_per_second = *rates.begin();
  return run;
}

NicInventory nic_inventory_of(const std::vector<results::Rank>& ranks) {
  NicInventory inventory;
  for (const results::Rank& rank : ranks) {
    std::vector<Nic> nics;
    for (const results::RankRail& rail : rank.rails) {
      const std::string port = rail.device + "/" + std::to_string(rail.port);
      nics.push_back({rail.rail, port + " " + rail.address, rail.link_gigabits_per_second});
    }
    inventory.add_rank(rank.host, nics);
  }
  return inventory;
}

}  // namespace railgauge::verdict
