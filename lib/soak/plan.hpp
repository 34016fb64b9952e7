#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

#include "soak/header.hpp"

namespace railgauge::soak {

/// A line of a plan, before the rails of the fabric are known.
struct PlannedPhase {
  std::string collective{};  // "all_reduce"
  std::uint64_t size_bytes = 0;
  std::string algorithm{};  // empty: the collective's usual one
  std::string rails{};  // as --rails has them: "all", "each", "0", "0+1"; empty: those of --rails

  friend bool operator==(const PlannedPhase&, const PlannedPhase&) = default;
};

/// Each collective with each size, collectives varying fastest: what a soak runs if no file says
/// otherwise.
[[nodiscard]] std::vector<PlannedPhase> alternating(const std::vector<std::string>& collectives,
                                                    const std::vector<std::uint64_t>& sizes);

/// Reads a plan: a phase on each line, a collective and a size, then what differs from the default:
///
///   # small messages on all rails, large ones on the new rail alone
///   all_reduce 64K
///   alltoall   64M  rails=3  algo=pairwise
///
/// A # begins a comment. Throws std::runtime_error, which names `name` and the line, for what is
/// none of this, and for a plan without a phase.
[[nodiscard]] std::vector<PlannedPhase> read_plan(std::istream& text, const std::string& name);

/// "all_reduce 64M, ring, rails 0+1".
[[nodiscard]] std::string in_words(const Phase& phase);

}  // namespace railgauge::soak
