#pragma once

#include <string>
#include <vector>

#include "results/sweep_point.hpp"

namespace railgauge::runner {

using RailSet = std::vector<unsigned>;

/// What --rails asks for, before the number of rails is known.
struct RailChoice {
  enum class Kind : std::uint8_t { all, each, own, listed };
  Kind kind = Kind::all;
  RailSet rails{};  // if listed

  friend bool operator==(const RailChoice&, const RailChoice&) = default;
};

/// "all" together; "each" alone; "own": every rank drives the rails that are local to it; or
/// numbers joined by +: "0", "0+1". Throws std::invalid_argument.
[[nodiscard]] RailChoice parse_rail_choice(const std::string& word);
/// The word that reads as this.
[[nodiscard]] std::string word(const RailChoice& choice);

/// What is meant, of as many rails as there are: of each point `rails` and `own_rails` are set.
/// Throws std::invalid_argument if one does not exist.
[[nodiscard]] std::vector<results::SweepPoint> rail_points(const std::vector<RailChoice>& choices,
                                                           unsigned rails);

}  // namespace railgauge::runner
