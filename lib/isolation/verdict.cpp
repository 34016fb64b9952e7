#include "isolation/verdict.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

namespace railgauge::isolation {
namespace {

constexpr std::size_t kExamples = 5;
/// Tests of its own that a suspect has to fail, or pass, to be told.
constexpr std::size_t kFewestAlone = 3;

/// Whether what is bad somewhere on ways that are not known may be that: any spine may be on them,
/// and a link where they begin or end.
bool may_be(const Finding& unknown, const Component& known) {
  const auto holds = [&](const Component& one) {
    if (known.kind == Kind::spine) return is_of_unknown_path(one);
    return known.kind == Kind::link &&
           (one.kind == Kind::core || (one.kind == Kind::uplinks && one.first == known.first) ||
            (one.kind == Kind::downlinks && one.first == known.second));
  };
  return holds(unknown.component) || std::ranges::any_of(unknown.alike, holds);
}

/// What is named explains tests whose way is not known, and that may have passed it, too.
void doubt_what_others_explain(std::vector<Finding>& findings) {
  for (Finding& one : findings) {
    const bool explained = std::ranges::any_of(findings, [&](const Finding& other) {
      return other.certainty == Certainty::named && may_be(one, other.component);
    });
    if (explained && one.certainty == Certainty::named) one.certainty = Certainty::suspect;
  }
}

Badness badness_of(const Symptoms& symptoms) {
  if (symptoms.dead) return Badness::dead;
  if (symptoms.lossy) return Badness::lossy;
  return symptoms.any() ? Badness::slow : Badness::good;
}

class Judge {
 public:
  /// If these are not all tests: `alive` are the components that the others pass, and `untested` is
  /// how many of them none of these does.
  Judge(const Evidence& evidence, const std::vector<Symptoms>& symptoms, const Noise& noise,
        std::size_t untested = 0, std::vector<Component> alive = {})
      : evidence_(evidence),
        symptoms_(symptoms),
        incidence_(evidence),
        noise_(noise),
        untested_(untested),
        alive_(std::move(alive)),
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

  [[nodiscard]] Verdict verdict() const {
    Verdict verdict;
    verdict.tests = bad_.size();
    verdict.bad = static_cast<std::size_t>(std::ranges::count(bad_, true));
    verdict.false_positive = explained_.false_positive;
    verdict.coverage = coverage();
    verdict.untested = untested_;
    for (std::uint32_t test = 0; test < bad_.size(); ++test) {
      const Observation& one = evidence_.tests[test];
      const bool found = symptoms_[test].dead && explained_.covered[test];
      if (passes_unknown(test) && !one.sprayed && !one.earlier && !found) ++verdict.unknown_paths;
    }
    for (const Explanation& one : explained_.components) verdict.findings.push_back(finding(one));
    if (explained_.rest) verdict.findings.push_back(finding(*explained_.rest));
    doubt_what_others_explain(verdict.findings);
    std::ranges::stable_sort(verdict.findings, {}, &Finding::certainty);
    verdict.unexplained_failures = unexplained_failures();
    verdict.state = state_of(verdict);
    return verdict;
  }

 private:
  [[nodiscard]] double coverage() const {
    std::size_t covered = 0;
    std::size_t all = untested_;
    for (std::size_t one = 0; one < incidence_.components(); ++one) {
      if (only_earlier_tests_do_not_know(one)) continue;
      ++all;
      covered += tests_that_cover(one) >= explained_.tests_to_find || is_dead(one) ? 1 : 0;
    }
    return all == 0 ? 0 : static_cast<double>(covered) / static_cast<double>(all);
  }

  [[nodiscard]] bool only_earlier_tests_do_not_know(std::size_t component) const {
    return is_of_unknown_path(incidence_.component(component)) &&
           std::ranges::all_of(incidence_.through(component),
                               [&](std::uint32_t test) { return evidence_.tests[test].earlier; });
  }

  /// Nothing that passes it comes through: more tests would tell no more.
  [[nodiscard]] bool is_dead(std::size_t component) const {
    return !is_alive(incidence_.component(component)) &&
           std::ranges::all_of(incidence_.through(component),
                               [&](std::uint32_t test) { return symptoms_[test].dead; });
  }

  [[nodiscard]] bool is_alive(const Component& component) const {
    return std::ranges::count(alive_, component) > 0;
  }

  [[nodiscard]] std::size_t unexplained_failures() const {
    std::vector<bool> explained(bad_.size());
    for (const Explanation& one : explained_.components) {
      if (finding(one).certainty == Certainty::withdrawn) continue;
      for (const std::uint32_t test : incidence_.through(one.component)) explained[test] = true;
    }
    std::size_t count = 0;
    for (std::size_t test = 0; test < bad_.size(); ++test)
      count += symptoms_[test].dead && !explained[test] ? 1 : 0;
    return count;
  }

  /// What lies on a way that is not known is not covered: only some of the tests pass it, and
  /// nobody knows how few. Sprayed ones pass all of it.
  [[nodiscard]] std::size_t tests_that_cover(std::size_t component) const {
    const auto through = incidence_.through(component);
    if (!is_of_unknown_path(incidence_.component(component))) return through.size();
    return static_cast<std::size_t>(std::ranges::count_if(
        through, [&](std::uint32_t test) { return evidence_.tests[test].sprayed; }));
  }

