#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reduce/reduction.hpp"

namespace railgauge::runner {

using RailSet = std::vector<unsigned>;

/// Which rails are in use, and by whom: every rank drives all of them, or only its own, which are
/// those that it is placed beside.
struct RailUse {
  RailSet rails{};
  bool own = false;

  friend bool operator==(const RailUse&, const RailUse&) = default;
};

/// One point on the axes of a sweep, size and algorithm aside: what connections and data are like.
struct Setting {
  reduce::ElementType type = reduce::ElementType::float32;
  reduce::Operator op = reduce::Operator::sum;
  int root = 0;              // of the collectives that have one
  unsigned queue_pairs = 1;  // to each peer on each rail
  std::uint32_t chunk_bytes = 128 * 1024;
  std::uint8_t traffic_class = 0;
  RailUse rails{};  // at least one
};

/// What --rails asks for, before the number of rails is known.
struct RailChoice {
  enum class Kind : std::uint8_t { all, each, own, listed };
  Kind kind = Kind::all;
  RailSet rails;  // if listed

  friend bool operator==(const RailChoice&, const RailChoice&) = default;
};

/// "all" together, "each" by itself, every rank its "own", or numbers joined by +: "0", "0+1".
/// Throws std::invalid_argument.
[[nodiscard]] RailChoice parse_rail_choice(const std::string& word);

/// What is meant, of so many rails as there are. Throws std::invalid_argument if one is not there.
[[nodiscard]] std::vector<RailUse> rail_uses(const std::vector<RailChoice>& choices,
                                             unsigned rails);

}  // namespace railgauge::runner
