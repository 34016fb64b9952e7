#include "topology/rail_numbers.hpp"

#include <algorithm>
#include <set>

namespace railgauge::topology {

namespace {

/// Gives NICs of a host, which have none yet, the rails that are free, where `fits(nic, rail)`.
template <class Fits>
void assign(std::vector<Nic>& nics, std::size_t rails, Fits fits) {
  std::set<int> taken;
  for (const Nic& nic : nics) taken.insert(nic.rail);
  for (Nic& nic : nics) {
    if (nic.rail >= 0) continue;
    for (std::size_t rail = 0; rail < rails; ++rail) {
      if (taken.contains(static_cast<int>(rail)) || !fits(nic, rail)) continue;
      nic.rail = static_cast<int>(rail);
      taken.insert(nic.rail);
      break;
    }
  }
}

bool same(const std::string& left, const std::string& right) {
  return !left.empty() && left == right;
}

/// By subnets. Of two NICs in one subnet the one that has it by its place comes first.
void assign_by_subnet(Host& host, const RailGroup& group) {
  const auto& rails = group.rails;
  const auto exact = [&](const Nic& nic, std::size_t rail) {
    return rails[rail].subnet && telling_subnet(nic) == rails[rail].subnet;
  };
  const bool whole = host.rails.size() == rails.size();
  assign(host.rails, rails.size(), [&](const Nic& nic, std::size_t rail) {
    const auto place = static_cast<std::size_t>(&nic - host.rails.data());
    const bool here = rails[rail].pci.empty() || nic.pci.empty() ? whole && place == rail
                                                                 : nic.pci == rails[rail].pci;
    return here && exact(nic, rail);
  });
  assign(host.rails, rails.size(), exact);
  assign(host.rails, rails.size(), [&](const Nic& nic, std::size_t rail) {
    return rails[rail].subnet && is_within(nic, *rails[rail].subnet);
  });
  assign(host.rails, rails.size(), [&](const Nic& nic, std::size_t rail) {
    return rails[rail].subnet && !other_address_within(nic, *rails[rail].subnet).empty();
  });
}

/// By what NICs on that rail are on the other hosts.
void assign_by_likeness(Host& host, const std::vector<UsualRail>& rails) {
  assign(host.rails, rails.size(),
         [&](const Nic& nic, std::size_t rail) { return same(nic.pci, rails[rail].pci); });
  assign(host.rails, rails.size(),
         [&](const Nic& nic, std::size_t rail) { return same(nic.device, rails[rail].device); });
  assign(host.rails, rails.size(),
         [&](const Nic& nic, std::size_t rail) { return same(nic.netdev, rails[rail].netdev); });
}

void assign_in_order(Host& host, std::size_t rails) {
  assign(host.rails, rails, [](const Nic&, std::size_t) { return true; });
}

bool in_usual_order(const Host& host, const RailGroup& group) {
  const Subnets own = subnets_of(host);
  if (own.size() != group.rails.size()) return false;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i] != group.rails[i].subnet) return false;
  }
  return true;
}

/// Whether at least half of a host's NICs are where the usual ones are.
bool on_usual_board(const Host& host, const std::vector<UsualRail>& rails) {
  const auto usual = std::ranges::count_if(host.rails, [&](const Nic& nic) {
    return std::ranges::any_of(rails, [&](const UsualRail& one) { return same(nic.pci, one.pci); });
  });
  return static_cast<std::size_t>(usual) * 2 >= host.rails.size();
}

}  // namespace

void Likeness::add(const Host& host) {
  for (const Nic& nic : host.rails) {
    if (nic.rail >= 0) nics_[static_cast<std::size_t>(nic.rail)].push_back(nic);
  }
}

std::vector<UsualRail> Likeness::usual() const {
  std::vector<UsualRail> rails;
  for (std::size_t rail = 0; rail < nics_.size(); ++rail) {
    rails.push_back(
        {std::nullopt, most(rail, &Nic::device), most(rail, &Nic::pci), most(rail, &Nic::netdev)});
  }
  return rails;
}

std::string Likeness::most(std::size_t rail, std::string Nic::*member) const {
  std::vector<std::string> all;
  for (const Nic& nic : nics_[rail]) all.push_back(nic.*member);
  return majority(all).value_or("");
}

Likeness likeness_of(const FoundRails& found) {
  Likeness likeness(found.rails);
  for (const RailGroup& group : found.groups) {
    for (const std::size_t member : group.hosts) {
      Host host = found.hosts[member];
      if (group.by_subnet && group.order_known && !in_usual_order(host, group)) continue;
      if (group.by_subnet) assign_by_subnet(host, group);
      if (!group.by_subnet && host.rails.size() == found.rails) assign_in_order(host, found.rails);
      likeness.add(host);
    }
  }
  return likeness;
}

void number(const FoundRails& found, const RailGroup& group, Host& host) {
  if (group.by_subnet) {
    assign_by_subnet(host, group);
  } else if (host.rails.size() == found.rails && !on_usual_board(host, group.rails)) {
    assign_in_order(host, found.rails);
  }
  assign_by_likeness(host, group.rails);
  if (host.rails.size() <= found.rails || group.rails[0].pci.empty()) {
    assign_in_order(host, found.rails);
  }
}

}  // namespace railgauge::topology
