#include "isolation/verdict.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "isolation/known_paths.hpp"

namespace railgauge::isolation {
namespace {

constexpr std::size_t kExamples = 5;
/// Tests alone that it takes to confirm a suspect, or to withdraw it.
constexpr std::size_t kFewestAlone = 3;

/// Whether a fault on an unknown path may be that: any spine may be on it, and a link where it
/// begins or ends.
bool may_be(const Suspect& unknown, const Component& known) {
  const auto holds = [&](const Component& one) {
    if (known.kind == Kind::spine) return is_of_unknown_path(one);
    if (one.kind == Kind::core) return known.kind == Kind::link || known.kind == Kind::cable;
    const bool first = one.first == known.first;
    const bool second = one.first == known.second;
    if (known.kind == Kind::cable) return is_of_unknown_path(one) && (first || second);
    return known.kind == Kind::link &&
           ((one.kind == Kind::uplinks && first) || (one.kind == Kind::downlinks && second));
  };
  return holds(unknown.component) || std::ranges::any_of(unknown.alike, holds);
}

/// What is named explains tests of unknown paths that may have passed it, too.
void doubt_what_others_explain(std::vector<Suspect>& suspects) {
  for (Suspect& one : suspects) {
    const bool explained = std::ranges::any_of(suspects, [&](const Suspect& other) {
      return other.status == Status::named && may_be(one, other.component);
    });
    if (explained && one.status == Status::named) one.status = Status::doubtful;
  }
}

Badness badness_of(const Symptoms& symptoms) {
  if (symptoms.dead) return Badness::dead;
  if (symptoms.lossy) return Badness::lossy;
  return symptoms.any() ? Badness::slow : Badness::good;
}

std::vector<bool> silent(const std::vector<Symptoms>& symptoms) {
  std::vector<bool> all;
  all.reserve(symptoms.size());
  for (const Symptoms& one : symptoms) all.push_back(one.says_nothing());
  return all;
}

class Judge {
 public:
  Judge(const Evidence& evidence, std::vector<Symptoms> symptoms, const Noise& noise)
      : evidence_(evidence),
        symptoms_(std::move(symptoms)),
        incidence_(evidence, silent(symptoms_)),
        noise_(noise),
        bad_(evidence.tests.size()),
        rounds_(evidence.tests.size()) {
    std::vector<Badness> badness(bad_.size());
    for (std::size_t test = 0; test < bad_.size(); ++test) {
      bad_[test] = symptoms_[test].any();
      badness[test] = badness_of(symptoms_[test]);
      rounds_[test] = evidence.tests[test].round;
    }
    explained_ = explain(incidence_, badness, rounds_, noise);
  }

  [[nodiscard]] Verdict verdict(bool busy) const {
    Verdict verdict;
    verdict.busy = busy;
    verdict.starved = incidence_.silent_tests();
    verdict.tests = bad_.size() - verdict.starved;
    verdict.bad = static_cast<std::size_t>(std::ranges::count(bad_, true));
    verdict.false_positive = explained_.false_positive;
    verdict.untested = incidence_.untested();
    count_covered(verdict);
    for (std::uint32_t test = 0; test < bad_.size(); ++test) {
      const Observation& one = evidence_.tests[test];
      const bool found = symptoms_[test].dead && explained_.covered[test];
      if (passes_unknown(test) && !one.sprayed && !one.earlier && !found) ++verdict.unknown_paths;
    }
    for (const Explanation& one : explained_.components) verdict.suspects.push_back(suspect(one));
    if (explained_.rest) verdict.suspects.push_back(suspect(*explained_.rest));
    doubt_what_others_explain(verdict.suspects);
    std::ranges::stable_sort(verdict.suspects, {}, &Suspect::status);
    count_unexplained(verdict);
    verdict.state = state_of(verdict);
    verdict.symptoms = symptoms_;
    return verdict;
  }

  /// Whether so many tests are slow, perhaps for want of a CPU, that no place tells why.
  [[nodiscard]] bool is_of_busy_hosts() const {
    constexpr std::size_t kQuarter = 4;
    const std::size_t tests = bad_.size() - incidence_.silent_tests();
    const std::vector<bool> named = passes_named();
    std::size_t all = 0;
    std::size_t nowhere = 0;
    for (std::size_t test = 0; test < bad_.size(); ++test) {
      if (!symptoms_[test].perhaps_starved) continue;
      ++all;
      nowhere += named[test] ? 0 : 1;
    }
    return kQuarter * nowhere > tests || 2 * all > tests;
  }

