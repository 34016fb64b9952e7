#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reduce/reduction.hpp"

namespace railgauge::benchmarks {

/// Which of its rails a rank drives: all of them, or those listed.
using RailSet = std::vector<unsigned>;

/// One point on the axes of a sweep, size and algorithm aside: what connections and data are like.
struct Setting {
  reduce::ElementType type = reduce::ElementType::float32;
  reduce::Operator op = reduce::Operator::sum;
  int root = 0;              // of the collectives that have one
  unsigned queue_pairs = 1;  // to each peer on each rail
  std::uint32_t slice_bytes = 128 * 1024;
  std::uint8_t traffic_class = 0;
  RailSet rails;  // at least one
};

/// What --rails asks for, before the number of rails is known.
struct RailChoice {
  enum class Kind : std::uint8_t { all, each, listed };
  Kind kind = Kind::all;
  RailSet rails;  // if listed

  friend bool operator==(const RailChoice&, const RailChoice&) = default;
};

/// "all" together, "each" by itself, or numbers joined by +: "0", "0+1". Throws
/// std::invalid_argument.
[[nodiscard]] RailChoice parse_rail_choice(const std::string& word);

/// The sets of rails that are meant, of so many as there are. Throws std::invalid_argument if one
/// is not there.
[[nodiscard]] std::vector<RailSet> rail_sets(const std::vector<RailChoice>& choices,
                                             unsigned rails);

/// "0+1".
[[nodiscard]] std::string text_of(const RailSet& rails);

}  // namespace railgauge::benchmarks
