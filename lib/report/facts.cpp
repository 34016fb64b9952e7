#include "report/facts.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "measure/sizes.hpp"
#include "report/html.hpp"
#include "report/lists.hpp"
#include "results/utc.hpp"
#include "verdict/curve.hpp"
#include "verdict/line_rate.hpp"
#include "verdict/reading.hpp"

namespace railgauge::report {
namespace {

using results::CollectiveBody;
using results::Document;
using results::PairsBody;
using results::ReachabilityBody;
using results::SoakBody;

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
}

std::string counted(std::size_t number, const std::string& one) {
  return std::to_string(number) + " " + one + (number == 1 ? "" : "s");
}

std::string what_ran(const CollectiveBody& body) {
  std::vector<std::string> algorithms;
  std::vector<std::string> types;
  std::set<std::uint64_t> sizes;
  for (const results::CollectiveRow& row : body.rows) {
    add_once(algorithms, row.algorithm);
    const std::string op = row.op.empty() || row.op == "none" ? "" : " " + row.op;
    add_once(types, row.type + (row.point.unreduced ? " " + std::string(results::kUnreduced) : op));
    sizes.insert(row.size_bytes);
  }
  if (sizes.empty()) return plain(body.collective) + ": nothing was measured";
  std::string range = measure::format_size(*sizes.begin());
  if (sizes.size() > 1) range += " to " + measure::format_size(*sizes.rbegin());
  return joined({plain(body.collective) + (algorithms.empty() ? "" : " by " + listed(algorithms)),
                 listed(types), range});
}

std::string what_ran(const ReachabilityBody& body) {
  int tested = 0;
  for (const results::ReachabilitySummary& kind : body.summary) tested += kind.tested;
  return "reachability of " + counted(static_cast<std::size_t>(tested), "pair") + " of NICs";
}

std::string what_ran(const PairsBody& body) {
  std::vector<std::string> modes;
  for (const results::PairsSummary& kind : body.summary) add_once(modes, kind.mode);
  return listed(modes) + " of " + counted(body.rows.size(), "way") + " between NICs" +
         (body.rows.size() < body.planned ? ", a part of " + std::to_string(body.planned) : "");
}

std::string hours(const SoakBody& body) {
  constexpr double kSecondsPerHour = 3600;
  const double hours =
      static_cast<double>(body.judgement.windows) * body.window_s / kSecondsPerHour;
  return hours < 1 ? number_text(60 * hours) + " min" : number_text(hours) + " h";
}

std::string what_ran(const SoakBody& body) {
  std::vector<std::string> collectives;
  std::set<std::uint64_t> sizes;
  for (const results::SoakRow& row : body.rows) {
    add_once(collectives, plain(row.phase.collective));
    sizes.insert(row.phase.size_bytes);
  }
  std::string range = sizes.empty() ? "" : measure::format_size(*sizes.begin());
  if (sizes.size() > 1) range += " to " + measure::format_size(*sizes.rbegin());
  return joined({"soak of " + counted(body.judgement.windows, "window") + ", " + hours(body),
                 listed(collectives), range,
                 body.load_percent > 0 ? "load " + number_text(body.load_percent) + " %" : "",
                 body.gaps.empty() ? "" : counted(body.gaps.size(), "gap")});
}

std::string what_ran(const results::IsolateBody& body) {
  return "search for a bad component, " + counted(body.rows.size(), "test") + " in " +
         counted(static_cast<std::size_t>(body.rounds), "round");
}

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
  for (const double speed : ports.speeds) speeds.push_back(number_text(speed));
  const std::string kinds =
      software ? "SOFTWARE (" + listed(ports.kinds) + "): figures say nothing about hardware"
               : listed(ports.kinds);
  return counted(ports.names.size(), "NIC") + " on " + counted(ports.rails.size(), "rail") + ", " +
         listed(speeds) + " Gb/s each; " + kinds + "; " + listed(ports.devices);
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

std::string plateau(const verdict::RunSet& run_set) {
  const Best best = best_of(run_set);
  if (best.run == nullptr) return "";
  const double busbw = best.plateau.busbw_gigabytes_per_second;
  const std::string whose = joined({algorithms_of(best.curve), best.run->name});
  return number_text(busbw) + " GB/s from " + measure::format_size(best.plateau.from_bytes) +
         " on" + (whose.empty() ? "" : " (" + whose + ")") + ": " +
         against_line_rate(*best.run, busbw) +
         (best.of > 1 ? "; the highest of " + counted(best.of, "curve") : "");
}

/// Of pairs on the same rail: what a rail alone carries.
std::string plateau(const ReachabilityBody& body, const std::vector<results::Rank>& ranks) {
  const auto kind =
      std::ranges::find_if(body.summary, [](const auto& one) { return one.same_rail; });
  if (kind == body.summary.end() || kind->reached == 0) return "";
  const double median = kind->median_gigabytes_per_second;
  std::string text = number_text(median) + " GB/s, the median of pairs on the same rail";
  const UsedPorts ports = used_ports_of(ranks);
  if (ports.speeds.size() != 1 || *ports.speeds.begin() <= 0) return text;
  constexpr double kBitsPerByte = 8;
  constexpr double kPercent = 100;
  const double line_rate = *ports.speeds.begin() / kBitsPerByte;
  return text + ": " + number_text(kPercent * median / line_rate) + " % of line rate (" +
         number_text(line_rate) + " GB/s)";
}

std::string plateau(const PairsBody& body) {
  for (const results::PairsSummary& kind : body.summary) {
    if (!kind.same_rail) continue;
    if (kind.median_gigabytes_per_second)
      return number_text(*kind.median_gigabytes_per_second) +
             " GB/s, the median of pairs on the same rail";
    if (kind.median_us)
      return number_text(*kind.median_us) + " µs, the median latency (" + kind.mode +
             ") of pairs on the same rail";
  }
  return "";
}

/// Of the phase that carried most.
std::string plateau(const SoakBody& body) {
  const auto best =
      std::ranges::max_element(body.rows, {}, &results::SoakRow::busbw_gigabytes_per_second);
  if (best == body.rows.end() || !(best->busbw_gigabytes_per_second > 0)) return "";
  std::string text = number_text(best->busbw_gigabytes_per_second) + " GB/s, the median of " +
                     plain(best->phase.collective) + " " +
                     measure::format_size(best->phase.size_bytes);
  const auto& bound = body.judgement.bit_error_rate_bound;
  return bound ? text + "; bit error rate below " + number_text(*bound) + " (95 %)" : text;
}

std::string plateau(const Document& document, const verdict::RunSet& run_set) {
  return std::visit(
      results::ForKind{[&](const CollectiveBody&) { return plateau(run_set); },
                       [&](const ReachabilityBody& body) { return plateau(body, document.ranks); },
                       [&](const PairsBody& body) { return plateau(body); },
                       [&](const SoakBody& body) { return plateau(body); },
                       [](const results::IsolateBody&) { return std::string(); }},
      document.body);
}

std::vector<Fact> all_facts(const Document& document, const verdict::RunSet& run_set) {
  return {{"what ran", std::visit([](const auto& body) { return what_ran(body); }, document.body)},
          {"when", when(document)},
          {"where", where(document.ranks)},
          {"NICs", nics(document.ranks, run_set.software)},
          {"plateau", plateau(document, run_set)}};
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
          {"plateau", plateau(run_set)}};
}

}  // namespace

std::vector<Fact> facts_of(const Result& result) {
  std::vector<Fact> facts =
      std::visit([&](const auto& held) { return all_facts(held, result.run_set); }, result.input);
  std::erase_if(facts, [](const Fact& fact) { return fact.text.empty(); });
  return facts;
}

std::string sentence_of(const Result& result, bool asked) {
  const verdict::Verdict verdict = verdict_of(result.judgement.findings);
  if (!asked && verdict != verdict::Verdict::fail) {
    return "No verdict was asked for; the run is complete.";
  }
  const std::string words = reading_in_words(result.judgement);
  return in_words(verdict, result.judgement.software) + (words.empty() ? "" : ": " + words) + ".";
}

}  // namespace railgauge::report
