#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
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

  /// Processes that stood still: in this window an iteration, or the time beyond the window's end,
  /// was far longer than any before, and these were held up for about as long, unlike before, or
  /// wanted no processor while others waited for them, or neither ran nor slept nor waited for one.
  /// Not told if most ranks were, as when a machine is suspended that has all of them, nor if it is
  /// `disturbed`: ports counted what explains a long iteration. From such a window nothing is
  /// learnt either.
  [[nodiscard]] std::vector<Event> stalls(const Window& window, bool disturbed);

  /// Ranks, or all of a host's, whose own time in an iteration, without waiting for others, rose
  /// against that of the others.
  [[nodiscard]] std::vector<Event> stragglers(const Window& window);

  /// Whether somebody straggles, so that times of ports say nothing about ports.
  [[nodiscard]] bool somebody_straggles() const;

 private:
  void take(const Window& window, const PhaseSample& sample);
  [[nodiscard]] Event told(const Window& window) const;
  [[nodiscard]] std::optional<Event> stall(const Window& window, double longest_us) const;
  [[nodiscard]] double absent_us(const results::RankLoad& load, double longest_us) const;

  const Places* places_;
  std::map<std::pair<std::size_t, int>, StepDetector> own_;  // of each phase and rank
  std::map<int, Step> suspects_;                             // ranks, in this window
  std::map<std::uint64_t, std::chrono::system_clock::time_point> starts_;
  std::deque<double> longest_us_;                  // wait of each of the last windows
  std::map<int, std::deque<double>> held_up_us_;   // [rank], likewise
  std::map<int, std::deque<double>> unaccounted_;  // [rank], share of its time, likewise
};

}  // namespace railgauge::soak
