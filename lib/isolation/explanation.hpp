#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "isolation/incidence.hpp"

namespace railgauge::isolation {

/// What a test tells against what it passes. Where nothing is bad, what comes later is rarer: each
/// weighs by how often it is seen there.
enum class Badness : std::uint8_t { good, slow, lossy, dead };

/// How often a test is wrong: bad though it passes nothing bad, good though it does.
struct Noise {
  double false_positive = 0.01;  ///< at least; more is found in the tests
  double false_negative = 0.1;
};

/// Odds that decide: 20 to 1.
inline constexpr double kDecisiveLogOdds = 2.995732273553991;

/// A component that, if it is bad, explains what tests saw. Odds are natural logarithms.
struct Explanation {
  std::size_t component = 0;     ///< its number in the Incidence
  double log_odds = 0;           ///< of the tests with it, over those without it, given the others
  double log_odds_to_rival = 0;  ///< over the best other in its place, or several others
  std::optional<std::size_t> rival{};
  std::size_t rival_parts = 1;       ///< of several, of which `rival` is the first: how many
  std::vector<std::size_t> alike{};  ///< others that the very same tests pass
};

/// A component whose tests fail more often than elsewhere, though nothing explains them all.
struct ElevatedFailureRate {
  std::size_t component = 0;
  std::size_t bad = 0;
  std::size_t tests = 0;
  double log_odds = 0;  ///< over the share of bad tests elsewhere
};

struct Explained {
  std::vector<Explanation> components{};  ///< most telling first
  std::vector<bool> covered{};            ///< tests that pass one of them
  std::optional<ElevatedFailureRate> rest{};
  double false_positive = 0;  ///< of the tests that pass none of them, but as Noise has it at least
  /// How many tests have to pass a component so that, if it is bad, it is found in 99 of 100 cases:
  /// with what is bad for nothing here.
  std::size_t tests_to_find = 0;
};

/// The components that, taken for bad, make the tests most likely: maximum likelihood, greedily,
/// each then held against every other in its place. A component is taken if it makes them so much
/// likelier that, out of all there are, it is decisive, and if it was bad in two rounds. `bad` and
/// `rounds` are by test. Pure. Costs a few passes over the tests' components.
[[nodiscard]] Explained explain(const Incidence& incidence, const std::vector<Badness>& bad,
                                const std::vector<int>& rounds, const Noise& noise);

/// The probability that at most `bad` of `tests` are bad, each with probability `p`.
[[nodiscard]] double at_most(std::size_t bad, std::size_t tests, double p);

/// Likewise, where tests have one symptom only.
[[nodiscard]] std::size_t tests_to_find(std::size_t components, const Noise& noise);

}  // namespace railgauge::isolation
