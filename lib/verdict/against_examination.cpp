#include <algorithm>
#include <map>

#include "finding/words.hpp"
#include "verdict/against.hpp"

namespace railgauge::verdict {
namespace {

using doctor::CheckSummary;
using doctor::Verdict;

/// What a check said of hosts that it said the same of, then and now.
struct Change {
  const CheckSummary* check = nullptr;
  Verdict then = Verdict::pass;
  Verdict now = Verdict::pass;
  std::vector<std::string> hosts{};
};

/// The host's place in a document; empty: it is not there.
std::optional<std::size_t> place_of(const std::string& host, const doctor::Document& document) {
  const auto found = std::ranges::find(document.hosts, host);
  if (found == document.hosts.end()) return std::nullopt;
  return static_cast<std::size_t>(found - document.hosts.begin());
}

std::vector<Change> changes_of(const CheckSummary& ours, const CheckSummary& theirs,
                               const doctor::Document& now, const doctor::Document& then) {
  std::map<std::pair<Verdict, Verdict>, Change> changes;
  const auto verdicts = verdicts_of(ours, now.hosts.size());
  const auto earlier = verdicts_of(theirs, then.hosts.size());
  for (std::size_t host = 0; host < now.hosts.size(); ++host) {
    const auto place = place_of(now.hosts[host], then);
    if (!place || verdicts[host] == earlier[*place]) continue;
    Change& change = changes[{verdicts[host], earlier[*place]}];
    change = {&ours, earlier[*place], verdicts[host], std::move(change.hosts)};
    change.hosts.push_back(now.hosts[host]);
  }
  std::vector<Change> all;
  all.reserve(changes.size());
  for (auto& [key, change] : changes) all.push_back(std::move(change));
  if (ours.about == "fabric" && ours.verdict != theirs.verdict && all.empty())
    all.push_back({&ours, theirs.verdict, ours.verdict});
  return all;
}

/// What the check says now, of the first remark with that verdict.
std::string text_of(const Change& change) {
  const auto found = std::ranges::find(change.check->remarks, change.now, &doctor::Remark::verdict);
  return found == change.check->remarks.end() ? "" : ": " + found->text;
}

bool is_trouble(Verdict verdict) {
  return verdict == Verdict::warn || verdict == Verdict::fail;
}

Row row_of(const Change& change, const std::string& criterion) {
  constexpr std::size_t kMostHosts = 4;
  Row row{.criterion = criterion, .answer = Answer::note};
  const bool decides = change.check->waived.empty();
  const bool unseen = change.now == Verdict::unknown ||
                      (change.now == Verdict::skip && change.then != Verdict::pass);
  if (decides && change.now == Verdict::fail) row.answer = Answer::failed;
  if (decides && unseen) row.answer = Answer::open;
  const bool repaired = is_trouble(change.then) && change.now == Verdict::pass;
  row.remark = change.check->name + " is " + std::string(word(change.now)) + ", was " +
               std::string(word(change.then)) + (repaired ? " (repaired)" : "") +
               (change.hosts.empty() ? "" : ", on " + finding::first_of(change.hosts, kMostHosts)) +
               text_of(change);
  row.cause = finding::Cause::host_setting;
  if (row.answer == Answer::open) row.excuse = "it may be as it was";
  if (change.hosts.size() == 1)
    row.where = {.scope = finding::Scope::host, .at = {.host = change.hosts.front()}};
  return row;
}

/// Hosts that are in only one of the documents.
std::vector<std::string> without(const doctor::Document& one, const doctor::Document& other) {
  std::vector<std::string> names;
  for (const std::string& host : one.hosts) {
    if (!place_of(host, other)) names.push_back(host);
  }
  return names;
}

/// A row for those of which only one side has something to say. What has an excuse is open.
void add_unpaired(Rows& rows, const std::string& criterion, std::vector<std::string> names,
                  const std::string& what, const std::string& excuse = "") {
  constexpr std::size_t kMost = 4;
  if (names.empty()) return;
  rows.push_back({.criterion = criterion,
                  .subject = Subject::missing,
                  .answer = excuse.empty() ? Answer::note : Answer::open,
                  .remark = finding::first_of(std::move(names), kMost) + what,
                  .excuse = excuse,
                  .cause = finding::Cause::not_tested});
}

}  // namespace

Rows against_examination(const doctor::Document& ours, const doctor::Document& theirs,
                         const std::string& criterion) {
  Rows rows;
  std::vector<std::string> gone;
  std::size_t same = 0;
  for (const CheckSummary& earlier : theirs.checks) {
    const auto check = std::ranges::find(ours.checks, earlier.name, &CheckSummary::name);
    if (check == ours.checks.end()) {
      gone.push_back(earlier.name);
      continue;
    }
    const auto changes = changes_of(*check, earlier, ours, theirs);
    if (changes.empty()) ++same;
    for (const Change& change : changes) rows.push_back(row_of(change, criterion));
  }
  const std::vector<std::string> lost = without(theirs, ours);
  add_unpaired(rows, criterion, lost, ": of the baseline, and not examined again",
               "may be as before");
  if (lost.size() == 1)
    rows.back().where = {.scope = finding::Scope::host, .at = {.host = lost.front()}};
  add_unpaired(rows, criterion, without(ours, theirs), ": not in the baseline");
  add_unpaired(rows, criterion, gone, ": of the baseline, and not checked again",
               "may be as before");
  rows.push_back({.criterion = criterion,
                  .answer = same > 0 ? Answer::passed : Answer::note,
                  .remark = finding::counted(same, "check") + " as in the baseline"});
  return rows;
}

}  // namespace railgauge::verdict
