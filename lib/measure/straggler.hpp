#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace railgauge::measure {

/// A rank that the others wait for.
struct Straggler {
  std::size_t rank = 0;
  double own_us = 0;     // what it does itself in an iteration
  double others_us = 0;  // what ranks usually do
};

/// All ranks of a collective end at about the same time, because they wait for the slowest: times
/// do not tell who that is. What tells is how long a rank did not wait. `own_us[rank]` is the
/// median of that over iterations, `iteration_us` the median time of an iteration. Named is the
/// rank with the longest own time if it is more than three times the median absolute deviation
/// above the ranks' median, and by more than a tenth of an iteration: below that nobody would
/// notice.
///
/// Two ranks have no usual time to differ from: at least three are needed. In a collective with a
/// root, and in a tree, some ranks have more to do than others, and may be named for that.
[[nodiscard]] std::optional<Straggler> find_straggler(std::span<const double> own_us,
                                                      double iteration_us);

}  // namespace railgauge::measure
