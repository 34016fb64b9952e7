#pragma once

#include <algorithm>
#include <ranges>
#include <string>

namespace railgauge::results {

/// "rail 3", or "rail 3 plane 1" where `all` has other planes of that rail. One and all have
/// members `rail` and `plane`.
template <class One, std::ranges::forward_range All>
std::string rail_name(const One& one, const All& all) {
  const auto other = [&](const auto& each) {
    return each.rail == one.rail && each.plane != one.plane;
  };
  const std::string rail = "rail " + std::to_string(one.rail);
  return std::ranges::any_of(all, other) ? rail + " plane " + std::to_string(one.plane) : rail;
}

}  // namespace railgauge::results