  [[nodiscard]] Finding finding(const Explanation& explanation) const {
    Finding finding;
    finding.component = incidence_.component(explanation.component);
    for (const std::size_t one : explanation.alike)
      finding.alike.push_back(incidence_.component(one));
    if (explanation.rival) finding.rival = incidence_.component(*explanation.rival);
    finding.log_odds = explanation.log_odds;
    finding.log_odds_to_rival = explanation.log_odds_to_rival;
    for (const std::uint32_t test : incidence_.through(explanation.component)) {
      if (!explained_by_another(test, explanation.component)) add(test, finding);
    }
    if (is_cut_off(finding)) tell_nic_first(finding);
    finding.certainty = certainty_of(finding);
    if (finding.certainty == Certainty::named && !is_of_unknown_path(finding.component) &&
        may_be_on_the_way(finding, explanation.component)) {
      finding.certainty = Certainty::suspect;
    }
    return finding;
  }

  /// Part of what passes it is bad: it, or something behind it that is not told from its like.
  [[nodiscard]] Finding finding(const Concentration& rest) const {
    Finding finding;
    finding.component = incidence_.component(rest.component);
    finding.log_odds = rest.log_odds;
    for (std::size_t one = 0; one < incidence_.components(); ++one) {
      if (one != rest.component && incidence_.alike(one, rest.component))
        finding.alike.push_back(incidence_.component(one));
    }
    for (const std::uint32_t test : incidence_.through(rest.component)) {
      if (!explained_.covered[test]) add(test, finding);
    }
    finding.of_part = true;
    if (is_gone_alone(finding)) finding.certainty = Certainty::withdrawn;
    return finding;
  }

  [[nodiscard]] bool explained_by_another(std::uint32_t test, std::size_t component) const {
    const auto passed = incidence_.passed_by(test);
    return std::ranges::any_of(explained_.components, [&](const Explanation& other) {
      return other.component != component &&
             std::ranges::binary_search(passed, static_cast<std::uint32_t>(other.component));
    });
  }

  void add(std::size_t test, Finding& finding) const {
    const bool bad = bad_[test];
    const bool alone = evidence_.tests[test].alone && !evidence_.tests[test].earlier;
    const Symptoms& symptoms = symptoms_[test];
    ++finding.tests;
    finding.bad += bad ? 1 : 0;
    finding.tests_alone += alone ? 1 : 0;
    finding.bad_alone += alone && bad ? 1 : 0;
    finding.symptoms.dead += symptoms.dead ? 1 : 0;
    finding.symptoms.slow += symptoms.slow ? 1 : 0;
    finding.symptoms.lossy += symptoms.lossy ? 1 : 0;
    finding.symptoms.late += symptoms.late ? 1 : 0;
    auto& examples = bad ? finding.speak_for : finding.speak_against;
    if (examples.size() < kExamples) examples.push_back(test);
  }

  /// Where paths are not known, something on the way that some of these tests pass may have made
  /// them bad: then all have to be, but for those that a bad component may have seemed good in.
  [[nodiscard]] bool may_be_on_the_way(const Finding& finding, std::size_t component) const {
    if (std::ranges::any_of(finding.alike, is_of_unknown_path)) return !is_cut_off(finding);
    const auto through = incidence_.through(component);
    const auto unknown =
        std::ranges::count_if(through, [&](std::uint32_t test) { return passes_unknown(test); });
    if (2 * static_cast<std::size_t>(unknown) < through.size()) return false;
    constexpr double kPlausible = 0.01;
    return at_most(finding.bad, finding.tests, 1 - noise_.false_negative) < kPlausible;
  }

  /// An end of which nothing works, with two others at least: that its ways are not known is
  /// because it does not answer.
  [[nodiscard]] bool is_cut_off(const Finding& finding) const {
    constexpr std::array kEnds{Kind::nic_sends, Kind::nic_receives, Kind::nic, Kind::host};
    const bool is_end = std::ranges::count(kEnds, finding.component.kind) > 0;
    if (!is_end || finding.symptoms.dead < finding.tests || is_alive(finding.component))
      return false;
    const auto nic = static_cast<std::size_t>(finding.component.first);
    std::set<std::size_t> others;
    for (const Observation& one : evidence_.tests) {
      if (one.from == nic) others.insert(one.to);
      if (one.to == nic) others.insert(one.from);
    }
    return others.size() >= 2;
  }

  /// Rather than one of its two ways, if no test tells them apart.
  static void tell_nic_first(Finding& finding) {
    const auto nic = std::ranges::find(finding.alike, Kind::nic, &Component::kind);
    if (nic != finding.alike.end()) std::swap(finding.component, *nic);
  }

  [[nodiscard]] bool passes_unknown(std::uint32_t test) const {
    return std::ranges::any_of(incidence_.passed_by(test), [&](std::uint32_t one) {
      return incidence_.component(one).kind == Kind::core;
    });
  }