 private:
  void count_covered(Verdict& verdict) const {
    verdict.components = verdict.untested;
    for (std::size_t one = 0; one < incidence_.components(); ++one) {
      if (only_earlier_tests_do_not_know(one)) continue;
      ++verdict.components;
      verdict.covered += tests_that_cover(one) >= explained_.tests_to_find || is_dead(one) ? 1 : 0;
    }
  }

  [[nodiscard]] bool only_earlier_tests_do_not_know(std::size_t component) const {
    return is_of_unknown_path(incidence_.component(component)) &&
           std::ranges::all_of(incidence_.through(component),
                               [&](std::uint32_t test) { return evidence_.tests[test].earlier; });
  }

  /// Nothing that passes it comes through: more tests would tell no more.
  [[nodiscard]] bool is_dead(std::size_t component) const {
    return !incidence_.passed_by_silent(incidence_.component(component)) &&
           std::ranges::all_of(incidence_.through(component),
                               [&](std::uint32_t test) { return symptoms_[test].dead; });
  }

  /// By test: whether it passes what is named, and is known where.
  [[nodiscard]] std::vector<bool> passes_named() const {
    std::vector<bool> passes(bad_.size());
    for (const Explanation& one : explained_.components) {
      const Suspect found = suspect(one);
      if (found.status != Status::named || is_of_unknown_path(found.component)) continue;
      for (const std::uint32_t test : incidence_.through(one.component)) passes[test] = true;
    }
    return passes;
  }

  void count_unexplained(Verdict& verdict) const {
    std::vector<bool> explained(bad_.size());
    for (const Explanation& one : explained_.components) {
      if (suspect(one).status == Status::withdrawn) continue;
      for (const std::uint32_t test : incidence_.through(one.component)) explained[test] = true;
    }
    for (std::size_t test = 0; test < bad_.size(); ++test) {
      if (explained[test]) continue;
      verdict.unexplained_failures += symptoms_[test].dead ? 1 : 0;
      verdict.unexplained += bad_[test] ? 1 : 0;
    }
  }

  /// What lies on an unknown path is not covered: only some of the tests pass it, and it is not
  /// known how few. Sprayed ones pass all of it.
  [[nodiscard]] std::size_t tests_that_cover(std::size_t component) const {
    const auto through = incidence_.through(component);
    if (!is_of_unknown_path(incidence_.component(component))) return through.size();
    return static_cast<std::size_t>(std::ranges::count_if(
        through, [&](std::uint32_t test) { return evidence_.tests[test].sprayed; }));
  }

  [[nodiscard]] Suspect suspect(const Explanation& explanation) const {
    Suspect suspect;
    suspect.component = incidence_.component(explanation.component);
    for (const std::size_t one : explanation.alike)
      suspect.alike.push_back(incidence_.component(one));
    if (explanation.rival) suspect.rival = incidence_.component(*explanation.rival);
    suspect.rival_parts = explanation.rival_parts;
    suspect.log_odds = explanation.log_odds;
    suspect.log_odds_to_rival = explanation.log_odds_to_rival;
    for (const std::uint32_t test : incidence_.through(explanation.component)) {
      if (!explained_by_another(test, explanation.component)) add(test, suspect);
    }
    tidy(suspect);
    suspect.status = status_of(suspect);
    if (suspect.status == Status::named && !is_of_unknown_path(suspect.component) &&
        may_be_on_unknown_path(suspect, explanation.component)) {
      suspect.status = Status::doubtful;
    }
    return suspect;
  }

  /// Part of what passes it is bad: it, or something behind it that is not told from its like.
  [[nodiscard]] Suspect suspect(const ElevatedFailureRate& rest) const {
    Suspect suspect;
    suspect.component = incidence_.component(rest.component);
    suspect.log_odds = rest.log_odds;
    for (std::size_t one = 0; one < incidence_.components(); ++one) {
      if (one != rest.component && incidence_.alike(one, rest.component))
        suspect.alike.push_back(incidence_.component(one));
    }
    for (const std::uint32_t test : incidence_.through(rest.component)) {
      if (!explained_.covered[test]) add(test, suspect);
    }
    suspect.of_part = true;
    if (is_gone_alone(suspect) || is_noise_beside_others(suspect))
      suspect.status = Status::withdrawn;
    return suspect;
  }

