#pragma once

#include <optional>
#include <set>
#include <span>
#include <vector>

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

/// An element of a block that is wrong in the outputs of these ranks, and right in all others'.
struct WrongElement {
  Block block = 0;
  std::set<Rank> at;
};

/// From one rank to another.
struct Edge {
  Rank from = 0;
  Rank to = 0;
  friend bool operator==(const Edge&, const Edge&) = default;
  friend bool operator<(const Edge& a, const Edge& b) {
    return a.from != b.from ? a.from < b.from : a.to < b.to;
  }
};

struct Suspects {
  std::vector<Edge> edges;  ///< that explain as many as any; several are all there is to say
  /// All edges are from this rank, or to it, and explain more together than any does.
  std::optional<Rank> sender{};
  std::optional<Rank> receiver{};
  std::size_t explained = 0;  ///< elements
  std::size_t of = 0;
};

/// Which edge would have made these elements wrong, and no others, had it changed each of them once
/// on its way. What is wrong in what a rank sends stays wrong in all that is made of it: so an
/// element that is wrong everywhere was changed before it was combined, and one that is wrong at
/// some ranks on the way to the first of them; elements of several blocks leave ever fewer edges.
///
/// Runs the schedule once for every send of the blocks concerned: of 64 ranks in a ring some
/// seconds, so callers set limits.
[[nodiscard]] Suspects suspects_of(const Schedule& schedule,
                                   std::span<const WrongElement> elements);

}  // namespace railgauge::schedule
