#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/groups.hpp"

namespace railgauge::runner {

/// --split: which ranks run the collective together, each group at the same time as the others.
/// The rules with a number are those of nccl-tests' NCCL_TESTS_SPLIT (src/common.cu): a rank's
/// number and that number make its color, and ranks of one color are a group.
struct SplitRule {
  enum class By : std::uint8_t { none, bits_and, bits_or, remainder, quotient, node, rail };

  By by = By::none;
  std::uint64_t number = 0;

  friend bool operator==(const SplitRule&, const SplitRule&) = default;
};

/// "MOD 8", "mod8", "AND 0x7", "node", "rail", "pairs" (DIV 2), "none". Throws
/// std::invalid_argument.
[[nodiscard]] SplitRule parse_split(const std::string& word);
/// "MOD 8".
[[nodiscard]] std::string text_of(const SplitRule& rule);

/// What the rules go by.
struct RankPlace {
  std::string host{};
  std::vector<unsigned> rails{};  // that the rank is local to
};

/// Throws std::invalid_argument unless all groups are of one size: "--split MOD 3: groups of ...".
[[nodiscard]] schedule::Groups groups_of(const SplitRule& rule,
                                         const std::vector<RankPlace>& ranks);

}  // namespace railgauge::runner
