#pragma once

#include <algorithm>
#include <optional>
#include <ranges>
#include <string>

namespace railgauge::results {

/// The plane of a rail that has others in `all`; empty if it has one. One and all have members
/// `rail` and `plane`.
template <class One, std::ranges::forward_range All>
std::optional<int> named_plane(const One& one, const All& all) {
  const auto other = [&](const auto& each) {
    return each.rail == one.rail && each.plane != one.plane;
  };
  return std::ranges::any_of(all, other) ? std::optional<int>(one.plane) : std::nullopt;
}

/// "rail 3", or "rail 3 plane 1".
template <class One, std::ranges::forward_range All>
std::string rail_name(const One& one, const All& all) {
  const auto plane = named_plane(one, all);
  return "rail " + std::to_string(one.rail) + (plane ? " plane " + std::to_string(*plane) : "");
}

}  // namespace railgauge::results
