#include "doctor/examination.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <stdexcept>
#include <utility>

#include "checks/rail_check.hpp"
#include "doctor/comparison.hpp"
#include "finding/ranking.hpp"
#include "finding/words.hpp"

namespace railgauge::doctor {
namespace {

using finding::Finding;

constexpr std::size_t kMostHosts = 4;   // with a finding each; of more it is one for all
constexpr std::size_t kMostPlaces = 8;  // that a remark names

/// "PCIe link width is x8, expected x16 (why)"; of what is unknown or skipped, why.
std::string in_words(const Check& check, const Answer& answer) {
  if (answer.observed.empty()) return answer.remark;
  std::string text = std::string(check.title) + " is " + answer.observed;
  if (!answer.expected.empty()) text += ", expected " + answer.expected;
  return answer.remark.empty() ? text : text + " (" + answer.remark + ")";
}

/// The same for all subjects, without their names.
std::string without_names(std::string text, const Subject& subject) {
  const auto* const device = subject.device;
  for (const std::string& name : {subject.netdev, device ? device->name : std::string(),
                                  device ? device->pci.address : std::string()}) {
    if (name.empty()) continue;
    for (auto found = text.find(name); found != std::string::npos;
         found = text.find(name, found + 1))
      text.replace(found, name.size(), "*");
  }
  return text;
}

/// Results that one sentence is about.
struct Group {
  Verdict verdict = Verdict::pass;
  std::string text{};
  std::vector<const Result*> members{};
};

std::vector<Group> groups_of(const std::vector<Result>& results) {
  std::map<std::pair<Verdict, std::string>, Group> groups;
  for (const Result& one : results) {
    if (one.answer.verdict == Verdict::pass) continue;
    const std::string text = in_words(*one.check, one.answer);
    Group& group = groups[{one.answer.verdict, without_names(text, *one.subject)}];
    group.verdict = one.answer.verdict;
    group.text = group.members.empty() ? text : without_names(text, *one.subject);
    group.members.push_back(&one);
  }
  std::vector<Group> all;
  all.reserve(groups.size());
  for (auto& [key, group] : groups) all.push_back(std::move(group));
  std::ranges::stable_sort(all, std::greater(), &Group::verdict);
  return all;
}

/// In order; none of the fabric.
std::vector<std::size_t> hosts_in(const Group& group) {
  std::set<std::size_t> hosts;
  for (const Result* const one : group.members) {
    if (one->subject->kind != Kind::fabric) hosts.insert(one->subject->host);
  }
  return {hosts.begin(), hosts.end()};
}

std::vector<std::string> places_of(const Group& group) {
  std::vector<std::string> places;
  places.reserve(group.members.size());
  for (const Result* const one : group.members) places.push_back(in_words(one->subject->where));
  return places;
}

Finding bare(const Check& check, Verdict verdict, finding::Location where) {
  Finding finding = finding::found(std::string(check.name), check.cause, std::move(where));
  finding.severity =
      verdict == Verdict::fail ? finding::Severity::error : finding::Severity::warning;
  finding.certainty = finding::Certainty::confirmed;
  return finding;
}

std::string remedy_for(const Check& check, const Subject& subject) {
  std::string text = expanded(check.remedy, subject);
  if (!text.empty()) return text;
  Subject named = subject;  // what is not known is for the reader to put in
  if (named.netdev.empty()) named.netdev = "INTERFACE";
  text = expanded(check.remedy, named);
  return text.empty() ? std::string(check.remedy) : text;
}

std::string read_from(const Check& check, const Subject& subject) {
  if (check.reads.empty() || subject.facts == nullptr) return "";
  const std::string path = expanded(check.reads.front(), subject);
  return path.empty() ? "" : "read from " + source_of(path);
}

Finding finding_of(const Result& result) {
  Finding finding = bare(*result.check, result.answer.verdict, result.subject->where);
  finding.detail = in_words(*result.check, result.answer);
  finding.where.direction = result.answer.direction;
  finding.remedy = remedy_for(*result.check, *result.subject);
  if (std::string from = read_from(*result.check, *result.subject); !from.empty())
    finding.evidence.push_back({.text = std::move(from)});
  if (!result.answer.counters.empty())
    finding.evidence.push_back({.counters = result.answer.counters});
  return finding;
}

/// What is alike on many hosts is the fabric's.
Finding finding_of(const Group& group, std::size_t asked) {
  const Check& check = *group.members.front()->check;
  Finding finding = bare(check, group.verdict, {});
  finding.detail = group.text;
  finding.remedy = remedy_for(check, *group.members.front()->subject);
  finding.evidence.push_back({.against = group.members.size(),
                              .of = asked,
                              .counted = std::string(word(check.of)) + "s",
                              .text = "on " + finding::first_of(places_of(group), 3)});
  return finding;
}

/// What a finding says, without its place.
std::string words_of(Finding finding) {
  finding.remedy.clear();
  return words_behind(std::move(finding)).substr(2);
}

/// Whether findings are of so many hosts that one tells of all. A place of no host is as one.
bool is_of_many_hosts(const std::vector<Finding>& findings) {
  std::set<std::string> hosts;
  for (const Finding& one : findings)
    hosts.insert(one.where.at.host.empty() ? key_of(one.where) : one.where.at.host);
  return hosts.size() > kMostHosts;
}

std::vector<std::string> places_in(const std::vector<Finding>& findings) {
  std::vector<std::string> places;
  places.reserve(findings.size());
  for (const Finding& one : findings) places.push_back(in_words(one.where));
  return places;
}

Finding folded(const std::vector<Finding>& findings) {
  Finding finding = findings.front();
  finding.detail = words_of(finding);
  finding.where = {};
  finding.evidence = {{.text = "on " + finding::first_of(places_in(findings), 3)}};
  return finding;
}

const finding::Waiver* waiver_for(const Check& check, const Expectations& wanted) {
  const auto found = std::ranges::find(wanted.waivers, check.name, &finding::Waiver::finding);
  return found == wanted.waivers.end() ? nullptr : &*found;
}

bool is_symptom(const Finding& finding) {
  const Check* const check = find_check(finding.check);
  return check != nullptr && check->level == Level::pair;
}

/// What is known of a port explains what its paths do.
bool is_cause_of(const Finding& cause, const Finding& symptom, const finding::Policy& policy) {
  const auto& [place, other] = std::tie(cause.where.at, symptom.where.at);
  const bool same_port = !other.device.empty() && place.host == other.host &&
                         place.device == other.device &&
                         (!place.port || !other.port || *place.port == *other.port);
  return same_port && waiver_of(cause, policy).empty() && waiver_of(symptom, policy).empty() &&
         (cause.cause == symptom.cause || explains(cause.cause, symptom.cause));
}

/// A symptom whose cause is known is evidence of it: one finding says both.
void join_symptoms(std::vector<Finding>& findings, const finding::Policy& policy) {
  std::vector<Finding> symptoms;
  std::ranges::copy_if(findings, std::back_inserter(symptoms), is_symptom);
  std::erase_if(findings, is_symptom);
  const std::size_t causes = findings.size();
  for (Finding& symptom : symptoms) {
    const auto end = findings.begin() + static_cast<std::ptrdiff_t>(causes);
    const auto cause = std::find_if(findings.begin(), end, [&](const Finding& one) {
      return is_cause_of(one, symptom, policy);
    });
    if (cause == end) {
      findings.push_back(std::move(symptom));
      continue;
    }
    cause->severity = std::max(cause->severity, symptom.severity);
    cause->evidence.push_back({.text = symptom.check + ": " + symptom.detail});
  }
}

class Examiner {
 public:
  Examiner(const Hosts& hosts, const Expectations& wanted)
      : hosts_(hosts), wanted_(wanted), of_rails_(checks::check_rails(hosts.rails.found)) {
    for (const HostFacts& one : hosts.facts) found_.hosts.push_back(one.map.host);
    found_.ports =
        static_cast<std::size_t>(std::ranges::count_if(hosts.subjects, [](const Subject& one) {
          return one.kind == Kind::port && one.unused.empty();
        }));
    found_.policy.waivers = wanted.waivers;
  }

