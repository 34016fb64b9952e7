#pragma once

#include <stdexcept>
#include <string>

#include "schedule/op.hpp"

namespace railgauge::schedule {

/// The ranks counted from the root on, around the circle: the root has place 0.
class FromRoot {
 public:
  /// Throws std::invalid_argument for no ranks, or a root that is none of them.
  FromRoot(Rank ranks, Rank root) : ranks_(ranks), root_(root) {
    if (ranks == 0) throw std::invalid_argument("a collective needs at least one rank");
    if (root < ranks) return;
    throw std::invalid_argument("there is no rank " + std::to_string(root) +
                                " to be the root: ranks are 0 to " + std::to_string(ranks - 1));
  }

  [[nodiscard]] Rank ranks() const { return ranks_; }
  [[nodiscard]] Rank root() const { return root_; }
  [[nodiscard]] Rank place(Rank rank) const { return (rank + ranks_ - root_) % ranks_; }
  [[nodiscard]] Rank rank(Rank place) const { return (place + root_) % ranks_; }

 private:
  Rank ranks_;
  Rank root_;
};

}  // namespace railgauge::schedule
