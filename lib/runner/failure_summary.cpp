#include "runner/failure_summary.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "job/process_state.hpp"
#include "results/table.hpp"

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

Fate fate_of(const results::Rank& rank, const std::string& host, bool signalled) {
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
  if (signalled) return {};
  return {process + (here ? " is there but did not answer"
                          : " did not answer: it is stopped, gone or busy, its host is down, or "
                            "the network of MPI is")};
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
                                const std::vector<Failure>& reports, bool signalled) {
  std::vector<Failure> lost;
  for (const results::Rank& rank : ranks) {
    if (std::ranges::count(reports, rank.rank, &Failure::rank) > 0) continue;
    const Fate fate = fate_of(rank, host, signalled);
    if (!fate.text.empty()) lost.push_back(lost_rank(rank.rank, rank.host, fate.text));
    if (!fate.text.empty()) lost.back().findings.front().certainty = fate.certainty;
  }
  return lost;
}

}  // namespace railgauge::runner