  [[nodiscard]] bool explained_by_another(std::uint32_t test, std::size_t component) const {
    const auto passed = incidence_.passed_by(test);
    return std::ranges::any_of(explained_.components, [&](const Explanation& other) {
      return other.component != component &&
             std::ranges::binary_search(passed, static_cast<std::uint32_t>(other.component));
    });
  }

  void add(std::size_t test, Suspect& suspect) const {
    const bool bad = bad_[test];
    const bool alone = evidence_.tests[test].alone && !evidence_.tests[test].earlier;
    const Symptoms& symptoms = symptoms_[test];
    ++suspect.tests;
    suspect.bad += bad ? 1 : 0;
    suspect.tests_alone += alone ? 1 : 0;
    suspect.bad_alone += alone && bad ? 1 : 0;
    suspect.symptoms.dead += symptoms.dead ? 1 : 0;
    suspect.symptoms.slow += symptoms.slow ? 1 : 0;
    suspect.symptoms.lossy += symptoms.lossy ? 1 : 0;
    suspect.symptoms.late += symptoms.late ? 1 : 0;
    auto& examples = bad ? suspect.speak_for : suspect.speak_against;
    if (examples.size() < kExamples) examples.push_back(test);
  }

  /// Where paths are not known, something between NICs that some of these tests pass may have made
  /// them bad: then all have to be bad, but for those in which a bad component may seem good.
  [[nodiscard]] bool may_be_on_unknown_path(const Suspect& suspect, std::size_t component) const {
    if (std::ranges::any_of(suspect.alike, is_of_unknown_path)) return !is_cut_off(suspect);
    const auto through = incidence_.through(component);
    const auto unknown =
        std::ranges::count_if(through, [&](std::uint32_t test) { return passes_unknown(test); });
    if (2 * static_cast<std::size_t>(unknown) < through.size()) return false;
    constexpr double kPlausible = 0.01;
    return at_most(suspect.bad, suspect.tests, 1 - noise_.false_negative) < kPlausible;
  }

  /// An end of which no test works, with two others at least: its paths are unknown because it does
  /// not answer.
  [[nodiscard]] bool is_cut_off(const Suspect& suspect) const {
    constexpr std::array kEnds{Kind::nic_transmit, Kind::nic_receive, Kind::nic, Kind::host};
    const bool is_end = std::ranges::count(kEnds, suspect.component.kind) > 0;
    if (!is_end || suspect.symptoms.dead < suspect.tests ||
        incidence_.passed_by_silent(suspect.component))
      return false;
    const auto nic = static_cast<std::size_t>(suspect.component.first);
    std::set<std::size_t> others;
    for (std::size_t test = 0; test < bad_.size(); ++test) {
      if (symptoms_[test].says_nothing()) continue;
      const Observation& one = evidence_.tests[test];
      if (one.from == nic) others.insert(one.to);
      if (one.to == nic) others.insert(one.from);
    }
    return others.size() >= 2;
  }

  /// Leaves out what is no other place than the suspect, or cannot be it.
  void tidy(Suspect& suspect) const {
    const bool cut_off = is_cut_off(suspect);
    if (cut_off) std::erase_if(suspect.alike, is_of_unknown_path);
    if (has_one_direction(suspect)) {
      std::erase_if(suspect.alike, is_of_both_directions);
    } else if (cut_off) {
      name_nic_first(suspect);
    }
  }

  static bool is_direction(const Component& one) {
    return one.kind == Kind::nic_transmit || one.kind == Kind::nic_receive;
  }
  static bool is_of_both_directions(const Component& one) {
    return one.kind == Kind::nic || one.kind == Kind::host;
  }

  /// Whether it is one of a NIC, whose other one carried packets while tests of this one failed.
  [[nodiscard]] bool has_one_direction(const Suspect& suspect) const {
    const auto nic = static_cast<std::size_t>(suspect.component.first);
    return is_direction(suspect.component) &&
           std::ranges::any_of(suspect.speak_for, [&](std::size_t test) {
             const Observation& one = evidence_.tests[test];
             return one.outcome.arrives && (one.from == nic || one.to == nic);
           });
  }

  /// Rather than its directions, if no test tells them apart.
  static void name_nic_first(Suspect& suspect) {
    const auto nic = std::ranges::find(suspect.alike, Kind::nic, &Component::kind);
    if (nic == suspect.alike.end()) return;
    std::swap(suspect.component, *nic);
    std::erase_if(suspect.alike, [&](const Component& one) {
      return is_direction(one) && one.first == suspect.component.first;
    });
  }

