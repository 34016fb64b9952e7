#include "topology/rail_numbers.hpp"

#include <algorithm>
#include <set>

namespace railgauge::topology {

namespace {

/// Gives NICs of a host, which have none yet, the slots that are free, where `fits(nic, slot)`.
template <class Fits>
void assign(std::vector<Nic>& nics, std::size_t slots, Fits fits) {
  std::set<int> taken;
  for (const Nic& nic : nics) taken.insert(nic.slot);
  for (Nic& nic : nics) {
    if (nic.slot >= 0) continue;
    for (std::size_t slot = 0; slot < slots; ++slot) {
      if (taken.contains(static_cast<int>(slot)) || !fits(nic, slot)) continue;
      nic.slot = static_cast<int>(slot);
      taken.insert(nic.slot);
      break;
    }
  }
}

bool same(const std::string& left, const std::string& right) {
  return !left.empty() && left == right;
}

/// By subnets. Of two NICs in one subnet the one that has it by its place comes first.
void assign_by_subnet(Host& host, const RailGroup& group) {
  const auto& slots = group.slots;
  const auto exact = [&](const Nic& nic, std::size_t slot) {
    return slots[slot].subnet && telling_subnet(nic) == slots[slot].subnet;
  };
  const bool whole = host.rails.size() == slots.size();
  assign(host.rails, slots.size(), [&](const Nic& nic, std::size_t slot) {
    const auto place = static_cast<std::size_t>(&nic - host.rails.data());
    const bool here = slots[slot].pci.empty() || nic.pci.empty()
                          ? whole && place == slot
                          : same_place(nic.pci, nic.port, slots[slot]);
    return here && exact(nic, slot);
  });
  assign(host.rails, slots.size(), exact);
  assign(host.rails, slots.size(), [&](const Nic& nic, std::size_t slot) {
    return slots[slot].subnet && is_within(nic, *slots[slot].subnet);
  });
  assign(host.rails, slots.size(), [&](const Nic& nic, std::size_t slot) {
    return slots[slot].subnet && !other_address_within(nic, *slots[slot].subnet).empty();
  });
}

/// By what NICs at that slot are on the other hosts.
void assign_by_likeness(Host& host, const std::vector<UsualNic>& slots) {
  assign(host.rails, slots.size(), [&](const Nic& nic, std::size_t slot) {
    return same_place(nic.pci, nic.port, slots[slot]);
  });
  assign(host.rails, slots.size(), [&](const Nic& nic, std::size_t slot) {
    return same(nic.device, slots[slot].device) && nic.port == slots[slot].port;
  });
  assign(host.rails, slots.size(),
         [&](const Nic& nic, std::size_t slot) { return same(nic.netdev, slots[slot].netdev); });
}

void assign_in_order(Host& host, std::size_t slots) {
  assign(host.rails, slots, [](const Nic&, std::size_t) { return true; });
}

/// Whether a host has the subnets of most in their order. An idle plane (planes.hpp) has none.
bool in_usual_order(const Host& host, const RailGroup& group) {
  const Subnets own = subnets_of(host);
  if (own.size() != group.slots.size()) return false;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i] != group.slots[i].subnet && !host.rails[i].address.empty()) return false;
  }
  return true;
}

/// Whether at least half of a host's NICs are where the usual ones are.
bool on_usual_board(const Host& host, const std::vector<UsualNic>& slots) {
  const auto usual = std::ranges::count_if(host.rails, [&](const Nic& nic) {
    return std::ranges::any_of(slots, [&](const UsualNic& one) { return same(nic.pci, one.pci); });
  });
  return static_cast<std::size_t>(usual) * 2 >= host.rails.size();
}

}  // namespace

void Likeness::add(const Host& host) {
  for (const Nic& nic : host.rails) {
    if (nic.slot >= 0) nics_[static_cast<std::size_t>(nic.slot)].push_back(nic);
  }
}

std::vector<UsualNic> Likeness::usual() const {
  std::vector<UsualNic> slots;
  slots.reserve(nics_.size());
  for (const auto& nics : nics_) {
    slots.push_back({std::nullopt, most(nics, &Nic::device).value_or(""),
                     most(nics, &Nic::pci).value_or(""), most(nics, &Nic::netdev).value_or(""),
                     most(nics, &Nic::port).value_or(1)});
  }
  return slots;
}

template <class T>
std::optional<T> Likeness::most(const std::vector<Nic>& nics, T Nic::*member) {
  std::vector<T> all;
  all.reserve(nics.size());
  for (const Nic& nic : nics) all.push_back(nic.*member);
  return majority(all);
}

std::vector<Host> sure_hosts(const FoundRails& found) {
  std::vector<Host> sure;
  for (const RailGroup& group : found.groups) {
    for (const std::size_t member : group.hosts) {
      Host host = found.hosts[member];
      if (group.by_subnet && group.order_known && !in_usual_order(host, group)) continue;
      if (group.by_subnet) assign_by_subnet(host, group);
      const bool whole = host.rails.size() == group.slots.size();
      if (whole && (!group.by_subnet || group.order_known)) {
        assign_in_order(host, group.slots.size());
      }
      sure.push_back(std::move(host));
    }
  }
  return sure;
}

void number(const RailGroup& group, Host& host) {
  const std::size_t slots = group.slots.size();
  if (group.by_subnet) {
    assign_by_subnet(host, group);
  } else if (host.rails.size() == slots && !on_usual_board(host, group.slots)) {
    assign_in_order(host, slots);
  }
  assign_by_likeness(host, group.slots);
  if (host.rails.size() <= slots || group.slots[0].pci.empty()) assign_in_order(host, slots);
}

}  // namespace railgauge::topology
