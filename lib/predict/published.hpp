#pragma once

#include <optional>
#include <string>
#include <vector>

namespace railgauge::predict {

/// A figure that others published, or a closed form, and what the model here says.
struct PublishedPoint {
  std::string what{};
  std::string source{};
  std::string unit{};
  double published = 0;
  std::optional<double> ours{};
  double tolerance = 0.15;  ///< relative; a fabric's own band
  bool at_least = false;    ///< the published figure is a lower limit
  std::string why_none{};   ///< why the model has none

  [[nodiscard]] bool met() const;
};

/// Worked out when asked: a second or so.
[[nodiscard]] std::vector<PublishedPoint> published_points();

/// A table; rows that miss, and rows that are not predicted, say so.
[[nodiscard]] std::string as_text(const std::vector<PublishedPoint>& points);

}  // namespace railgauge::predict
