#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace railgauge::runner {

/// What is loaded.
enum class Scenario : std::uint8_t { incast, victim };
/// "incast", "victim".
[[nodiscard]] std::string_view word(Scenario scenario);

/// More than any number of senders.
inline constexpr double kMostLoad = 64;

/// A flow of a step, by the places of its NICs.
struct PlannedFlow {
  std::size_t from = 0;
  std::size_t to = 0;
  /// In parts of the line rate; 0: as fast as it can.
  double load = 0;
  bool victim = false;

  friend bool operator==(const PlannedFlow&, const PlannedFlow&) = default;
};

/// Some flows at the same time. A scenario is a list of these.
struct PlannedStep {
  Scenario scenario = Scenario::incast;
  std::string name{};
  double load = 0;  // on the receiver
  std::vector<PlannedFlow> flows{};
};

/// One sender at half of the line rate, which makes no queue; then all of them at each of the
/// loads, the lower first.
[[nodiscard]] std::vector<PlannedStep> incast(std::span<const std::size_t> senders,
                                              std::size_t receiver, std::vector<double> loads);

/// A flow from the last sender to the first, alone, and next to an incast of all the others. Empty
/// if there are fewer than three senders.
[[nodiscard]] std::vector<PlannedStep> victim(std::span<const std::size_t> senders,
                                              std::size_t receiver);

}  // namespace railgauge::runner
