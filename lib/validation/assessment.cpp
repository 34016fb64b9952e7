#include "validation/assessment.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include "finding/ranking.hpp"
#include "finding/words.hpp"
#include "json/fields.hpp"
#include "report/parts.hpp"
#include "results/codec.hpp"
#include "verdict/library.hpp"

namespace railgauge::validation {
namespace {

namespace fs = std::filesystem;
using finding::Outcome;

Outcome worse(Outcome one, Outcome other) {
  if (one == Outcome::fail || other == Outcome::fail) return Outcome::fail;
  return one == Outcome::inconclusive ? one : other;
}

/// Hosts whose ranks have devices of their own under one name.
std::set<std::string> hosts_of_soft_ranks(const std::vector<results::Rank>& ranks) {
  std::set<std::string> found;
  std::map<std::string, std::string> addresses;
  for (const results::Rank& rank : ranks) {
    for (const results::RankRail& rail : rank.rails) {
      const std::string port = rank.host + " " + rail.device + " " + std::to_string(rail.port);
      const auto [known, is_new] = addresses.try_emplace(port, rail.address);
      if (!is_new && known->second != rail.address) found.insert(rank.host);
    }
  }
  return found;
}

/// The rank that has the address; else the one that the place names.
std::optional<int> rank_of(const finding::Endpoint& end, const std::vector<results::Rank>& ranks) {
  for (const results::Rank& rank : ranks) {
    if (rank.host != end.host || end.address.empty()) continue;
    if (std::ranges::find(rank.rails, end.address, &results::RankRail::address) != rank.rails.end())
      return rank.rank;
  }
  return end.ranks.size() == 1 ? std::optional(end.ranks.front()) : std::nullopt;
}

void rename(finding::Endpoint& end, const std::vector<results::Rank>& ranks,
            const std::set<std::string>& shared) {
  if (shared.contains(end.host)) {
    if (const auto rank = rank_of(end, ranks)) end.host += " rank " + std::to_string(*rank);
  }
  end.address.clear();
  end.ranks.clear();
}

verdict::Criteria criteria_of(const Criteria& names) {
  const verdict::Library library(verdict::shipped_data());
  verdict::Criteria criteria;
  criteria.line_rate = names.line_rate;
  for (const std::string& name : names.references)
    criteria.references.push_back(library.reference(name));
  for (const std::string& file : names.baselines)
    criteria.baselines.push_back(
        run_set_of(verdict::input_of(verdict::read_json(file), file), file));
  for (const std::string& name : names.policies) criteria.policies.push_back(library.policy(name));
  criteria.terms.counted = counted_of(criteria.policies);
  return criteria;
}

/// What a reader wants to know of a result first.
std::string figures_of(const results::Document& document, const verdict::RunSet& run_set) {
  return std::visit(
      [&](const auto& body) {
        const std::string figures = report::plateau(body, run_set);
        return report::what_ran(body) + (figures.empty() ? "" : "; " + figures);
      },
      document.body);
}

/// What waits for whom follows, in the document.
std::string first_line_of(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

void rename_places(finding::Report& report, const std::vector<results::Rank>& ranks) {
  for (finding::Finding& finding : report.findings) {
    finding.where = same_place(std::move(finding.where), ranks);
    for (finding::Location& other : finding.alternatives)
      other = same_place(std::move(other), ranks);
  }
}

using Accepted = std::vector<finding::Waiver>;

void accept(finding::Policy& policy, const Accepted& accepted) {
  policy.waivers.insert(policy.waivers.end(), accepted.begin(), accepted.end());
}

/// What the run says of itself, whatever it is compared with.
Outcome own_outcome(const results::Document& document, const Accepted& accepted) {
  if (document.exit_code == results::ExitCode::time_out ||
      document.exit_code == results::ExitCode::wrong_data)
    return Outcome::fail;
  finding::Report report = report_of(document);
  rename_places(report, document.ranks);
  return outcome(report, {.waivers = accepted});
}

void assess_result(Assessment& assessment, const json::Json& json, const std::string& file,
                   const Stage& stage, const Accepted& accepted) {
  report::Result result;
  result.input = verdict::input_of(json, file);
  result.run_set = run_set_of(result.input, file);
  result.judgement = compared(result.run_set, criteria_of(stage.criteria));
  accept(result.judgement.policy, accepted);
  const auto* const document = std::get_if<results::Document>(&result.input);
  for (verdict::Part& part : result.judgement.parts) {
    if (document != nullptr) rename_places(part.report, document->ranks);
    part.report = with_waivers(std::move(part.report), result.judgement.policy);
  }
  assessment.outcome = outcome_of(result.judgement);
  assessment.software = result.judgement.software;
  assessment.headline = headline(result.judgement);
  assessment.policy = result.judgement.policy;
  assessment.report = report_of(result.judgement);
  if (document != nullptr) {
    assessment.outcome = worse(assessment.outcome, own_outcome(*document, accepted));
    assessment.measured = figures_of(*document, result.run_set);
    if (!assessment.why.empty() && !document->failures.empty())
      assessment.why += ": " + first_line_of(document->failures.front().text);
  }
  assessment.result = std::move(result);
}

void assess_doctor(Assessment& assessment, const json::Json& json, const Accepted& accepted) {
  json::decode(json::list(json, "findings"), assessment.report.findings);
  json::decode(json::list(json, "coverage"), assessment.report.coverage);
  json::decode(json::list(json, "waivers"), assessment.policy.waivers);
  accept(assessment.policy, accepted);
  rename_places(assessment.report, {});
  assessment.report = with_waivers(std::move(assessment.report), assessment.policy);
  assessment.outcome = outcome(assessment.report, assessment.policy);
  assessment.headline = in_short(assessment.report, assessment.policy);
  const auto ports = json::wanted<std::uint64_t>(json, "ports");
  assessment.measured = finding::counted(json::list(json, "hosts").size(), "host") + ", " +
                        (ports == 0 ? "" : finding::counted(ports, "port") + ", ") +
                        finding::counted(json::list(json, "checks").size(), "check");
}

/// The last message that a program wrote into its log.
std::string last_words(const fs::path& log) {
  constexpr std::size_t kMost = 300;
  std::ifstream in(log);
  std::string last;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with('#') && line.find(": ") != std::string::npos) last = line;
  }
  return last.substr(0, kMost);
}

void add_gap(Assessment& assessment, const std::string& stage) {
  assessment.outcome = worse(assessment.outcome, Outcome::inconclusive);
  assessment.report.coverage.push_back({.check = stage, .planned = 1, .skipped = {assessment.why}});
}

}  // namespace

