#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace railgauge::congestion {

/// What is loaded. scenarios() has a row for each.
enum class Scenario : std::uint8_t {
  incast,
  victim,
  permutation,
  shift,
  bisection,
  alltoall,
  classes,
  oversubscription,
  burst,
  convergence,
  failure,
};

/// More than any number of senders.
inline constexpr double kMostLoad = 64;

/// A flow of a step, by the places of its NICs.
struct PlannedFlow {
  std::size_t from = 0;
  std::size_t to = 0;
  /// In parts of the line rate; 0: as fast as it can.
  double load = 0;
  bool victim = false;
  bool other_class = false;    ///< it has the other traffic class
  double begin = 0;            ///< it begins after this part of the step's time
  std::uint64_t messages = 0;  ///< in all; 0: for the step's time
  std::uint64_t burst = 0;     ///< so many of these at once, and then at the load; 0: one by one

  friend bool operator==(const PlannedFlow&, const PlannedFlow&) = default;
};

/// Some flows at the same time. A scenario is a list of these.
struct PlannedStep {
  Scenario scenario = Scenario::incast;
  std::string name{};
  double load = 0;  ///< on a receiver
  std::vector<PlannedFlow> flows{};
  int queue_pairs = 1;
  /// Source ports are chosen so that flows share as few links as can be; else they are what
  /// everybody has, and the fabric's hash decides.
  bool spread = false;
};

/// What scenarios are planned for.
struct Ground {
  std::vector<std::size_t> nics{};  ///< one of each rank
  std::size_t receiver = 0;         ///< one of them
  std::vector<double> loads{};      ///< of an incast, in parts of the receiver's line rate
  std::vector<int> queue_pairs{1};
  std::uint64_t most_burst = 1;  ///< messages of each sender at once
  double step_messages = 0;      ///< of each sender, that the receiver's link carries in a step
};

/// All that is known of a scenario, but how it is judged (findings.hpp).
struct ScenarioFacts {
  std::string_view word;
  std::string_view about;  ///< for --help
  std::size_t least_ranks;
  /// Of as few ranks as that, too; else whatever there is, or nothing.
  std::vector<PlannedStep> (*steps)(const Ground& ground);
};

/// In the order of Scenario.
[[nodiscard]] std::span<const ScenarioFacts> scenarios();
[[nodiscard]] const ScenarioFacts& facts_of(Scenario scenario);
/// "incast".
[[nodiscard]] std::string_view word(Scenario scenario);

/// Whether a receiver is overloaded so that switches have to mark, pause or drop.
[[nodiscard]] constexpr bool overloads(Scenario scenario) {
  return scenario == Scenario::incast || scenario == Scenario::victim;
}
/// Whether flows that share no NIC are loaded, each as fast as it can: what they share are links of
/// the fabric.
[[nodiscard]] constexpr bool fills_paths(Scenario scenario) {
  return scenario >= Scenario::permutation && scenario <= Scenario::alltoall;
}
/// Whether the paths of its flows say something: then they are asked for, and chosen.
[[nodiscard]] constexpr bool takes_paths(Scenario scenario) {
  return fills_paths(scenario) || scenario == Scenario::oversubscription ||
         scenario == Scenario::failure;
}

}  // namespace railgauge::congestion
