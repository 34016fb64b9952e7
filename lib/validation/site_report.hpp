#pragma once

#include <string>
#include <vector>

#include "validation/assessment.hpp"
#include "validation/causes.hpp"
#include "validation/journal.hpp"
#include "validation/waivers.hpp"

namespace railgauge::validation {

/// A stage in the report.
struct StageReport {
  Stage stage{};
  StageState state{};
  Assessment assessment{};
  std::string document{};  ///< file name in the folder; empty: there is none
  std::string page{};      ///< the same of its page
};

/// A waiver of the site, and what it accepts.
struct WaiverUse {
  Waiver waiver{};
  bool expired = false;
  std::vector<StageFinding> accepts{};
};

/// What a validation showed, for all forms of the report.
struct SiteReport {
  std::string plan{};
  std::string description{};
  finding::Outcome outcome = finding::Outcome::inconclusive;
  bool software = false;
  std::vector<StageReport> stages{};
  std::vector<Kind> not_planned{};  ///< steps of a validation that the plan does not have
  std::vector<CauseGroup> causes{};
  std::vector<WaiverUse> waivers{};
};

/// Everything of a folder; `assessments` are those of the stages, in their order. The outcome is
/// the worst of the stages'. `today`: decides which waivers have expired.
[[nodiscard]] SiteReport site_report_of(const Journal& journal, const Site& site,
                                        std::vector<Assessment> assessments,
                                        const Waivers& waivers = {}, const std::string& today = "");

/// "PASS", or of software devices "PASS (SOFTWARE)"; of a stage also "SKIPPED" and "not needed".
[[nodiscard]] std::string verdict_of(const SiteReport& report);
[[nodiscard]] std::string verdict_of(const StageReport& stage);

/// Why the outcome is what it is, in a line: "2 causes: node3 mlx5_1 (rail 1): packet loss"
[[nodiscard]] std::string headline_of(const SiteReport& report);

/// The stages that keep it from PASS without a finding: "soak: it was ended at its limit of 60 s"
[[nodiscard]] std::vector<std::string> gaps_of(const SiteReport& report);

/// Causes that the page and the Markdown show of each kind, located or not; report.json has all.
inline constexpr std::size_t kMostCausesShown = 100;

/// "and 12 more causes: see report.json"; empty if all are shown.
[[nodiscard]] std::string more_causes(std::size_t causes);

/// What to do about a cause: place, what is wrong, evidence, remedy; the stages that name it.
[[nodiscard]] std::string sentence_of(const CauseGroup& group);

/// What it explains, a line each: of every stage the first few, and how many more.
[[nodiscard]] std::vector<std::string> symptoms_of(const CauseGroup& group);

/// What each waiver accepts, that it has expired, or that it accepts nothing; a sentence each.
[[nodiscard]] std::vector<std::string> waivers_of(const SiteReport& report);

/// For a terminal: the verdict, what to do about it, and the stages.
[[nodiscard]] std::string text(const SiteReport& report);

/// The other forms. All that comes from documents is escaped.
[[nodiscard]] std::string markdown(const SiteReport& report);
[[nodiscard]] std::string junit(const SiteReport& report);
[[nodiscard]] std::string page(const SiteReport& report);       ///< one HTML file, without network
[[nodiscard]] std::string json_text(const SiteReport& report);  ///< railgauge/validation/1

/// Writes report.md, report.json, report.html, junit.xml and a page for each result. Throws
/// std::system_error.
void write_report(const SiteReport& report, const Site& site);

}  // namespace railgauge::validation