  void add(const Check& check) {
    found_.checks.push_back({.name = std::string(check.name),
                             .group = std::string(check.group),
                             .level = std::string(word(check.level)),
                             .about = std::string(word(check.of)),
                             .expects = std::string(check.expects)});
    for (int verdict = 0; !word(static_cast<Verdict>(verdict)).empty(); ++verdict)
      count(static_cast<Verdict>(verdict)) = 0;
    if (const auto* const waiver = waiver_for(check, wanted_))
      found_.checks.back().waived = waiver->reason;
    if (check.of == Kind::fabric && check.judge == nullptr) {
      adopt(check);
    } else {
      ask(check);
    }
    cover();
  }

  Document finished() {
    join_symptoms(found_.report.findings, found_.policy);
    found_.report.findings = finding::ranked(std::move(found_.report.findings));
    found_.report = with_waivers(std::move(found_.report), found_.policy);
    return std::move(found_);
  }

 private:
  CheckSummary& summary() { return found_.checks.back(); }

  /// How many subjects have that verdict of the check.
  std::uint64_t& count(Verdict verdict) { return summary().counts[std::string(word(verdict))]; }

  void ask(const Check& check) {
    std::vector<Result> results;
    for (const Subject& subject : hosts_.subjects) {
      if (subject.kind == check.of)
        results.push_back({&check, &subject, answer_of(check, subject, wanted_, hosts_)});
    }
    compare(results, hosts_.subjects.front());
    for (const Result& one : results) ++count(one.answer.verdict);
    for (const Group& group : groups_of(results)) tell(group, results.size());
  }

