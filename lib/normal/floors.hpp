#pragma once

#include <vector>

namespace railgauge::normal {

/// What the fastest times of alike things, such as the paths of a row, say is usual. Load adds
/// least to a fastest time, so that one that is far from the others' is the fault of what was
/// measured.
struct Floors {
  double usual = 0;   ///< the lower quartile: a quarter of all may be slow, or fast for a reason
  double factor = 1;  ///< by which one has to exceed that: more where the fast ones differ, too
  double spread = 0;  ///< between the fastest and the middle one
  /// The first above the usual one that is twice the one before it; infinity: there is none. Where
  /// processes wait for processors, healthy floors differ as much as those of a slow path do, but
  /// evenly: without this, 23 of 81 healthy runs of 5 to 8 ranks on 2 CPUs had a slow path, and
  /// with it none; of 40 such runs with a slow port none was missed for it.
  double after_gap = 0;
};

/// `least_factor`: where all fast ones are alike. There has to be a time.
[[nodiscard]] Floors floors_of(std::vector<double> times, double least_factor);

}  // namespace railgauge::normal
