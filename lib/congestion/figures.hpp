#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "congestion/observation.hpp"

namespace railgauge::congestion {

/// What figures are called.
inline constexpr const char* kSlowestFlow = "slowest flow over its fair share";
inline constexpr const char* kMostOverMean = "flows on links, most over mean (MMR)";
inline constexpr const char* kLinksJain = "flows on links, Jain index";
inline constexpr const char* kProbeTime = "median message time of the probe";
inline constexpr const char* kOversubscription = "oversubscription";
inline constexpr const char* kLargestBurst = "largest burst of each sender without a drop";
inline constexpr const char* kFairAfter = "time until fair shares";
inline constexpr const char* kRecovery = "time to recover";
inline constexpr const char* kAffected = "flows affected";

/// A value of a step.
struct Figure {
  std::string metric{};  ///< one of these
  std::string unit{};
  double value = 0;
  std::optional<double> expected{};
  std::string expected_from{};  ///< "paths, as switches told them"; or what the value comes from
};

/// Of the last of these steps, in view of those before it; none if it is void.
[[nodiscard]] std::vector<Figure> figures_of(std::span<const Step> steps);

// Its parts.

/// The slowest flow, measured and predicted, and how evenly links are loaded.
[[nodiscard]] std::vector<Figure> figures_of_paths(const Step& step);

/// The probe's median time, next to what it was alone.
[[nodiscard]] std::vector<Figure> figures_of_classes(std::span<const Step> steps);
/// What hosts could send over what arrives.
[[nodiscard]] std::vector<Figure> figures_of_oversubscription(const Step& step);
/// The largest burst so far, of those up to the first that was dropped.
[[nodiscard]] std::vector<Figure> figures_of_bursts(std::span<const Step> steps);
/// How long it took until shares were fair.
[[nodiscard]] std::vector<Figure> figures_of_convergence(const Step& step);
/// How long traffic was less, and how many flows had less.
[[nodiscard]] std::vector<Figure> figures_of_failure(const Step& step);

/// The flow that has the least of what it could have, and how much that is.
struct Slowest {
  const Flow* flow = nullptr;
  double share = 0;  ///< of what it could have,
  double could = 0;  ///< in parts of the line rate
};
/// `could`: of each flow, in parts of the line rate. Null if there is no flow.
[[nodiscard]] Slowest slowest(const Step& step, std::span<const double> could);

}  // namespace railgauge::congestion