  void tell(const Group& group, std::size_t asked) {
    std::vector<std::string> places = places_of(group);
    places.resize(std::min(places.size(), kMostPlaces));
    summary().remarks.push_back(
        {group.verdict, group.text, group.members.size(), std::move(places), hosts_in(group)});
    if (group.verdict < Verdict::warn) return;
    auto& findings = found_.report.findings;
    if (hosts_in(group).size() > kMostHosts) return findings.push_back(finding_of(group, asked));
    for (const Result* const one : group.members) findings.push_back(finding_of(*one));
  }

  /// What lib/checks says of rails, as far as it is more than information. Equal findings are
  /// folded as those of other checks are.
  void adopt(const Check& check) {
    for (const std::vector<Finding>& group : adopted_by(check)) {
      const Verdict verdict = verdict_of(check, group.front());
      count(verdict) += group.size();
      std::vector<std::string> places = places_in(group);
      places.resize(std::min(places.size(), kMostPlaces));
      summary().remarks.push_back(
          {verdict, words_of(group.front()), group.size(), std::move(places), hosts_of(group)});
      auto& findings = found_.report.findings;
      if (verdict == Verdict::unknown) continue;
      if (is_of_many_hosts(group)) {
        findings.push_back(folded(group));
      } else {
        findings.insert(findings.end(), group.begin(), group.end());
      }
    }
    std::ranges::stable_sort(summary().remarks, std::greater(), &Remark::verdict);
    if (!summary().remarks.empty()) return;
    const auto [verdict, why] = without_findings(check);
    ++count(verdict);
    if (verdict != Verdict::pass) summary().remarks.push_back({verdict, why, 1, {"fabric"}});
  }

  /// What another test finds possible, it excuses itself.
  static Verdict verdict_of(const Check& check, const Finding& one) {
    if (!check.adopts_from.empty() && one.certainty < finding::Certainty::likely)
      return Verdict::unknown;
    return one.severity == finding::Severity::error ? Verdict::fail : Verdict::warn;
  }

  /// The result of the test from which a check adopts; nullptr: there is none.
  [[nodiscard]] const FoundByTest* test_of(const Check& check) const {
    const auto found =
        std::ranges::find(hosts_.found_by_tests, check.adopts_from, &FoundByTest::kind);
    return found == hosts_.found_by_tests.end() ? nullptr : &*found;
  }

  /// Of paths that were tested.
  [[nodiscard]] bool has_bad_paths() const {
    return !hosts_.pairs || std::ranges::any_of(hosts_.pairs->probes, [](const PairProbe& probe) {
      return probe.did != Did::well;
    });
  }

  /// What it means that there is nothing to adopt. A test that came to no end says nothing.
  [[nodiscard]] std::pair<Verdict, std::string> without_findings(const Check& check) const {
    if (check.adopts_from.empty()) {
      const bool has_rails = hosts_.rails.found.rails > 0;
      return {has_rails ? Verdict::pass : Verdict::skip, "no host has a port that can be a rail"};
    }
    const FoundByTest* const test = test_of(check);
    const std::string name = std::string(check.adopts_from) + "_perf";
    if (test == nullptr && check.if_bad_paths && !has_bad_paths())
      return {Verdict::skip, "no path is bad"};
    if (test == nullptr)
      return {hosts_.asks_tests ? Verdict::unknown : Verdict::skip,
              "no result of " + name + " was given (--findings)"};
    if (finding::outcome({.findings = {}, .coverage = test->report.coverage}) ==
        finding::Outcome::inconclusive)
      return {Verdict::unknown, name + " is inconclusive: " + test->in_short};
    if (check.counts.empty()) return {};
    const auto found = test->counted.find(std::string(check.counts));
    const std::string what(check.counts);
    if (found == test->counted.end())
      return {check.if_none == Verdict::skip ? Verdict::skip : Verdict::unknown,
              "no port that was asked counts " + what};
    return {found->second > 0 ? Verdict::pass : check.if_none, "there were no " + what};
  }