  [[nodiscard]] bool passes_unknown(std::uint32_t test) const {
    return std::ranges::any_of(incidence_.passed_by(test), [&](std::uint32_t one) {
      return incidence_.component(one).kind == Kind::core;
    });
  }

  [[nodiscard]] static bool was_good_alone(const Suspect& suspect) {
    return suspect.tests_alone >= kFewestAlone && 2 * suspect.bad_alone < suspect.tests_alone;
  }

  /// Of a part, which tests alone may miss by chance: it would be, once in twenty or less often.
  [[nodiscard]] static bool is_gone_alone(const Suspect& suspect) {
    constexpr double kPlausible = 0.05;
    const auto bad = static_cast<double>(suspect.bad - suspect.bad_alone);
    const auto tests = static_cast<double>(suspect.tests - suspect.tests_alone);
    return was_good_alone(suspect) &&
           at_most(suspect.bad_alone, suspect.tests_alone, bad / tests) < kPlausible;
  }

  /// A component that is named delays others' tests at the same time, at hosts that retransmit:
  /// what is only slow at times, and alone no more often than noise is, is that.
  [[nodiscard]] bool is_noise_beside_others(const Suspect& suspect) const {
    constexpr double kPlausible = 0.05;
    const bool only_slow = suspect.symptoms.dead == 0 && suspect.symptoms.lossy == 0;
    if (!only_slow || !was_good_alone(suspect) || !names_any()) return false;
    return suspect.bad_alone == 0 || at_most(suspect.bad_alone - 1, suspect.tests_alone,
                                             noise_.false_positive) < 1 - kPlausible;
  }

  [[nodiscard]] bool names_any() const {
    return std::ranges::any_of(explained_.components, [&](const Explanation& one) {
      return suspect(one).status == Status::named;
    });
  }

  [[nodiscard]] static Status status_of(const Suspect& suspect) {
    if (was_good_alone(suspect)) return Status::withdrawn;
    return suspect.log_odds_to_rival >= kDecisiveLogOdds ? Status::named : Status::doubtful;
  }

  [[nodiscard]] static State state_of(const Verdict& verdict) {
    const auto any = [&](auto is_it) { return std::ranges::any_of(verdict.suspects, is_it); };
    if (any([](const Suspect& one) {
          return one.status == Status::named && !is_of_unknown_path(one.component);
        })) {
      return State::found;
    }
    if (any([](const Suspect& one) { return is_of_unknown_path(one.component); }))
      return State::path_unknown;
    if (any([](const Suspect& one) { return one.status != Status::withdrawn; }))
      return State::suspected;
    const bool explained = verdict.unexplained_failures == 0 && !verdict.too_many_unexplained();
    return all_covered(verdict) && explained ? State::healthy : State::undecided;
  }

  const Evidence& evidence_;
  std::vector<Symptoms> symptoms_;
  Incidence incidence_;
  Noise noise_;
  std::vector<bool> bad_;
  std::vector<int> rounds_;
  Explained explained_;
};

}  // namespace

bool all_covered(const Verdict& verdict) {
  constexpr double kEnough = 0.99;
  constexpr std::size_t kPercent = 100;
  return !verdict.busy && verdict.untested == 0 && verdict.coverage() >= kEnough &&
         kPercent * verdict.unknown_paths <= verdict.tests;
}

bool is_confirmed(const Suspect& suspect) {
  return suspect.status == Status::named && suspect.tests_alone >= kFewestAlone &&
         2 * suspect.bad_alone >= suspect.tests_alone;
}

bool is_open(const Suspect& suspect) {
  const std::size_t most_alone = suspect.of_part ? 18 : 9;
  constexpr std::size_t kMoreBad = 3;
  constexpr std::size_t kMoreGood = 4;
  const std::size_t good = suspect.tests_alone - suspect.bad_alone;
  if (suspect.tests_alone >= most_alone || suspect.bad_alone >= good + kMoreBad) return false;
  return suspect.of_part ? suspect.status != Status::withdrawn
                         : good < suspect.bad_alone + kMoreGood;
}

Verdict judge(const Evidence& evidence, const Limits& limits, const Noise& noise) {
  const Evidence known = with_known_paths(evidence);
  std::vector<Symptoms> symptoms = symptoms_of(known, limits);
  const Judge judge(known, symptoms, noise);
  if (!judge.is_of_busy_hosts()) return judge.verdict(false);
  for (Symptoms& one : symptoms) one.excuse();
  return Judge(known, std::move(symptoms), noise).verdict(true);
}

}  // namespace railgauge::isolation
