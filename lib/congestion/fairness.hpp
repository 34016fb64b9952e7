#pragma once

#include <optional>
#include <span>
#include <vector>

#include "congestion/observation.hpp"

namespace railgauge::congestion {

/// (sum of x)^2 / (n * sum of x^2); empty if there are no values, or all are 0.
[[nodiscard]] std::optional<double> jain_index(std::span<const double> values);

/// The flows that share the receiver, without the victim, in their order.
[[nodiscard]] std::vector<const Flow*> rivals(const Step& step);
/// Their GB/s.
[[nodiscard]] std::vector<double> shares(const Step& step);
/// Jain's index of the rivals; empty if there are fewer than two, or nothing arrived.
[[nodiscard]] std::optional<double> fairness(const Step& step);

}  // namespace railgauge::congestion
