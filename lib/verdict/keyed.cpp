#include "verdict/keyed.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "finding/words.hpp"
#include "measure/cpu_share.hpp"
#include "results/sweep_point.hpp"

namespace railgauge::verdict {
namespace {

/// The share of durations that are not longer, from the quantiles of them.
double share_below(const std::vector<double>& quantiles, double time_us) {
  const auto below = std::ranges::upper_bound(quantiles, time_us) - quantiles.begin();
  return static_cast<double>(below) / static_cast<double>(quantiles.size() + 1);
}

/// The largest distance between two distributions: the statistic of Kolmogorov and Smirnov.
double distance(const std::vector<double>& ours, const std::vector<double>& theirs) {
  double largest = 0;
  for (const auto* times : {&ours, &theirs}) {
    for (const double time : *times)
      largest = std::max(largest, std::abs(share_below(ours, time) - share_below(theirs, time)));
  }
  return largest;
}

/// Whether chance, or what lies between two quantiles, does not explain the difference.
bool differ(const Distribution& ours, const Distribution& theirs) {
  constexpr double kOfOnePercent = 1.63;  // two samples, 1 %
  const auto n = static_cast<double>(ours.messages);
  const auto m = static_cast<double>(theirs.messages);
  if (ours.quantiles_us.empty() || theirs.quantiles_us.empty() || n * m == 0) return false;
  const double resolution = 1.0 / static_cast<double>(ours.quantiles_us.size() + 1);
  return distance(ours.quantiles_us, theirs.quantiles_us) >
         resolution + kOfOnePercent * std::sqrt((n + m) / (n * m));
}

bool is_worse(const Keyed& ours, double value, double theirs, double tolerance) {
  const double allowed = std::max(tolerance, ours.tolerance);
  return ours.more_is_better ? value < (1 - allowed) * theirs : value > (1 + allowed) * theirs;
}

/// By more than chance.
bool fails(const Keyed& ours, const Keyed& theirs, double tolerance) {
  if (!is_worse(ours, *ours.row.ours, *theirs.row.ours, tolerance)) return false;
  return !ours.times || (theirs.times && differ(*ours.times, *theirs.times));
}

/// Why what is worse may be the hosts' doing.
std::string excuse_of(const Keyed& ours, const Keyed& theirs, double tolerance) {
  if (!ours.undisturbed) return ours.excuse;
  return is_worse(ours, *ours.undisturbed, *theirs.row.ours, tolerance) ? "" : ours.excuse;
}

void add_path(Row& row, const Keyed& ours, const Keyed& theirs) {
  if (ours.path.empty() || theirs.path.empty() || ours.path == theirs.path) return;
  row.remark +=
      (row.remark.empty() ? "over " : "; over ") + ours.path + ", then over " + theirs.path;
}

/// A figure and the one of the same key, which worked.
void compare(Row& row, const Keyed& ours, const Keyed& theirs, double tolerance) {
  row.theirs = theirs.row.ours;
  if (!ours.failed.empty()) {
    row.answer = Answer::failed;
    row.cause = finding::Cause::unreachable;
    row.remark = "does not work any more: " + ours.failed;
  } else if (!row.ours || !row.theirs) {
    row.remark = "without a figure on one side";
  } else {
    row.answer = Answer::passed;
    const double ratio = *row.ours / *row.theirs;
    if (ratio > 0 && *row.theirs > 0) row.ratio = ours.more_is_better ? ratio : 1 / ratio;
    if (fails(ours, theirs, tolerance)) {
      row.answer = Answer::failed;
      row.remark = ours.more_is_better ? "slower than the baseline"
                   : ours.times ? "longer latency than the baseline, and distributed otherwise"
                                : "longer than in the baseline";
    }
  }
  if (row.answer == Answer::failed) {
    row.excuse = excuse_of(ours, theirs, tolerance);
    if (!row.excuse.empty()) row.answer = Answer::open;
  }
  add_path(row, ours, theirs);
}

Row compared(const Keyed& ours, const Keyed* theirs, const std::string& criterion,
             double tolerance) {
  Row row = ours.row;
  row.criterion = criterion;
  if (ours.counts_events) {
    row.theirs = theirs == nullptr ? 0 : theirs->row.ours;
    row.answer = theirs == nullptr ? Answer::failed : Answer::note;
    if (theirs == nullptr) row.remark += ": the baseline has none";
  } else if (theirs == nullptr || !theirs->failed.empty()) {
    row.remark = theirs == nullptr ? "not in the baseline" : "did not work in the baseline";
  } else {
    compare(row, ours, *theirs, tolerance);
  }
  return row;
}

/// Of the path from one NIC to another, without a figure. Paths are the same if their ends are the
/// same planes of the same rails of the same hosts.
Keyed keyed_path(const results::Endpoint& from, const results::Endpoint& to,
                 const std::string& mode) {
  Keyed one{.row = {.subject = Subject::path, .setting = mode}};
  one.row.where = {.scope = finding::Scope::path, .at = place_of(from), .peer = place_of(to)};
  finding::Location place = one.row.where;
  place.at.device.clear();  // a replaced NIC may have another name
  place.peer->device.clear();
  one.key = key_of(place) + " " + mode;
  return one;
}

}  // namespace

Rows against_keyed(const std::vector<Keyed>& ours, const std::vector<Keyed>& theirs,
                   const std::string& criterion, double tolerance) {
  std::map<std::string, const Keyed*> left;
  for (const Keyed& one : theirs) left.emplace(one.key, &one);
  Rows rows;
  for (const Keyed& one : ours) {
    const auto found = left.find(one.key);
    rows.push_back(
        compared(one, found == left.end() ? nullptr : found->second, criterion, tolerance));
    if (found != left.end()) left.erase(found);
  }
  std::erase_if(left, [](const auto& one) {  // a tail is missing with its median
    return one.second->counts_events || one.second->row.subject == Subject::tail;
  });
  if (!left.empty())
    rows.push_back({.criterion = criterion,
                    .subject = Subject::missing,
                    .remark = std::to_string(left.size()) + " of the baseline not measured",
                    .missing = left.size()});
  return rows;
}

namespace {

using results::PairFigures;
using results::PairRow;

void add_bandwidth(Keyed& one, const PairFigures& figures) {
  one.more_is_better = true;
  one.row.unit = "GB/s";
  one.row.cause = finding::Cause::bandwidth;
  one.row.ours = figures.gigabytes_per_second;
  const bool of_unknown_length = !figures.descheduled.empty() && figures.descheduled_ms == 0;
  if (of_unknown_length || !figures.reason.empty()) return;
  const double share =
      measure::share_beside_stall(figures.cpu_share, figures.descheduled_ms, figures.seconds);
  one.undisturbed = measure::rate_at_full_share(*one.row.ours, share);
  if (one.excuse.empty()) one.excuse = measure::cpu_share_text(figures.cpu_share);
}

void add_latency(Keyed& one, const PairFigures& figures) {
  one.row.unit = "us";
  one.row.cause = finding::Cause::latency;
  one.row.ours = figures.time->p50_us;
  one.times = {figures.messages, figures.quantiles_us};
}

Keyed keyed(const PairRow& pair) {
  Keyed one = keyed_path(pair.from, pair.to, pair.mode);
  one.failed = pair.figures.reason;
  one.excuse = pair.figures.descheduled;
  if (pair.path_label == results::PathLabel::told) one.path = path_text(pair.paths);
  if (pair.figures.gigabytes_per_second) {
    add_bandwidth(one, pair.figures);
  } else if (pair.figures.time) {
    add_latency(one, pair.figures);
  }
  return one;
}

}  // namespace

std::vector<Keyed> keyed_of(const results::PairsBody& body, const finding::Report& /*own*/) {
  std::vector<Keyed> all;
  all.reserve(body.rows.size());
  for (const PairRow& pair : body.rows) all.push_back(keyed(pair));
  return all;
}

namespace {

using results::SoakRow;

Keyed keyed(const SoakRow& soak, Subject subject, double time_us, double tolerance) {
  Keyed one{.row = {.subject = subject,
                    .setting = "rails " + results::joined(soak.phase.rails),
                    .collective = soak.phase.collective,
                    .algorithm = soak.phase.algorithm,
                    .size_bytes = soak.phase.size_bytes,
                    .unit = "us"},
            .tolerance = tolerance};
  if (time_us > 0) one.row.ours = time_us;
  one.key = finding::joined({std::string(word(subject)), one.row.collective, one.row.algorithm,
                             std::to_string(soak.phase.size_bytes), one.row.setting});
  return one;
}

/// By windows: one soak may have lasted longer.
std::map<finding::Cause, double> windows_by_cause(const finding::Report& own) {
  std::map<finding::Cause, double> windows;
  for (const finding::Finding& one : own.findings) {
    if (one.check == "soak")
      windows[one.cause] += one.when ? static_cast<double>(one.when->count) : 1;
  }
  return windows;
}

}  // namespace

std::vector<Keyed> keyed_of(const results::SoakBody& body, const finding::Report& own) {
  constexpr double kOfTails = 0.25;  // they vary more than medians
  std::vector<Keyed> all;
  for (const SoakRow& row : body.rows) {
    all.push_back(keyed(row, Subject::size, row.p50_us, 0));
    all.push_back(keyed(row, Subject::tail, row.p999_us, kOfTails));
    all.back().row.remark = "p99.9 of an iteration";
  }
  for (const auto& [cause, windows] : windows_by_cause(own)) {
    Row row{.ours = windows, .remark = "windows with " + std::string(facts_of(cause).headline)};
    row.cause = cause;
    all.push_back({.key = row.remark, .row = row, .counts_events = true});
  }
  return all;
}

}  // namespace railgauge::verdict
