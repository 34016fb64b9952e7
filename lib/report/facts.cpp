#include "report/facts.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "finding/ranking.hpp"
#include "finding/words.hpp"
#include "measure/sizes.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"
#include "results/utc.hpp"
#include "verdict/curve.hpp"
#include "verdict/line_rate.hpp"

namespace railgauge::report {
namespace {

using finding::counted;
using results::Document;

std::string duration(std::chrono::system_clock::duration time) {
  constexpr auto kMostSeconds = std::chrono::minutes(2);
  constexpr auto kMostMinutes = std::chrono::hours(2);
  using std::chrono::duration_cast;
  if (time < kMostSeconds) {
    return std::to_string(duration_cast<std::chrono::seconds>(time).count()) + " s";
  }
  if (time < kMostMinutes) {
    return std::to_string(duration_cast<std::chrono::minutes>(time).count()) + " min";
  }
  return std::to_string(duration_cast<std::chrono::hours>(time).count()) + " h";
}

std::string when(const Document& document) {
  const std::string start = results::utc(document.start);
  return document.end ? start + ", " + duration(*document.end - document.start)
                      : start + "; it has no end";
}

/// "8 on each", if that is so.
std::string ranks_on_each(const std::vector<results::Rank>& ranks) {
  std::map<std::string, int> ranks_of;
  for (const results::Rank& rank : ranks) ++ranks_of[rank.host];
  std::set<int> counts;
  for (const auto& [host, count] : ranks_of) counts.insert(count);
  if (ranks_of.size() < 2 || counts.size() != 1) return "";
  return ", " + std::to_string(*counts.begin()) + " on each";
}

std::string where(const std::vector<results::Rank>& ranks) {
  if (ranks.empty()) return "";
  std::vector<std::string> hosts;
  for (const results::Rank& rank : ranks) {
    if (hosts.empty() || hosts.back() != rank.host) hosts.push_back(rank.host);
  }
  std::ranges::sort(hosts);
  hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
  return counted(hosts.size(), "host") + " (" + listed(hosts) + "); " +
         counted(ranks.size(), "rank") + ranks_on_each(ranks);
}

/// All the ports of a run, each once.
struct UsedPorts {
  std::set<std::string> names{};  // host, device, port and address
  std::set<int> rails{};
  std::set<double> speeds{};
  std::vector<std::string> kinds{};
  std::vector<std::string> devices{};
};

UsedPorts used_ports_of(const std::vector<results::Rank>& ranks) {
  UsedPorts ports;
  for (const results::Rank& rank : ranks) {
    for (const results::RankRail& rail : rank.rails) {
      ports.names.insert(rank.host + "\n" + rail.device + "\n" + std::to_string(rail.port) + "\n" +
                         rail.address);
      ports.rails.insert(rail.rail);
      ports.speeds.insert(rail.link_gigabits_per_second);
      add_once(ports.kinds, std::string(word(rail.kind)));
      add_once(ports.devices, rail.device);
    }
  }
  return ports;
}

std::string nics(const std::vector<results::Rank>& ranks, bool software) {
  const UsedPorts ports = used_ports_of(ranks);
  if (ports.names.empty()) return "";
  std::vector<std::string> speeds;
  constexpr double kBits = 8;  // of a byte
  for (const double speed : ports.speeds)
    speeds.push_back(number_text(speed) + " Gb/s (" + number_text(speed / kBits) + " GB/s)");
  const std::string kinds =
      software ? "SOFTWARE (" + listed(ports.kinds) + "): figures say nothing about hardware"
               : listed(ports.kinds);
  return counted(ports.names.size(), "NIC") + " on " + counted(ports.rails.size(), "rail") + ", " +
         listed(speeds) + " each; " + kinds + "; " + listed(ports.devices);
}

/// A curve of a run, and the bandwidth that it reaches.
struct Best {
  const verdict::Run* run = nullptr;
  verdict::Curve curve{};
  verdict::Plateau plateau{};
  std::size_t of = 0;  // so many curves
};

Best best_of(const verdict::RunSet& run_set) {
  Best best;
  for (const verdict::Run& run : run_set.runs) {
    for (const verdict::Curve& curve : curves_of(run)) {
      const auto plateau = plateau_of(curve);
      if (!plateau) continue;
      ++best.of;
      const bool higher =
          plateau->busbw_gigabytes_per_second > best.plateau.busbw_gigabytes_per_second;
      if (best.run == nullptr || higher) best = {&run, curve, *plateau, best.of};
    }
  }
  return best;
}

std::string against_line_rate(const verdict::Run& run, double busbw) {
  if (const std::string why = why_not_of_nics(run); !why.empty()) {
    return "no share of line rate: " + why;
  }
  const auto share = line_rate_fraction(run, busbw);
  if (!share || *share <= 0) return "its share of line rate is not known";
  constexpr double kPercent = 100;
  return number_text(kPercent * *share) + " % of line rate (" + number_text(busbw / *share) +
         " GB/s)";
}

std::vector<Fact> all_facts(const Document& document, const verdict::RunSet& run_set) {
  const auto of_body = [&](const auto& what) { return std::visit(what, document.body); };
  const auto* const collective = std::get_if<results::CollectiveBody>(&document.body);
  return {{"what ran", of_body([](const auto& body) { return what_ran(body); })},
          {"when", when(document)},
          {"where", where(document.ranks)},
          {"NICs", nics(document.ranks, run_set.software)},
          {"plateau", of_body([&](const auto& body) { return plateau(body, run_set); })},
          {"data verified", collective == nullptr ? "" : verified_share(collective->rows)}};
}

std::vector<Fact> all_facts(const verdict::Reference& reference, const verdict::RunSet& run_set) {
  std::vector<std::string> collectives;
  for (const verdict::Run& run : run_set.runs) add_once(collectives, plain(run.collective));
  const std::string speed = reference.line_rate_gigabits_per_second
                                ? number_text(*reference.line_rate_gigabits_per_second) + " Gb/s"
                                : "";
  const std::string number =
      reference.nics_per_node ? std::to_string(*reference.nics_per_node) + " a host" : "";
  return {{"what ran", listed(collectives)},
          {"when", reference.source.date},
          {"where", reference.system},
          {"NICs", joined({reference.nic, number, speed, run_set.software ? "SOFTWARE" : ""})},
          {"plateau", plateau_of(run_set)}};
}

/// "87 checks: 2 FAIL, 85 PASS"
std::string checks_text(const doctor::Document& examination) {
  using doctor::Verdict;
  std::vector<std::string> parts;
  for (const Verdict verdict :
       {Verdict::fail, Verdict::warn, Verdict::unknown, Verdict::pass, Verdict::skip}) {
    const auto count =
        std::ranges::count(examination.checks, verdict, &doctor::CheckSummary::verdict);
    if (count > 0) parts.push_back(std::to_string(count) + " " + std::string(word(verdict)));
  }
  return counted(examination.checks.size(), "check") + ": " + finding::joined(parts);
}

std::vector<Fact> all_facts(const doctor::Document& examination,
                            const verdict::RunSet& /*run_set*/) {
  return {{"what ran", checks_text(examination)},
          {"where", counted(examination.hosts.size(), "host") + " (" + listed(examination.hosts) +
                        "), " + counted(examination.ports, "port")}};
}

}  // namespace

std::string plateau_of(const verdict::RunSet& run_set) {
  const Best best = best_of(run_set);
  if (best.run == nullptr) return "";
  const double busbw = best.plateau.busbw_gigabytes_per_second;
  const std::string whose = joined({algorithms_of(best.curve), best.run->name});
  return number_text(busbw) + " GB/s from " + measure::format_size(best.plateau.from_bytes) +
         " on" + (whose.empty() ? "" : " (" + whose + ")") + ": " +
         against_line_rate(*best.run, busbw) +
         (best.of > 1 ? "; the highest of " + counted(best.of, "curve") : "");
}

std::vector<Fact> facts_of(const Result& result) {
  std::vector<Fact> facts =
      std::visit([&](const auto& held) { return all_facts(held, result.run_set); }, result.input);
  std::erase_if(facts, [](const Fact& fact) { return fact.text.empty(); });
  return facts;
}

/// Warnings stand first: where nothing fails nobody would read on.
std::string reason_of(const Result& result) {
  const verdict::Judgement& judgement = result.judgement;
  auto findings = finding::ranked(report_of(judgement).findings);
  std::erase_if(findings, [](const finding::Finding& one) {
    return one.severity != finding::Severity::warning ||
           one.certainty == finding::Certainty::cleared || !one.waived.empty();
  });
  std::string rest = headline(judgement) + ".";
  if (findings.empty() || outcome_of(judgement) != finding::Outcome::pass) return rest;
  const auto groups = grouped(findings);
  return counted(groups.size(), "warning") + ": " + headline(groups.front()) + "; " + rest;
}

std::string sentence_of(const Result& result) {
  const verdict::Judgement& judgement = result.judgement;
  return verdict::outcome_words(outcome_of(judgement), judgement.software) + ": " +
         reason_of(result);
}

namespace {

std::string banner(const Report& report) {
  return "<p class=\"banner " + style_of(outcome_of(report)) + "\">" + outcome_words(report) +
         "</p>\n";
}

/// One result has its facts below each other, several have a line each.
std::string facts(const Result& result) {
  std::vector<Row> rows;
  for (const Fact& fact : facts_of(result)) rows.push_back({fact.name, fact.text});
  return "<div class=\"facts\">" + table({"", ""}, rows) + "</div>";
}

std::string facts(const std::vector<Result>& results) {
  static const std::vector<std::string> kNames{"what ran", "when", "where", "NICs", "plateau"};
  std::vector<Row> rows;
  for (const Result& result : results) {
    rows.push_back({result.run_set.name});
    const std::vector<Fact> all = facts_of(result);
    for (const std::string& name : kNames) {
      const auto fact = std::ranges::find(all, name, &Fact::name);
      rows.back().push_back(fact == all.end() ? "" : fact->text);
    }
  }
  std::vector<std::string> head{"result"};
  head.insert(head.end(), kNames.begin(), kNames.end());
  return ranked_table(head, rows, "results");
}

/// FAIL first, then INCONCLUSIVE.
int severity(const Result& result) {
  const finding::Outcome outcome = outcome_of(result.judgement);
  if (outcome == finding::Outcome::fail) return 2;
  return outcome == finding::Outcome::pass ? 0 : 1;
}

/// Of many results the worst.
std::string sentences(const Report& report) {
  constexpr std::size_t kMost = 5;
  std::vector<const Result*> results;
  results.reserve(report.results.size());
  for (const Result& result : report.results) results.push_back(&result);
  std::ranges::stable_sort(results, std::greater{},
                           [](const Result* result) { return severity(*result); });
  std::string html;
  const std::size_t told = std::min(results.size(), kMost);
  for (std::size_t at = 0; at < told; ++at) {
    const Result& result = *results[at];
    html += "<p class=\"sentence\">" +
            escaped(results.size() == 1 ? reason_of(result)  // the banner has the outcome
                                        : result.run_set.name + ": " + sentence_of(result)) +
            "</p>\n";
  }
  return html;
}

}  // namespace

std::string head_part(const Report& report) {
  return element("header", "\n" + banner(report) + sentences(report) +
                               (report.results.size() == 1 ? facts(report.results.front())
                                                           : facts(report.results))) +
         "\n";
}

}  // namespace railgauge::report