std::string_view word(Standing standing) {
  switch (standing) {
    case Standing::assessed: return "assessed";
    case Standing::skipped: return "skipped";
    case Standing::not_needed: return "not-needed";
  }
  return "";
}

finding::Location same_place(finding::Location where, const std::vector<results::Rank>& ranks) {
  const auto shared = hosts_of_soft_ranks(ranks);
  rename(where.at, ranks, shared);
  if (where.peer) rename(*where.peer, ranks, shared);
  return where;
}

Assessment assessment_of(const Plan& plan, std::size_t at, const Site& site,
                         const StageState& state, const Accepted& accepted) {
  const Stage& stage = plan.stages.at(at);
  const std::string file = site.of(plan, at, ".json");
  // 1 is the program's own verdict, which the criteria may waive.
  const bool ended_well = state.exit_status <= 1;
  Assessment assessment{.standing = Standing::assessed, .why = ended_well ? "" : state.why};
  try {
    if (!fs::exists(file)) {
      const std::string said = last_words(site.of(plan, at, ".log"));
      assessment.why = "it has no document" + (state.why.empty() ? "" : ": " + state.why) +
                       (said.empty() ? "; is the folder on all hosts?" : "; it says: " + said);
      add_gap(assessment, stage.name);
    } else if (const json::Json json = verdict::read_json(file); stage.kind == Kind::doctor) {
      assess_doctor(assessment, json, accepted);
    } else {
      assess_result(assessment, json, file, stage, accepted);
    }
  } catch (const std::exception& error) {
    assessment.why = error.what();
    add_gap(assessment, stage.name);
  }
  if (!ended_well && assessment.outcome == Outcome::pass) add_gap(assessment, stage.name);
  if (assessment.headline.empty() && assessment.outcome != Outcome::pass)
    assessment.headline = assessment.why;
  return assessment;
}

Assessment not_run(Standing standing, const std::string& why) {
  return {.standing = standing,
          .why = why,
          .outcome = standing == Standing::not_needed ? Outcome::pass : Outcome::inconclusive,
          .headline = why};
}

bool is_suspect(const Assessment& assessment) {
  return std::ranges::any_of(assessment.report.findings, [](const finding::Finding& finding) {
    return finding.severity == finding::Severity::error && finding.waived.empty() &&
           finding.certainty != finding::Certainty::cleared &&
           facts_of(finding.cause).nature == finding::Nature::symptom;
  });
}

bool was_on_one_host(const Assessment& assessment) {
  if (!assessment.result) return false;
  const auto* const document = std::get_if<results::Document>(&assessment.result->input);
  std::set<std::string> hosts;
  if (document != nullptr)
    for (const results::Rank& rank : document->ranks) hosts.insert(rank.host);
  return hosts.size() == 1;
}

}  // namespace railgauge::validation
