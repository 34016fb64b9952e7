#include "runner/failure_summary.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "job/process_state.hpp"
#include "results/table.hpp"
#include "telemetry/meaning.hpp"

namespace railgauge::runner {
namespace {

using finding::Certainty;
using results::Failure;

/// Failures of one host that name the same rail are alike.
std::optional<int> rail_of(const Failure& failure) {
  return failure.findings.empty() ? std::nullopt : failure.findings.front().where.at.rail;
}

/// Its first line: what it was waiting for is in the document.
std::string folded(const Failure& first, std::size_t more) {
  const std::string words = in_words(first);
  std::string line = words.substr(0, words.find('\n'));
  if (more == 0) return line;
  return line + " (and " + std::to_string(more) + " more of " + first.host +
         (rail_of(first) ? " on this rail" : "") + ")";
}

/// What makes a line say the same as another.
using Key = std::tuple<std::string, bool, std::optional<int>, std::string>;

Key key_of(const Failure& failure, bool many) {
  const bool stopped = failure.kind == Failure::Kind::stopped;
  return {failure.host, stopped, stopped ? std::nullopt : rail_of(failure),
          many ? "" : failure.text};
}

/// What is known of a process, and how surely it is lost.
struct Fate {
  std::string text{};  // empty: nothing is known
  Certainty certainty = Certainty::likely;
};

/// Of the death of a rank for which MPI's launcher ended the others.
Certainty certainty_of_death(job::Ender ender) {
  return ender == job::Ender::either ? Certainty::possible : Certainty::likely;
}

void set_certainty(finding::Finding& death, Certainty certainty) {
  death.certainty = certainty;
  if (certainty == Certainty::possible)
    death.excuses = {"somebody may have stopped MPI's launcher instead"};
}

/// Of a rank that did not answer; it is not known to have ended.
Fate fate_of_silent(const std::string& process, bool here, job::Ender ender) {
  if (ender == job::Ender::user || (here && ender != job::Ender::nobody)) return {};
  if (here) return {process + " is there but did not answer"};
  if (ender == job::Ender::nobody)
    return {process +
            " did not answer: it is stopped, gone or busy, its host is down, or the network of "
            "MPI is"};
  return {process +
              " did not answer when MPI's launcher stopped all ranks: it was killed, crashed "
              "or lost its host",
          certainty_of_death(ender)};
}

Fate fate_of(const results::Rank& rank, const std::string& host, job::Ender ender) {
  const std::string process = "its process " + std::to_string(rank.pid);
  const bool here = rank.host == host;
  switch (here ? job::state_of_process(rank.pid) : job::ProcessState::there) {
    case job::ProcessState::ended:
      return {process +
                  " has ended without reporting: killed (by the kernel, out of memory? see "
                  "dmesg) or crashed",
              Certainty::confirmed};
    case job::ProcessState::stopped:
      return {process + " is stopped: by SIGSTOP, a terminal or a debugger", Certainty::confirmed};
    case job::ProcessState::there: break;
  }
  return fate_of_silent(process, here, ender);
}

}  // namespace

std::string in_words(const Failure& failure) {
  return "rank " + std::to_string(failure.rank) + " (" + failure.host + "): " + failure.text;
}

std::vector<std::string> failure_lines(const std::vector<Failure>& failures, std::size_t ranks) {
  const bool many = ranks > results::kMostRanks;
  std::vector<std::pair<const Failure*, std::size_t>> told;
  std::map<Key, std::size_t> place;
  for (const Failure& failure : failures) {
    const auto [found, is_new] = place.try_emplace(key_of(failure, many), told.size());
    if (is_new) {
      told.emplace_back(&failure, 0);
    } else {
      ++told[found->second].second;
    }
  }
  std::vector<std::string> lines;
  lines.reserve(told.size() + 1);
  for (const auto& [failure, more] : told)
    lines.push_back(many ? folded(*failure, more) : in_words(*failure));
  if (many && lines.size() < failures.size()) {
    lines.push_back("the document (-J) has what each of " + std::to_string(failures.size()) +
                    " ranks said");
  }
  return lines;
}

Failure lost_rank(int rank, const std::string& host, const std::string& text) {
  auto found =
      finding::found("run", finding::Cause::process_lost,
                     {.scope = finding::Scope::processor, .at = {.host = host, .ranks = {rank}}});
  found.evidence = {{.text = text}};
  return {rank, host, Failure::Kind::lost, text, {std::move(found)}};
}

std::vector<Failure> lost_ranks(const std::vector<results::Rank>& ranks, const std::string& host,
                                const std::vector<Failure>& reports, job::Ender ender) {
  std::vector<Failure> lost;
  for (const results::Rank& rank : ranks) {
    if (std::ranges::count(reports, rank.rank, &Failure::rank) > 0) continue;
    const Fate fate = fate_of(rank, host, ender);
    if (fate.text.empty()) continue;
    lost.push_back(lost_rank(rank.rank, rank.host, fate.text));
    set_certainty(lost.back().findings.front(), fate.certainty);
  }
  return lost;
}

std::optional<finding::Finding> death_somewhere(job::Ender ender) {
  if (ender == job::Ender::nobody || ender == job::Ender::user) return std::nullopt;
  auto death = finding::found("run", finding::Cause::process_lost, {});
  death.detail = "a process of another rank is lost";
  death.evidence = {{.text = "MPI's launcher stopped this rank and names that one"}};
  set_certainty(death, certainty_of_death(ender));
  return death;
}

namespace {

using results::PortEvents;
using telemetry::Counted;

constexpr std::size_t kMostPorts = 8;

/// Of one class of counters, the one that moved most.
struct Most {
  std::string name{};
  std::int64_t by = 0;
};

std::map<Counted, Most> most_of(const PortEvents& port) {
  std::map<Counted, Most> all;
  for (const auto& [name, by] : port.moved) {
    const auto meaning = telemetry::meaning_of(name);
    if (!meaning || meaning->microseconds || by <= 0) continue;
    Most& most = all[meaning->counted];
    if (by > most.by) most = {name, by};
  }
  return all;
}

std::int64_t faults(const PortEvents& port) {
  std::int64_t sum = 0;
  for (const auto& [counted, most] : most_of(port)) {
    if (telemetry::is_fault(counted)) sum += most.by;
  }
  return sum;
}

/// "93,122"
std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  constexpr std::ptrdiff_t kGroup = 3;
  for (auto at = std::ssize(text) - kGroup; at > 0; at -= kGroup) {
    text.insert(static_cast<std::size_t>(at), ",");
  }
  return text;
}

std::string packets(const PortEvents& port) {
  std::string text;
  if (port.packets_sent) text = ", of " + grouped(*port.packets_sent) + " packets sent";
  if (!port.packets_received) return text;
  return text + (text.empty() ? ", of " : " and ") + grouped(*port.packets_received) +
         (text.empty() ? " packets" : "") + " received";
}

std::string line_of(const PortEvents& port) {
  std::string text = port.host + " " + port.device;
  if (!port.address.empty()) text += " " + port.address;
  if (port.rail) text += " (rail " + std::to_string(*port.rail) + ")";
  text += " counted:";
  const char* separator = " ";
  for (const auto& [counted, most] : most_of(port)) {
    text += separator;
    text.append(telemetry::word(counted)).append(" ").append(grouped(most.by));
    text += " (" + most.name + ")";
    separator = ", ";
  }
  return text + packets(port);
}

}  // namespace

std::vector<std::string> port_lines(const std::vector<PortEvents>& events) {
  std::vector<const PortEvents*> sorted;
  for (const PortEvents& port : events) {
    if (!most_of(port).empty()) sorted.push_back(&port);
  }
  std::ranges::stable_sort(sorted, std::ranges::greater{},
                           [](const PortEvents* port) { return faults(*port); });
  std::vector<std::string> lines;
  for (const PortEvents* port : sorted) {
    if (lines.size() == kMostPorts) {
      lines.push_back("and " + std::to_string(sorted.size() - kMostPorts) +
                      " more ports counted something; the document (-J) has all");
      break;
    }
    lines.push_back(line_of(*port));
  }
  return lines;
}

}  // namespace railgauge::runner
