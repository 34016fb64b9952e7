#include "runner/failure_summary.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>

#include "results/table.hpp"

namespace railgauge::runner {
namespace {

using results::Failure;

constexpr std::size_t kMostCauses = 4;

/// One end of a link.
struct End {
  std::string host;
  std::string device;
  std::string address;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a 0 in what the compiler writes
  friend auto operator<=>(const End&, const End&) = default;
};

/// Ends in one order, whichever of them complains.
struct Link {
  End first;
  End second;
  std::string rail;

  // NOLINTNEXTLINE(modernize-use-nullptr): likewise
  friend auto operator<=>(const Link&, const Link&) = default;
};

/// The part of `text` between two others, the first of which it follows; empty if one is missing.
std::string between(const std::string& text, std::size_t& from, const char* before,
                    const char* after) {
  const std::size_t begin = text.find(before, from);
  if (begin == std::string::npos) return "";
  const std::size_t start = begin + std::string(before).size();
  const std::size_t end = text.find(after, start);
  if (end == std::string::npos) return "";
  from = end;
  return text.substr(start, end - start);
}

/// "rxe1 10.11.0.2" of a host.
End end_of(const std::string& host, const std::string& text) {
  const std::size_t blank = text.find(' ');
  return {host, text.substr(0, blank), blank == std::string::npos ? "" : text.substr(blank + 1)};
}

/// Who says of a link that it does not answer, and whether the other end lives: its rank has said
/// something, too.
struct Witnesses {
  std::size_t ranks = 0;
  bool both_live = false;
  std::vector<std::string> losing{};  // "from host0 (...) to host1 (...): packets of ..."
};
using Links = std::map<Link, Witnesses>;

std::string name_of(const End& end) {
  return end.host + " (" + end.device + " " + end.address + ")";
}

/// "packets of 1024 bytes pass, and of 2048 do not", in the words of transport::connect_verbs();
/// empty if it is not told.
std::string size_limit_of(const std::string& text) {
  std::size_t at = 0;
  const std::string passes = between(text, at, "; packets of ", " bytes pass, and of ");
  const std::string lost = between(text, at, " bytes pass, and of ", " do not");
  if (passes.empty() || lost.empty()) return "";
  return "packets of " + passes + " bytes pass, and of " + lost + " do not";
}

/// What transport::Transport::describe() says of a channel: "(rank 1 (host0) on rail 1: rxe1
/// 10.11.0.2 to rxe1 10.11.0.1, queue pair ...". Who has no such words has another failure.
void add_to(Links& links, const Failure& failure, const std::set<std::string>& reporting) {
  if (failure.kind != Failure::Kind::transport) return;
  // The words of verbs::describe(). Other completions with an error do not speak of the link.
  if (failure.text.find("transport retries exhausted") == std::string::npos) return;
  std::size_t at = 0;
  const std::string peer_rank = between(failure.text, at, "(rank ", " (");
  const std::string peer = between(failure.text, at, "(", ")");
  const std::string rail = between(failure.text, at, "on rail ", ": ");
  const End own = end_of(failure.host, between(failure.text, at, ": ", " to "));
  const End other = end_of(peer, between(failure.text, at, " to ", ","));
  if (rail.empty() || own.address.empty() || other.address.empty()) return;
  Witnesses& witnesses = links[{std::min(own, other), std::max(own, other), rail}];
  ++witnesses.ranks;
  witnesses.both_live = witnesses.both_live || reporting.contains(peer_rank);
  const std::string limit = size_limit_of(failure.text);
  if (!limit.empty()) {
    witnesses.losing.push_back("from " + name_of(own) + " to " + name_of(other) + ": " + limit);
  }
}

std::string said_by(std::size_t ranks) {
  return std::to_string(ranks) + (ranks == 1 ? " rank says so" : " ranks say so");
}

/// The end that all links have, of several.
std::optional<End> shared_end(const Links& links) {
  for (const End& end : {links.begin()->first.first, links.begin()->first.second}) {
    const bool of_all = std::ranges::all_of(
        links, [&](const auto& one) { return one.first.first == end || one.first.second == end; });
    if (of_all) return end;
  }
  return std::nullopt;
}

/// A path that lost large packets only, in the directions that it did. What fails the other way is
/// a consequence: a queue pair that gave up answers no more.
std::string sentence_on_losing(const Link& link, const Witnesses& witnesses) {
  std::set<std::string> ways(witnesses.losing.begin(), witnesses.losing.end());
  std::string text = "cause: rail " + link.rail + " loses large packets";
  const char* separator = " ";
  for (const std::string& way : ways) {
    text += separator + way;
    separator = "; ";
  }
  return text +
         "; compare MTUs along the way (or it died at that very packet: reachability_perf tells)";
}

/// Only if both ends live it is the link, and not a peer that is no more.
std::string sentence_on(const Link& link, const Witnesses& witnesses) {
  if (!witnesses.losing.empty()) return sentence_on_losing(link, witnesses);
  const std::string ends = name_of(link.first) + " and " + name_of(link.second);
  if (!witnesses.both_live) {
    return "cause: no answer on rail " + link.rail + " between " + ends +
           ": the link is dead, or who did not answer has ended";
  }
  return "cause: rail " + link.rail + " is dead between " + ends + "; " + said_by(witnesses.ranks);
}

std::string sentence_on(const End& end, const Links& links) {
  std::size_t ranks = 0;
  for (const auto& [link, witnesses] : links) ranks += witnesses.ranks;
  return "cause: rail " + links.begin()->first.rail + " of " + name_of(end) +
         " does not answer, or cannot be heard, on " + std::to_string(links.size()) + " links; " +
         said_by(ranks);
}

/// "rail 1" of "... on rail 1: rxe1 ..."; failures of one host that name the same rail are alike.
std::string rail_of(const Failure& failure) {
  std::size_t at = 0;
  return between(failure.text, at, "on rail ", ":");
}

/// Its first line: what it was waiting for is in the document.
std::string folded(const Failure& first, std::size_t more) {
  const std::string words = in_words(first);
  std::string line = words.substr(0, words.find('\n'));
  if (more == 0) return line;
  return line + " (and " + std::to_string(more) + " more of " + first.host +
         (rail_of(first).empty() ? "" : " on this rail") + ")";
}

/// What makes a line say the same as another.
using Key = std::tuple<std::string, bool, std::string>;

Key key_of(const Failure& failure, bool many) {
  const bool stopped = failure.kind == Failure::Kind::stopped;
  return {failure.host, stopped, many ? (stopped ? "" : rail_of(failure)) : failure.text};
}

}  // namespace

std::string in_words(const Failure& failure) {
  return "rank " + std::to_string(failure.rank) + " (" + failure.host + "): " + failure.text;
}

std::vector<std::string> causes_of(const std::vector<Failure>& failures) {
  std::set<std::string> reporting;
  for (const Failure& failure : failures) {
    if (failure.kind != Failure::Kind::lost) reporting.insert(std::to_string(failure.rank));
  }
  Links links;
  for (const Failure& failure : failures) add_to(links, failure, reporting);
  const bool losing =
      std::ranges::any_of(links, [](const auto& link) { return !link.second.losing.empty(); });
  if (links.size() > 1 && !losing) {
    if (const auto end = shared_end(links)) return {sentence_on(*end, links)};
  }
  std::vector<std::string> causes;
  for (const auto& [link, witnesses] : links) {
    if (causes.size() == kMostCauses) {
      causes.push_back("cause: and " + std::to_string(links.size() - kMostCauses) + " more links");
      break;
    }
    causes.push_back(sentence_on(link, witnesses));
  }
  return causes;
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

}  // namespace railgauge::runner
