#include "results/nic_inventory.hpp"

#include <algorithm>
#include <set>

namespace railgauge::results {

void NicInventory::add_rank(const std::string& host, const std::vector<Nic>& nics) {
  ++ranks_;
  Ports& ports = hosts_[host];
  for (const Nic& nic : nics) ports[nic.port] = nic;
}

NicUse NicInventory::use(const std::vector<int>& rails, bool by_memory) const {
  std::set<int> counts;
  std::set<int> planes;  // of all NICs of a host
  std::set<double> rates;
  for (const auto& [host, ports] : hosts_) {
    int count = 0;
    int sum = 0;
    for (const auto& [port, nic] : ports) {
      if (std::ranges::find(rails, nic.rail) == rails.end()) continue;
      ++count;
      sum += nic.planes;
      rates.insert(nic.gigabits_per_second);
    }
    counts.insert(count);
    planes.insert(sum);
  }
  NicUse use;
  if (ranks_ > 0) use.ranks = ranks_;
  if (!hosts_.empty()) use.nodes = static_cast<int>(hosts_.size());
  use.beside_nics.emplace();
  if (by_memory && use.ranks > use.nodes) use.beside_nics->emplace_back("memory");
  if (counts.size() == 1 && *counts.begin() > 0) use.nics_per_node = *counts.begin();
  const bool known = rates.size() == 1 && *rates.begin() > 0;
  if (known && planes == counts) {
    use.line_rate_gigabits_per_second = *rates.begin();
  } else if (known && planes.size() == 1 && use.nics_per_node) {
    use.line_rate_gigabits_per_second = *rates.begin() * *planes.begin() / *use.nics_per_node;
  }
  return use;
}

NicInventory nic_inventory_of(const std::vector<Rank>& ranks) {
  NicInventory inventory;
  for (const Rank& rank : ranks) {
    std::vector<Nic> nics;
    for (const RankRail& rail : rank.rails) {
      const auto known = std::ranges::find(nics, rail.rail, &Nic::rail);
      if (known != nics.end()) {
        const bool same = known->gigabits_per_second == rail.link_gigabits_per_second;
        if (!same) known->gigabits_per_second = 0;
        ++known->planes;
        continue;
      }
      const std::string port = rail.device + "/" + std::to_string(rail.port);
      nics.push_back({rail.rail, port + " " + rail.address, rail.link_gigabits_per_second, 1});
    }
    inventory.add_rank(rank.host, nics);
  }
  return inventory;
}

}  // namespace railgauge::results
