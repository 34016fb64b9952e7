#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isolation/component.hpp"
#include "isolation/evidence.hpp"
#include "isolation/explanation.hpp"
#include "isolation/symptoms.hpp"

namespace railgauge::isolation {

/// What can be said of a fabric.
enum class State : std::uint8_t {
  undecided,     ///< no suspect, but tests failed, or coverage is too low
  healthy,       ///< no suspect, and coverage is high enough to find any
  suspected,     ///< something is bad; it cannot be named yet
  path_unknown,  ///< something between NICs is bad; the paths of tests are unknown
  found,         ///< something is named
};

/// How well a component is known to be bad.
enum class Status : std::uint8_t {
  named,      ///< likelier than any other by 20 to 1 at least
  doubtful,   ///< it may be another, or only a part of its tests are bad
  withdrawn,  ///< it was good when it was tested alone, too often for chance
};

/// How many tests had which symptom; some have several.
struct SymptomCounts {
  std::size_t dead = 0, slow = 0, lossy = 0, late = 0;
};

/// A component that tests speak against.
struct Suspect {
  Component component{};
  Status status = Status::doubtful;
  bool of_part = false;              ///< only a part of its tests are bad: an ElevatedFailureRate
  std::vector<Component> alike{};    ///< others that no test tells from it
  std::optional<Component> rival{};  ///< the next in likelihood
  std::size_t rival_parts = 1;       ///< of several at once, of which it is the first: how many
  double log_odds = 0;               ///< natural logarithm; against that nothing is bad here
  double log_odds_to_rival = 0;
  std::size_t bad = 0;                         ///< tests through it that no other suspect explains
  std::size_t tests = 0;                       ///< of so many
  std::size_t bad_alone = 0, tests_alone = 0;  ///< of them, those of this run that ran alone
  SymptomCounts symptoms{};
  /// Tests that speak for it, and those through it that were good: indices, a few of them.
  std::vector<std::size_t> speak_for{}, speak_against{};
};

struct Verdict {
  State state = State::undecided;
  std::vector<Suspect> suspects{};  ///< named ones first, then the most likely
  std::size_t bad = 0;
  std::size_t tests = 0;      ///< that say something
  std::size_t starved = 0;    ///< further ones, that say nothing: Symptoms
  std::size_t untested = 0;   ///< components that only these pass
  double false_positive = 0;  ///< share of bad tests where nothing is bad, at least that assumed
  std::size_t components = 0;
  std::size_t covered = 0;  ///< of them: tested often enough to be found if bad
  /// Tests that failed, and that nothing explains but what was good when it was tested alone. One
  /// failure is never noise: as long as there are any, the fabric is not healthy.
  std::size_t unexplained_failures = 0;
  std::size_t unexplained = 0;       ///< bad tests of any kind that nothing explains
  std::vector<Symptoms> symptoms{};  ///< of each test, as they were judged
  bool busy = false;                 ///< hosts were: see judge()
  /// Tests whose path is not known, and so covers nothing between NICs; without those of earlier
  /// runs.
  std::size_t unknown_paths = 0;

  /// Whether more than a quarter of the tests are bad and nothing explains them: that is no noise
  /// next to which a fabric could be called healthy.
  [[nodiscard]] bool too_many_unexplained() const {
    constexpr std::size_t kQuarter = 4;
    return kQuarter * unexplained > tests;
  }
  /// The share of components that are covered.
  [[nodiscard]] double coverage() const {
    return components == 0 ? 0 : static_cast<double>(covered) / static_cast<double>(components);
  }
};

/// Whether everything was tested often enough to be found if it is bad: 99 % of the components, by
/// tests whose paths are known, but for 1 % of these; and each by one that says something.
[[nodiscard]] bool all_covered(const Verdict& verdict);

/// What the tests say; findings.hpp turns it into findings. Where more than a quarter of the tests
/// are slow, perhaps for want of a CPU, and in no named place, or more than half wherever they are,
/// the hosts are busy: none of these says anything, and nothing is covered. Pure; half a million
/// tests in a second or two. Throws as symptoms_of().
[[nodiscard]] Verdict judge(const Evidence& evidence, const Limits& limits = {},
                            const Noise& noise = {});

/// Whether it is named, and was bad when it was tested alone, too, which takes three tests.
[[nodiscard]] bool is_confirmed(const Suspect& suspect);

/// Whether tests of it alone do not yet tell if it is bad. It is where three more were bad than
/// good: then of what makes three of four tests bad, one in a hundred is taken for good; of a part,
/// until it is withdrawn. Nine tests are the most, and eighteen of a part.
[[nodiscard]] bool is_open(const Suspect& suspect);

}  // namespace railgauge::isolation
