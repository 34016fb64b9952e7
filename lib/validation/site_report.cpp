#include "validation/site_report.hpp"

#include <algorithm>

#include "finding/words.hpp"

namespace railgauge::validation {
namespace {

using finding::Outcome;

std::vector<Kind> kinds_without_stage(const Plan& plan) {
  std::vector<Kind> missing;
  for (int number = 0; !word(static_cast<Kind>(number)).empty(); ++number) {
    const auto kind = static_cast<Kind>(number);
    const bool planned = std::ranges::find(plan.stages, kind, &Stage::kind) != plan.stages.end();
    if (facts_of(kind).is_step && !planned) missing.push_back(kind);
  }
  return missing;
}

Outcome worst_of(const std::vector<StageReport>& stages) {
  const auto any = [&](Outcome outcome) {
    return std::ranges::any_of(
        stages, [&](const StageReport& one) { return one.assessment.outcome == outcome; });
  };
  if (any(Outcome::fail)) return Outcome::fail;
  return any(Outcome::inconclusive) || stages.empty() ? Outcome::inconclusive : Outcome::pass;
}

std::vector<StageFinding> findings_of(const std::vector<StageReport>& stages) {
  std::vector<StageFinding> all;
  for (const StageReport& one : stages) {
    for (const finding::Finding& found : one.assessment.report.findings)
      all.push_back({one.stage.name, found});
  }
  return all;
}

/// Error or warning, that the waiver alone would accept.
bool accepts(const Waiver& waiver, finding::Finding found) {
  found.waived.clear();
  return found.severity != finding::Severity::info &&
         !waiver_of(found, {.waivers = {in_force(waiver)}}).empty();
}

WaiverUse use_of(const Waiver& waiver, const std::vector<StageFinding>& findings,
                 const std::string& today) {
  WaiverUse use{.waiver = waiver, .expired = has_expired(waiver, today)};
  if (use.expired) return use;
  std::ranges::copy_if(findings, std::back_inserter(use.accepts),
                       [&](const StageFinding& one) { return accepts(waiver, one.finding); });
  return use;
}

std::vector<std::string> sentences_of(const WaiverUse& use) {
  const Waiver& waiver = use.waiver;
  if (use.expired)
    return {waiver.finding + ": its waiver expired on " + waiver.until + " (" + waiver.reason +
            "): repair it, or give a later day"};
  if (use.accepts.empty())
    return {waiver.finding + ": no finding has this id, check or cause: remove the waiver (" +
            waiver.reason + ")"};
  std::vector<std::string> sentences;
  for (const StageFinding& one : use.accepts)
    sentences.push_back(one.stage + ": " + headline(one.finding));
  return sentences;
}

std::string name_if_there(const std::filesystem::path& file) {
  return std::filesystem::exists(file) ? file.filename().string() : "";
}

}  // namespace

SiteReport site_report_of(const Journal& journal, const Site& site,
                          std::vector<Assessment> assessments, const Waivers& waivers,
                          const std::string& today) {
  SiteReport report{.plan = journal.plan.name, .description = journal.plan.description};
  for (std::size_t at = 0; at < journal.plan.stages.size(); ++at) {
    StageReport one{.stage = journal.plan.stages[at], .assessment = std::move(assessments.at(at))};
    if (const auto state = journal.stages.find(one.stage.name); state != journal.stages.end())
      one.state = state->second;
    if (one.assessment.standing == Standing::assessed)
      one.document = name_if_there(site.of(journal.plan, at, ".json"));
    if (one.assessment.result) one.page = site.of(journal.plan, at, ".html").filename();
    report.software = report.software || one.assessment.software;
    report.stages.push_back(std::move(one));
  }
  report.not_planned = kinds_without_stage(journal.plan);
  const std::vector<StageFinding> findings = findings_of(report.stages);
  report.causes = causes_of(findings);
  for (const Waiver& waiver : waivers.waivers)
    report.waivers.push_back(use_of(waiver, findings, today));
  report.outcome = worst_of(report.stages);
  return report;
}

std::string verdict_of(const SiteReport& report) {
  return verdict::outcome_words(report.outcome, report.software);
}

std::string verdict_of(const StageReport& stage) {
  switch (stage.assessment.standing) {
    case Standing::assessed: break;
    case Standing::skipped: return "SKIPPED";
    case Standing::not_needed: return "not needed";
  }
  return verdict::outcome_words(stage.assessment.outcome, stage.assessment.software);
}

std::string headline_of(const SiteReport& report) {
  if (report.outcome == Outcome::pass)
    return finding::counted(report.stages.size(), "stage") + ", no finding that decides";
  if (!report.causes.empty())
    return finding::counted(report.causes.size(), "cause") + ": " +
           headline(report.causes.front().cause);
  const auto gaps = gaps_of(report);
  return gaps.empty() ? "" : gaps.front();
}

std::vector<std::string> gaps_of(const SiteReport& report) {
  std::vector<std::string> gaps;
  for (const StageReport& one : report.stages) {
    const Assessment& assessment = one.assessment;
    if (assessment.standing == Standing::skipped) {
      gaps.push_back(one.stage.name + " was skipped: " + assessment.why);
    } else if (assessment.outcome != Outcome::pass && !assessment.why.empty()) {
      gaps.push_back(one.stage.name + ": " + assessment.why);
    } else if (assessment.outcome == Outcome::inconclusive) {
      const std::string place = one.stage.name + ": ";
      const bool has_place = assessment.headline.starts_with(place);
      gaps.push_back((has_place ? "" : place) + assessment.headline);
    }
  }
  return gaps;
}

std::string more_causes(std::size_t causes) {
  if (causes <= kMostCausesShown) return "";
  return "and " + finding::counted(causes - kMostCausesShown, "more cause") + ": see report.json";
}

std::string sentence_of(const CauseGroup& group) {
  return sentence(group.cause) + " (" + finding::listed(group.stages) + ")";
}

std::vector<std::string> symptoms_of(const CauseGroup& group) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> lines;
  for (const std::string& stage : group.stages) {
    std::size_t count = 0;
    for (const StageFinding& one : group.symptoms) {
      if (one.stage == stage && ++count <= kMost)
        lines.push_back(stage + ": " + headline(one.finding));
    }
    if (count > kMost)
      lines.push_back(stage + ": and " + finding::counted(count - kMost, "more finding"));
  }
  return lines;
}

std::vector<std::string> waivers_of(const SiteReport& report) {
  std::vector<std::string> all;
  for (const WaiverUse& use : report.waivers)
    std::ranges::move(sentences_of(use), std::back_inserter(all));
  return all;
}

void write_report(const SiteReport& report, const Site& site) {
  replace_file(site.folder / "report.md", markdown(report));
  replace_file(site.folder / "report.json", json_text(report));
  replace_file(site.folder / "report.html", page(report));
  replace_file(site.folder / "junit.xml", junit(report));
  for (const StageReport& one : report.stages) {
    if (one.page.empty()) continue;
    report::Report details;
    details.results.push_back(*one.assessment.result);
    details.results.back().link = one.document;
    replace_file(site.folder / one.page, report::page(details));
  }
}

}  // namespace railgauge::validation
