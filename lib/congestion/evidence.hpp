#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "congestion/observation.hpp"
#include "finding/finding.hpp"

// What the findings of this folder are made of: places, counts of all steps, and who counted.

namespace railgauge::congestion {

using Steps = std::span<const Step* const>;

inline constexpr const char* kCheck = "congestion";

/// An error of this check.
[[nodiscard]] finding::Finding found(finding::Cause cause, finding::Location where,
                                     std::string detail, std::string remedy);
[[nodiscard]] finding::Location port(const finding::Endpoint& end, finding::Direction direction);
/// `from`: where the expected value comes from.
[[nodiscard]] finding::Evidence observed_by(Observer observer, std::string metric, std::string unit,
                                            std::optional<double> observed,
                                            std::optional<double> expected = std::nullopt,
                                            std::string from = "");
/// "1 packet"; "3 packets".
[[nodiscard]] std::string frames(std::int64_t count, std::string_view what);
/// What all steps counted at a port; empty: no step has it, or it does not count.
[[nodiscard]] std::optional<std::int64_t> total(Steps steps, const finding::Endpoint& end,
                                                Signal signal);
/// Each sender, or each receiver, once.
[[nodiscard]] std::set<finding::Endpoint> ends(Steps steps, finding::Endpoint Flow::*end);
/// The receiver of the incast.
[[nodiscard]] finding::Location receiver_of(Steps steps);
/// Switches, if all were asked.
[[nodiscard]] Observer observer_of(Steps steps);
/// Makes it a doubt if a process of the flows did not always have a CPU.
void excuse(finding::Finding& finding, Steps steps);

}  // namespace railgauge::congestion
