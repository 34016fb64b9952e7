#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isolation/component.hpp"
#include "isolation/evidence.hpp"
#include "isolation/explanation.hpp"
#include "isolation/symptoms.hpp"

namespace railgauge::isolation {

/// What can be said of a fabric.
enum class State : std::uint8_t {
  undecided,  ///< nothing stands out, but tests failed, or not everything was tested often enough
  healthy,    ///< nothing stands out, where anything bad would have
  suspected,  ///< something is wrong; it cannot be named yet
  path_unknown,  ///< something is wrong on the way; which way tests took is not known
  found,         ///< something is named
};

/// How well a component is known to be bad.
enum class Certainty : std::uint8_t {
  named,      ///< likelier than any other by 20 to 1 at least
  suspect,    ///< it may be another, or only a part of its tests are bad
  withdrawn,  ///< it was not bad when it was tested alone, too often for chance
};

/// How many tests were bad in which way; some in several.
struct SymptomCounts {
  std::size_t dead = 0, slow = 0, lossy = 0, late = 0;
};

struct Finding {
  Component component{};
  Certainty certainty = Certainty::suspect;
  bool of_part = false;              ///< what is bad is a part of what passes it: a Concentration
  std::vector<Component> alike{};    ///< others that no test tells from it
  std::optional<Component> rival{};  ///< the next in likelihood
  double log_odds = 0;               ///< natural logarithm; against that nothing is bad here
  double log_odds_to_rival = 0;
  std::size_t bad = 0;                         ///< tests through it that no other finding explains
  std::size_t tests = 0;                       ///< of so many
  std::size_t bad_alone = 0, tests_alone = 0;  ///< of them, those of this run that ran alone
  SymptomCounts symptoms{};
  /// Tests that speak for it, and those through it that were good: indices, a few of them.
  std::vector<std::size_t> speak_for{}, speak_against{};
};

struct Verdict {
  State state = State::undecided;
  std::vector<Finding> findings{};  ///< named ones first, then the most likely
  std::size_t bad = 0;
  std::size_t tests = 0;      ///< that say something
  std::size_t starved = 0;    ///< besides, that say nothing: Symptoms
  std::size_t untested = 0;   ///< components that only these pass
  double false_positive = 0;  ///< share of bad tests where nothing is bad, at least that assumed
  double coverage = 0;        ///< share of components tested often enough to be found if bad
  /// Tests that failed, and that nothing explains but what was good when it was tested alone. One
  /// failure is never noise: as long as there are any, nothing is said to be healthy.
  std::size_t unexplained_failures = 0;
  /// Tests that passed what is not known, and so not covered; without those of earlier runs.
  std::size_t unknown_paths = 0;
};

/// Whether everything was tested often enough to be found if it is bad: 99 % of the components, by
/// tests whose paths are known, but for 1 % of these; and each by one that says something.
[[nodiscard]] bool all_covered(const Verdict& verdict);

/// What the tests say. Pure; half a million tests in a second or two. Throws as symptoms_of().
[[nodiscard]] Verdict judge(const Evidence& evidence, const Limits& limits = {},
                            const Noise& noise = {});

/// Whether it is named, and was bad when it was tested alone, too, which takes three tests.
[[nodiscard]] bool is_confirmed(const Finding& finding);

/// Whether tests of it alone do not yet tell if it is bad. It is where three more were bad than
/// good: then of what makes three of four tests bad, one in a hundred is taken for good; of a part,
/// until it is withdrawn. Nine tests are the most, and eighteen of a part.
[[nodiscard]] bool is_open(const Finding& finding);

/// A sentence for each finding, with odds and advice; one for the whole; and if tests say nothing
/// one for these. Never empty.
[[nodiscard]] std::vector<std::string> in_words(const Verdict& verdict, const Evidence& evidence);

}  // namespace railgauge::isolation
