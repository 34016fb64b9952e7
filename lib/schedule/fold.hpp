#pragma once

#include <bit>

#include "schedule/op.hpp"

namespace railgauge::schedule {

/// How any number of ranks does what a power of two can: the first 2r ranks are r pairs, of which
/// the odd one takes part for both. Says who takes part under which number.
struct Fold {
  Rank taking_part = 1;  // the largest power of two that is not above the number of ranks
  Rank pairs = 0;

  explicit Fold(Rank ranks) : taking_part(std::bit_floor(ranks)), pairs(ranks - taking_part) {}

  [[nodiscard]] bool paired(Rank rank) const { return rank < 2 * pairs; }
  [[nodiscard]] bool waits(Rank rank) const { return paired(rank) && rank % 2 == 0; }
  [[nodiscard]] Rank number(Rank rank) const { return paired(rank) ? rank / 2 : rank - pairs; }
  [[nodiscard]] Rank rank(Rank number) const {
    return number < pairs ? 2 * number + 1 : number + pairs;
  }
};

}  // namespace railgauge::schedule
