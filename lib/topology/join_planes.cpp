// join_planes() of planes.hpp.

#include <algorithm>
#include <map>
#include <tuple>

#include "topology/planes.hpp"
#include "topology/rail_numbers.hpp"

namespace railgauge::topology {
namespace {

/// How often two slots have been of one rail, less how often not, and the members at each slot.
class SlotVotes {
 public:
  explicit SlotVotes(std::size_t slots)
      : together_(slots, std::vector<int>(slots)), members_(slots) {}

  void add(const Host& host, PlaneRule rule) {
    std::map<std::size_t, Part> parts;
    for (const Nic& nic : host.rails) {
      if (nic.slot < 0) continue;
      const auto slot = static_cast<std::size_t>(nic.slot);
      parts[slot] = part_of(nic, rule);
      members_[slot].push_back(parts[slot].member);
    }
    for (const auto& [one, part] : parts) {
      for (const auto& [other, its] : parts) {
        const bool same = part.member >= 0 && part.of == its.of;
        together_[one][other] += same ? 1 : -1;
      }
    }
  }

  /// The rail of each slot, in order of the first.
  [[nodiscard]] std::vector<RailPlane> rails() const {
    std::vector<RailPlane> places;
    int rails = 0;
    for (std::size_t slot = 0; slot < together_.size(); ++slot) {
      RailPlane place;
      for (std::size_t before = 0; before < slot && place.rail < 0; ++before) {
        if (together_[slot][before] > 0) place.rail = places[before].rail;
      }
      if (place.rail < 0) place.rail = rails++;
      places.push_back(place);
    }
    return places;
  }

  [[nodiscard]] int member(std::size_t slot) const { return majority(members_[slot]).value_or(-1); }

 private:
  std::vector<std::vector<int>> together_;
  std::vector<std::vector<int>> members_;
};

/// Planes have the order that most rails have them in; if one is none of these, their own.
void number_planes(std::vector<RailPlane>& places, const SlotVotes& votes,
                   const std::vector<int>& usual) {
  std::map<int, std::vector<std::size_t>> slots_of;
  for (std::size_t slot = 0; slot < places.size(); ++slot)
    slots_of[places[slot].rail].push_back(slot);
  for (auto& [rail, slots] : slots_of) {
    std::ranges::stable_sort(slots, {}, [&](std::size_t slot) { return votes.member(slot); });
    const bool as_usual = std::ranges::all_of(
        slots, [&](std::size_t slot) { return std::ranges::count(usual, votes.member(slot)) > 0; });
    for (std::size_t i = 0; i < slots.size(); ++i) {
      RailPlane& place = places[slots[i]];
      const auto found = std::ranges::find(usual, votes.member(slots[i]));
      place.plane =
          static_cast<int>(as_usual ? found - usual.begin() : static_cast<std::ptrdiff_t>(i));
      place.planes = static_cast<int>(slots.size());
    }
  }
}

/// Puts slots into the order of their places.
void reorder(FoundRails& found) {
  std::vector<std::size_t> order(found.slots.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::size_t slot) { return found.slots[slot]; });
  std::vector<int> moved(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) moved[order[i]] = static_cast<int>(i);
  std::ranges::sort(found.slots);
  for (RailGroup& group : found.groups) {
    const std::vector<UsualNic> before = group.slots;
    for (std::size_t i = 0; i < order.size(); ++i) group.slots[i] = before[order[i]];
  }
  for (Host& host : found.hosts) {
    for (Nic& nic : host.rails) {
      if (nic.slot >= 0) nic.slot = moved[static_cast<std::size_t>(nic.slot)];
    }
  }
}

void tell_nics(FoundRails& found) {
  for (Host& host : found.hosts) {
    for (Nic& nic : host.rails) {
      if (nic.slot < 0) continue;
      const RailPlane& place = found.slots[static_cast<std::size_t>(nic.slot)];
      std::tie(nic.rail, nic.plane, nic.planes) = std::tie(place.rail, place.plane, place.planes);
    }
  }
}

}  // namespace

void join_planes(FoundRails& found, const PlanesFound& planes) {
  const std::size_t slots = found.groups.empty() ? 0 : found.groups[0].slots.size();
  SlotVotes votes(slots);
  if (planes.rule != PlaneRule::none) {
    for (const Host& host : sure_hosts(found)) votes.add(host, planes.rule);
  }
  found.slots = votes.rails();
  number_planes(found.slots, votes, planes.members);
  if (planes.rule != PlaneRule::none) reorder(found);
  found.rails = found.slots.empty() ? 0 : static_cast<std::size_t>(found.slots.back().rail) + 1;
  tell_nics(found);
}

}  // namespace railgauge::topology
