#pragma once

#include <map>
#include <vector>

#include "soak/places.hpp"

namespace railgauge::soak {

/// Finds ranks and hosts that delay the others: slow processors, whose ranks take longer
/// themselves, window after window, and processes that were descheduled for a while.
class RankWatch {
 public:
  /// `places` has to live as long.
  explicit RankWatch(const Places& places) : places_(&places) {}

  /// Processes that were descheduled, by their own heartbeats. None if most ranks were, as when a
  /// machine is suspended that has all of them.
  [[nodiscard]] std::vector<finding::Finding> stalls(const Window& window) const;

  /// Ranks, or all of a host's, whose own time in an iteration, without waiting for others, rose
  /// against that of the others.
  [[nodiscard]] std::vector<finding::Finding> stragglers(const Window& window);

  /// Whether a rank is slower than before, so that times of ports say nothing about ports.
  [[nodiscard]] bool is_any_slower() const;

 private:
  void take(const Window& window, const PhaseSample& sample);
  [[nodiscard]] std::vector<finding::Finding> slow_processors(const Window& window) const;

  const Places* places_;
  std::map<std::pair<std::size_t, int>, normal::StepDetector> own_;  // of each phase and rank
  std::map<int, normal::Step> suspects_;                             // ranks, in this window
};

}  // namespace railgauge::soak
