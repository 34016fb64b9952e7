#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "soak/places.hpp"
#include "soak/step.hpp"

namespace railgauge::soak {

/// Sees ranks and hosts that hold the others up: stragglers, which take longer themselves, window
/// after window, and processes that did not run for a while.
class RankWatch {
 public:
  /// `places` has to live as long.
  explicit RankWatch(const Places& places) : places_(&places) {}

  /// Processes that stood still, by their own heartbeats. Not told if most ranks did, as when a
  /// machine is suspended that has all of them.
  [[nodiscard]] std::vector<Event> stalls(const Window& window) const;

  /// Ranks, or all of a host's, whose own time in an iteration, without waiting for others, rose
  /// against that of the others.
  [[nodiscard]] std::vector<Event> stragglers(const Window& window);

  /// Whether somebody straggles, so that times of ports say nothing about ports.
  [[nodiscard]] bool somebody_straggles() const;

 private:
  void take(const Window& window, const PhaseSample& sample);
  [[nodiscard]] Event told(const Window& window) const;

  const Places* places_;
  std::map<std::pair<std::size_t, int>, StepDetector> own_;  // of each phase and rank
  std::map<int, Step> suspects_;                             // ranks, in this window
  std::map<std::uint64_t, std::chrono::system_clock::time_point> starts_;
};

}  // namespace railgauge::soak