  [[nodiscard]] static bool was_good_alone(const Finding& finding) {
    return finding.tests_alone >= kFewestAlone && 2 * finding.bad_alone < finding.tests_alone;
  }

  /// Of a part, which tests alone may miss by chance: it would be, once in twenty or less often.
  [[nodiscard]] static bool is_gone_alone(const Finding& finding) {
    constexpr double kPlausible = 0.05;
    const auto bad = static_cast<double>(finding.bad - finding.bad_alone);
    const auto tests = static_cast<double>(finding.tests - finding.tests_alone);
    return was_good_alone(finding) &&
           at_most(finding.bad_alone, finding.tests_alone, bad / tests) < kPlausible;
  }

  [[nodiscard]] static Certainty certainty_of(const Finding& finding) {
    if (was_good_alone(finding)) return Certainty::withdrawn;
    return finding.log_odds_to_rival >= kDecisiveLogOdds ? Certainty::named : Certainty::suspect;
  }

  [[nodiscard]] static State state_of(const Verdict& verdict) {
    const auto any = [&](auto is_it) { return std::ranges::any_of(verdict.findings, is_it); };
    if (any([](const Finding& one) {
          return one.certainty == Certainty::named && !is_of_unknown_path(one.component);
        })) {
      return State::found;
    }
    if (any([](const Finding& one) { return is_of_unknown_path(one.component); }))
      return State::path_unknown;
    if (any([](const Finding& one) { return one.certainty != Certainty::withdrawn; }))
      return State::suspected;
    return all_covered(verdict) && verdict.unexplained_failures == 0 ? State::healthy
                                                                     : State::undecided;
  }

  const Evidence& evidence_;
  const std::vector<Symptoms>& symptoms_;
  Incidence incidence_;
  Noise noise_;
  std::size_t untested_;
  std::vector<Component> alive_;
  std::vector<bool> bad_;
  std::vector<int> rounds_;
  Explained explained_;
};

/// Tests that say something, and which they are among all.
struct Telling {
  Evidence evidence{};
  std::vector<Symptoms> symptoms{};
  std::vector<std::size_t> places{};
  std::vector<Component> passed_by_others{};
};

void add(const Component& component, std::vector<Component>& components) {
  if (std::ranges::count(components, component) == 0) components.push_back(component);
}

Telling telling(const Evidence& evidence, const Incidence& incidence,
                const std::vector<Symptoms>& symptoms) {
  Telling all{.evidence = {.nics = evidence.nics, .switches = evidence.switches}};
  for (std::size_t test = 0; test < symptoms.size(); ++test) {
    if (symptoms[test].says_nothing()) {
      for (const std::uint32_t one : incidence.passed_by(test))
        add(incidence.component(one), all.passed_by_others);
      continue;
    }
    all.evidence.tests.push_back(evidence.tests[test]);
    all.symptoms.push_back(symptoms[test]);
    all.places.push_back(test);
  }
  return all;
}

Verdict judge_telling(const Evidence& evidence, const std::vector<Symptoms>& symptoms,
                      const Noise& noise) {
  const Incidence incidence(evidence);
  const Telling all = telling(evidence, incidence, symptoms);
  const std::size_t untested = incidence.components() - Incidence(all.evidence).components();
  Verdict verdict =
      Judge(all.evidence, all.symptoms, noise, untested, all.passed_by_others).verdict();
  verdict.starved = symptoms.size() - all.symptoms.size();
  for (Finding& finding : verdict.findings) {
    for (std::size_t& test : finding.speak_for) test = all.places[test];
    for (std::size_t& test : finding.speak_against) test = all.places[test];
  }
  return verdict;
}

}  // namespace

bool all_covered(const Verdict& verdict) {
  constexpr double kEnough = 0.99;
  constexpr std::size_t kPercent = 100;
  return verdict.untested == 0 && verdict.coverage >= kEnough &&
         kPercent * verdict.unknown_paths <= verdict.tests;
}

bool is_confirmed(const Finding& finding) {
  return finding.certainty == Certainty::named && finding.tests_alone >= kFewestAlone &&
         2 * finding.bad_alone >= finding.tests_alone;
}

bool is_open(const Finding& finding) {
  const std::size_t most_alone = finding.of_part ? 18 : 9;
  constexpr std::size_t kMoreBad = 3;
  constexpr std::size_t kMoreGood = 4;
  const std::size_t good = finding.tests_alone - finding.bad_alone;
  if (finding.tests_alone >= most_alone || finding.bad_alone >= good + kMoreBad) return false;
  return finding.of_part ? finding.certainty != Certainty::withdrawn
                         : good < finding.bad_alone + kMoreGood;
}

Verdict judge(const Evidence& evidence, const Limits& limits, const Noise& noise) {
  const std::vector<Symptoms> symptoms = symptoms_of(evidence, limits);
  if (std::ranges::any_of(symptoms, &Symptoms::says_nothing))
    return judge_telling(evidence, symptoms, noise);
  return Judge(evidence, symptoms, noise).verdict();
}

}  // namespace railgauge::isolation