  /// Those at which findings are, in order.
  [[nodiscard]] std::vector<std::size_t> hosts_of(const std::vector<Finding>& findings) const {
    std::set<std::string> names;
    for (const Finding& one : findings) names.insert(one.where.at.host);
    std::vector<std::size_t> hosts;
    for (std::size_t host = 0; host < found_.hosts.size(); ++host) {
      if (names.contains(found_.hosts[host])) hosts.push_back(host);
    }
    return hosts;
  }

  /// From which a check adopts.
  [[nodiscard]] const std::vector<Finding>& pool_of(const Check& check) const {
    static const std::vector<Finding> kNone;
    if (check.adopts_from.empty()) return of_rails_;
    const FoundByTest* const test = test_of(check);
    return test == nullptr ? kNone : test->report.findings;
  }

  static bool is_adopted(const Check& check, const Finding& one) {
    if (check.adopts_from.empty())
      return std::ranges::find(check.adopts, one.cause) != check.adopts.end();
    const std::string metric = one.evidence.empty() ? "" : one.evidence.back().metric;
    return check.metrics.empty() || std::ranges::find(check.metrics, metric) != check.metrics.end();
  }

  /// Equal ones together.
  [[nodiscard]] std::vector<std::vector<Finding>> adopted_by(const Check& check) const {
    std::map<std::string, std::vector<Finding>> groups;
    for (const Finding& one : pool_of(check)) {
      if (!is_adopted(check, one) || one.severity == finding::Severity::info) continue;
      std::vector<Finding>& group =
          groups[words_of(one) + (one.alternatives.empty() ? "" : key_of(one.where))];
      group.push_back(one);
      group.back().check = check.name;
    }
    std::vector<std::vector<Finding>> all;
    all.reserve(groups.size());
    for (auto& [words, group] : groups) all.push_back(std::move(group));
    return all;
  }

  /// The worst verdict, and how much was tested.
  void cover() {
    CheckSummary& summary = this->summary();
    const std::size_t tested = count(Verdict::pass) + count(Verdict::warn) + count(Verdict::fail);
    const std::size_t planned = tested + count(Verdict::unknown);
    summary.verdict = planned == 0 ? Verdict::skip : Verdict::pass;
    for (const Remark& remark : summary.remarks) {
      if (remark.verdict != Verdict::skip)
        summary.verdict = std::max(summary.verdict, remark.verdict);
    }
    finding::Coverage coverage{.check = summary.name,
                               .planned = planned,
                               .tested = tested,
                               .enough = summary.waived.empty() ? planned : 0};
    for (const Remark& remark : summary.remarks) {
      if (remark.verdict == Verdict::unknown)
        coverage.skipped.push_back(remark.where() + ": " + remark.text);
    }
    found_.report.coverage.push_back(std::move(coverage));
  }

  const Hosts& hosts_;
  const Expectations& wanted_;
  std::vector<Finding> of_rails_;
  Document found_{};
};

}  // namespace

std::string Remark::where() const {
  if (places.empty()) return "fabric";
  return places.front() + (count > 1 ? " and " + std::to_string(count - 1) + " more" : "");
}

Document examine(const Hosts& hosts, const std::vector<const Check*>& checks,
                 const Expectations& wanted) {
  Examiner examiner(hosts, wanted);
  for (const Check* const check : checks) examiner.add(*check);
  return examiner.finished();
}

std::vector<Verdict> verdicts_of(const CheckSummary& check, std::size_t hosts) {
  std::vector<Verdict> verdicts(hosts, Verdict::pass);
  for (const Remark& remark : check.remarks) {
    for (const std::size_t host : remark.hosts) {
      if (host >= hosts)
        throw std::runtime_error("check " + check.name + " is about host number " +
                                 std::to_string(host) + " of " + std::to_string(hosts));
      verdicts[host] = std::max(verdicts[host], remark.verdict);
    }
  }
  return verdicts;
}

std::string words_behind(Finding finding) {
  finding.where = {};
  finding.alternatives.clear();
  return sentence(finding).substr(in_words(finding.where).size());
}

}  // namespace railgauge::doctor
