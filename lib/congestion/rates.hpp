#pragma once

#include <optional>
#include <string>
#include <vector>

#include "congestion/observation.hpp"

namespace railgauge::congestion {

/// Packets of a port between two moments, of those that its flows send or receive; of a sample that
/// is cut its part.
[[nodiscard]] double packets_between(const PortSeries& port, bool sent, double begin_s,
                                     double end_s);

/// GB/s of a flow in the second half of the time in which its receiver got packets, once it has
/// settled: DCQCN's first cut takes a part of the first half. Not by what was sent, which at first
/// fills queues. Of the whole step if the port does not count packets.
[[nodiscard]] double settled_gbps(const Step& step, const Flow& flow);

/// How flows of a step shared the receiver after more had begun.
struct Convergence {
  std::optional<double> seconds{};  ///< until all had fair shares, after the last has begun
  double window_s = 0;              ///< over which shares were counted
  const Flow* furthest = nullptr;   ///< from the fair share at the end,
  double share = 0;                 ///< of which it had this part
};
/// Empty: too few packets were sent, or ports do not count them.
[[nodiscard]] std::optional<Convergence> convergence_of(const Step& step);

/// What flows of a step did after a link was broken.
struct Recovery {
  std::optional<double> seconds{};      ///< until traffic was as before; empty: it never was
  double window_s = 0;                  ///< over which traffic was counted
  std::vector<const Flow*> affected{};  ///< that had less than half, or failed
};
/// Empty: nothing was broken, or too little was sent before.
[[nodiscard]] std::optional<Recovery> recovery_of(const Step& step);

/// Why such a step says nothing, a sentence; empty: it does.
[[nodiscard]] std::string too_short(const Step& step);

}  // namespace railgauge::congestion
