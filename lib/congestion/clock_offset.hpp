#pragma once

#include <optional>
#include <span>
#include <vector>

namespace railgauge::congestion {

/// A barrier, as one rank's clock saw it.
struct Meeting {
  double entered_s = 0;
  double left_s = 0;
};

/// What has to be added to a rank's clock to have the first rank's, and by how much it may be
/// wrong.
struct ClockOffset {
  double seconds = 0;
  double uncertainty_s = 0;
};

/// Nobody leaves a barrier before everybody has entered it. So of each barrier the offset is
/// between (first entered - own left) and (first left - own entered), and of several where all of
/// these overlap (K. Marzullo's intersection, 1984). Both have the same barriers in the same order.
/// Empty if there is none, or if the clocks drifted so far that nothing overlaps.
[[nodiscard]] std::optional<ClockOffset> clock_offset(std::span<const Meeting> first,
                                                      std::span<const Meeting> own);

}  // namespace railgauge::congestion
