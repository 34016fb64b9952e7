#include "pairs/judgement.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "measure/ran_share.hpp"
#include "pairs/medians.hpp"

namespace railgauge::pairs {
namespace {

using results::Endpoint;
using results::PairFigures;
using results::PairRow;
using results::PairsSummary;
using results::PairVerdict;

constexpr const char* kBandwidth = "bandwidth";

/// "12.3".
std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g", value);
  return text;
}

/// A speed as people say it.
std::string said(const std::string& mode, double speed) {
  if (mode == kBandwidth) return number(speed) + " GB/s";
  return speed > 0 ? number(1 / speed) + " us" : "nothing";
}

/// " over 3 switches"; of none, and of an unknown number, "".
std::string over(std::optional<int> switches) {
  if (switches.value_or(0) == 0) return "";
  return " over " + std::to_string(*switches) + (*switches == 1 ? " switch" : " switches");
}

/// Rows against what they are held to.
class Scale {
 public:
  Scale(const std::vector<PairRow>& rows, const Limits& limits) : limits_(limits), medians_(rows) {}

  /// Why it is slow; empty: it is not, or nothing says so.
  [[nodiscard]] std::string slowness(const PairRow& row) const {
    const auto& percent = row.figures.line_rate_percent;
    const double speed = speed_of(row);
    if (limits_.holds_line_rate && percent && *percent < limits_.line_rate_percent) {
      return said(row.mode, speed) + ", " + number(*percent) + " % of line rate, below " +
             number(limits_.line_rate_percent) + " %";
    }
    const Speeds& like = medians_.of(row);
    if (!like.comparable()) return "";
    const double median = medians_.median_for(row);
    if (speed >= limits_.median_share * median) return "";
    return said(row.mode, speed) + ", compared with a median of " + said(row.mode, median) +
           (median < like.median() ? " for such a link" : "") +
           (like.of_fast ? " of fast pairs" : " of pairs") +
           (row.same_rail ? " on one rail" : " across rails") + over(medians_.switches_of(row));
  }

  /// Whether anything speaks for it.
  [[nodiscard]] bool is_comparable(const PairRow& row) const {
    return (limits_.holds_line_rate && row.figures.line_rate_percent) ||
           medians_.of(row).comparable();
  }

  /// The smaller, the worse.
  [[nodiscard]] double share(const PairRow& row) const {
    const double median = medians_.median_for(row);
    return median > 0 ? speed_of(row) / median : 0;
  }

  [[nodiscard]] const Medians& medians() const { return medians_; }

 private:
  Limits limits_;
  Medians medians_;
};

/// Whether a bandwidth would be enough in all the time.
bool is_explained(const PairFigures& one, const PairRow& row, const Scale& scale) {
  if (measure::ran_all_the_time(one.ran_share) || !one.gigabytes_per_second) return false;
  PairRow undisturbed = row;
  undisturbed.figures = one;
  for (auto* rate :
       {&undisturbed.figures.gigabytes_per_second, &undisturbed.figures.line_rate_percent}) {
    if (*rate) **rate = measure::rate_in_all_the_time(**rate, one.ran_share);
  }
  return scale.slowness(undisturbed).empty();
}

/// Of a way that is bad: why no attempt convicts it of those that would, which were alone, or all
/// of one that never worked. Empty if one does: it was not held up, and its ends ran all the time,
/// or none would have been fast enough in all the time.
std::string excuse_of(const PairRow& row, const Scale& scale) {
  std::string excuse;
  const auto take = [&](const PairFigures& one) {
    if (!one.alone && row.figures.reason.empty()) return true;
    if (!one.held_up.empty()) {
      excuse = one.held_up;
    } else if (is_explained(one, row, scale)) {
      excuse = measure::ran_text(one.ran_share);
    } else {
      return one.reason.empty() && !measure::ran_all_the_time(one.ran_share);
    }
    return true;
  };
  const bool none_convicts = take(row.figures) && std::ranges::all_of(row.earlier, take);
  return none_convicts ? excuse : "";
}

void set_verdict(PairRow& row, const Scale& scale) {
  row.verdict = PairVerdict::fail;
  const bool failed = !row.figures.reason.empty();
  row.remark = failed ? row.figures.reason : scale.slowness(row);
  if (const std::string excuse = excuse_of(row, scale); !row.remark.empty() && !excuse.empty()) {
    row.verdict = PairVerdict::unknown;
    row.remark = std::string(failed ? "failed: " : "looks slow: ") + row.remark + "; but " + excuse;
  } else if (!row.remark.empty()) {
    if (failed || row.alone) return;
    row.verdict = PairVerdict::unknown;
    row.remark = "looks slow: " + row.remark + "; it was not measured again alone";
  } else if (!scale.is_comparable(row)) {
    row.verdict = PairVerdict::unknown;
    row.remark =
        "there is nothing to compare it with: no line rate that means something, and too "
        "few ways of its kind";
  } else {
    row.verdict = PairVerdict::pass;
  }
}

/// Their median, and the slowest, in the unit of their mode. The slowest is of the figures that
/// count; the median is what these are held to.
template <class Summary>
void set_figures(Summary& summary, const std::string& mode, const Speeds& held_to, double slowest) {
  if (held_to.sorted.empty()) return;
  if (mode == kBandwidth) {
    summary.median_gigabytes_per_second = held_to.median();
    summary.slowest_gigabytes_per_second = slowest;
  } else if (slowest > 0) {
    summary.median_us = 1 / held_to.median();
    summary.slowest_us = 1 / slowest;
  }
}

/// Of these, and how many they are.
class Tally {
 public:
  void add(const PairRow& row) {
    ++measured;
    finished += row.figures.reason.empty() ? 1 : 0;
    failed += row.verdict == PairVerdict::fail ? 1 : 0;
    unknown += row.verdict == PairVerdict::unknown ? 1 : 0;
    if (!row.figures.reason.empty()) return;
    slowest = finished == 1 ? speed_of(row) : std::min(slowest, speed_of(row));
  }

  std::uint64_t measured = 0;
  std::uint64_t finished = 0;
  std::uint64_t failed = 0;
  std::uint64_t unknown = 0;
  double slowest = 0;
};

/// Numbers of switches over which enough ways go to be compared with each other.
std::vector<results::PairsOverSwitches> by_switches(const Medians::Kind& kind,
                                                    const std::vector<PairRow>& rows,
                                                    const Medians& medians) {
  const auto& [mode, same_rail] = kind;
  std::map<int, std::pair<Tally, const Speeds*>> groups;
  for (const PairRow& row : rows) {
    if (row.mode != mode || row.same_rail != same_rail) continue;
    const auto switches = medians.switches_of(row);
    if (!switches) continue;
    auto& [tally, speeds] = groups[*switches];
    tally.add(row);
    speeds = &medians.of(row);
  }
  std::vector<results::PairsOverSwitches> all;
  for (const auto& [switches, group] : groups) {
    all.push_back({.switches = switches, .measured = group.first.measured});
    set_figures(all.back(), mode, *group.second, group.first.slowest);
  }
  return all;
}

PairsSummary summary_of(const Medians::Kind& kind, const std::vector<PairRow>& rows,
                        const Medians& medians) {
  const auto& [mode, same_rail] = kind;
  Tally tally;
  for (const PairRow& row : rows) {
    if (row.mode == mode && row.same_rail == same_rail) tally.add(row);
  }
  PairsSummary summary{.mode = mode,
                       .same_rail = same_rail,
                       .measured = tally.measured,
                       .finished = tally.finished,
                       .failed = tally.failed,
                       .unknown = tally.unknown};
  set_figures(summary, mode, medians.kinds().at(kind), tally.slowest);
  summary.by_switches = by_switches(kind, rows, medians);
  return summary;
}

/// Ways are held to those over as many switches, which would hide that all over more are slow. Of
/// bandwidth, which does not become less with every switch.
std::vector<std::string> slower_over_more(const std::vector<PairsSummary>& kinds,
                                          const Limits& limits) {
  std::vector<std::string> texts;
  for (const PairsSummary& kind : kinds) {
    for (std::size_t at = 1; at < kind.by_switches.size(); ++at) {
      const auto& near = kind.by_switches[at - 1];
      const auto& far = kind.by_switches[at];
      if (!near.median_gigabytes_per_second || !far.median_gigabytes_per_second) continue;
      if (*far.median_gigabytes_per_second >=
          limits.median_share * *near.median_gigabytes_per_second) {
        continue;
      }
      texts.push_back("pairs on " + std::string(kind.same_rail ? "one rail" : "different rails") +
                      over(far.switches) + " have a median of " +
                      said(kind.mode, *far.median_gigabytes_per_second) + ", and" +
                      over(near.switches) + " of " +
                      said(kind.mode, *near.median_gigabytes_per_second) +
                      ": links between switches are slow or oversubscribed, or crowded by these "
                      "tests");
    }
  }
  return texts;
}

/// What is wrong with the rows of one mode, shortest first: what all ways of a NIC have in common
/// is said once.
class Findings {
 public:
  Findings(const std::vector<PairRow>& rows, const Scale& scale, std::string mode)
      : rows_(rows), scale_(scale), mode_(std::move(mode)) {
    for (std::size_t at = 0; at < rows.size(); ++at) {
      if (rows[at].mode != mode_) continue;
      by_end_[0][rows[at].from].push_back(at);
      by_end_[1][rows[at].to].push_back(at);
    }
  }

  std::vector<std::string> all() {
    for (const auto& [nic, sent] : by_end_[0]) dead(nic, sent);
    for (const auto& [nic, ways] : by_end_[0]) of_end(nic, ways, "sends");
    for (const auto& [nic, ways] : by_end_[1]) of_end(nic, ways, "receives");
    for (std::size_t at = 0; at < rows_.size(); ++at) {
      if (is_open(at)) texts_.push_back(text_of(rows_[at]));
    }
    return std::move(texts_);
  }

 private:
  [[nodiscard]] bool is_open(std::size_t at) const {
    return rows_[at].mode == mode_ && rows_[at].verdict == PairVerdict::fail && !told_.contains(at);
  }
  /// Of which there were too many to measure all of them again.
  [[nodiscard]] bool is_suspect(std::size_t at) const {
    return rows_[at].verdict == PairVerdict::unknown && scale_.is_comparable(rows_[at]);
  }
  [[nodiscard]] bool is_dead(std::size_t at) const {
    return is_open(at) && !rows_[at].figures.reason.empty();
  }

  void dead(const Endpoint& nic, const std::vector<std::size_t>& sent) {
    std::vector<std::size_t> ways = sent;
    const auto received = by_end_[1].find(nic);
    if (received != by_end_[1].end())
      ways.insert(ways.end(), received->second.begin(), received->second.end());
    if (ways.size() < 3 || !std::ranges::all_of(ways, [&](auto at) { return is_dead(at); })) return;
    texts_.push_back(name_of(nic) + " neither sends nor receives, in all " +
                     std::to_string(ways.size()) + " ways: " + rows_[ways.front()].figures.reason);
    told_.insert(ways.begin(), ways.end());
  }

  void of_end(const Endpoint& nic, const std::vector<std::size_t>& ways, const std::string& does) {
    const auto bad = [&](auto at) { return is_open(at) || is_suspect(at); };
    const auto open = std::ranges::count_if(ways, [&](auto at) { return is_open(at); });
    if (open < 2 || !std::ranges::all_of(ways, bad)) return;
    const auto worst = std::ranges::min_element(
        ways, {}, [&](std::size_t at) { return pairs::speed_of(rows_[at]); });
    texts_.push_back("all " + std::to_string(ways.size()) + " ways in which " + name_of(nic) + " " +
                     does + " are bad (" + mode_ + "), the worst with " +
                     name_of(does == "sends" ? rows_[*worst].to : rows_[*worst].from) + ": " +
                     rows_[*worst].remark);
    told_.insert(ways.begin(), ways.end());
  }

  static std::string text_of(const PairRow& row) {
    const bool failed = !row.figures.reason.empty();
    return name_of(row.from) + " to " + name_of(row.to) +
           (failed ? " does not work (" : " is slow (") + row.mode +
           (row.alone ? ", measured alone): " : "): ") + row.remark;
  }

  const std::vector<PairRow>& rows_;
  const Scale& scale_;
  std::string mode_;
  std::map<Endpoint, std::vector<std::size_t>> by_end_[2];  // that sends, that receives
  std::set<std::size_t> told_;
  std::vector<std::string> texts_;
};

/// Whether it works, and an attempt failed.
bool failed_at_times(const PairRow& row) {
  const auto has_failed = [](const PairFigures& one) { return !one.reason.empty(); };
  return row.figures.reason.empty() && (std::ranges::any_of(row.earlier, has_failed) ||
                                        std::ranges::count(row.repetitions, 0.0) > 0);
}

/// A sentence of all that did not work every time, with the first; none if there are none.
std::vector<std::string> interruptions(const std::vector<PairRow>& rows) {
  const auto count = std::ranges::count_if(rows, failed_at_times);
  if (count == 0) return {};
  const PairRow& first = *std::ranges::find_if(rows, failed_at_times);
  const auto failure = std::ranges::find_if(
      first.earlier, [](const PairFigures& one) { return !one.reason.empty(); });
  return {std::to_string(count) +
          (count == 1 ? " way that works failed when it was measured another time: "
                      : " ways that work failed when they were measured another time, the first ") +
          name_of(first.from) + " to " + name_of(first.to) + " (" + first.mode + ")" +
          (failure == first.earlier.end() ? "" : ": " + failure->reason)};
}

/// How many look bad and are UNKNOWN, a sentence for each reason.
std::vector<std::string> not_known(const std::vector<PairRow>& rows, const Scale& scale) {
  std::size_t unsure = 0;
  std::size_t excused = 0;
  std::string excuse;  // of the first
  for (const PairRow& row : rows) {
    const bool failed = !row.figures.reason.empty();
    if (row.verdict != PairVerdict::unknown || !(failed || scale.is_comparable(row))) continue;
    const std::string own = excuse_of(row, scale);
    if (excuse.empty()) excuse = own;
    ++(own.empty() ? unsure : excused);
  }
  std::vector<std::string> texts;
  if (excused > 0) {
    texts.push_back((excused == 1 ? "1 way looks" : std::to_string(excused) + " ways look") +
                    " bad only while a process at one end did not run all the time: UNKNOWN (" +
                    excuse + "): find what else runs there, and test again");
  }
  if (unsure > 0) {
    texts.push_back(std::to_string(unsure) +
                    " more ways look slow, and were not measured again alone: they are UNKNOWN");
  }
  return texts;
}

}  // namespace

std::string name_of(const Endpoint& end) {
  return end.host + " rail " + std::to_string(end.rail) +
         (end.plane > 0 ? " plane " + std::to_string(end.plane) : "") + " (" + end.device + ", " +
         end.address + ")";
}

std::vector<std::size_t> suspects(const std::vector<PairRow>& rows, const Limits& limits) {
  const Scale scale(rows, limits);
  std::vector<std::size_t> found;
  for (std::size_t at = 0; at < rows.size(); ++at) {
    const bool bad = !rows[at].figures.reason.empty() || !scale.slowness(rows[at]).empty();
    if (bad) found.push_back(at);
  }
  std::ranges::stable_sort(found, {}, [&](std::size_t at) { return scale.share(rows[at]); });
  return found;
}

void add_attempt(PairRow& row, PairFigures figures, bool alone) {
  figures.alone = alone;
  if (speed_of(figures) >= speed_of(row.figures)) std::swap(row.figures, figures);
  row.earlier.push_back(std::move(figures));
  row.alone = row.alone || alone;
}

void set_repetitions(PairRow& row, std::vector<PairFigures> repetitions) {
  const auto speed = [](const PairFigures& one) { return speed_of(one); };
  if (repetitions.size() > 1) {
    for (const PairFigures& one : repetitions) {
      const double of_one = speed(one);
      row.repetitions.push_back(row.mode == kBandwidth || of_one == 0 ? of_one : 1 / of_one);
    }
  }
  std::ranges::stable_sort(repetitions, {}, speed);
  row.figures = std::move(repetitions[(repetitions.size() - 1) / 2]);
}

std::vector<std::string> judge(results::PairsBody& body, const Limits& limits) {
  const Scale scale(body.rows, limits);
  for (PairRow& row : body.rows) set_verdict(row, scale);
  body.summary.clear();
  body.findings.clear();
  std::set<std::string> modes;
  for (const auto& [kind, speeds] : scale.medians().kinds()) {
    body.summary.push_back(summary_of(kind, body.rows, scale.medians()));
    modes.insert(std::get<0>(kind));
  }
  for (const std::string& mode : modes) {
    std::vector<std::string> found = Findings(body.rows, scale, mode).all();
    std::ranges::move(found, std::back_inserter(body.findings));
  }
  std::vector<std::string> doubts = slower_over_more(body.summary, limits);
  std::ranges::move(interruptions(body.rows), std::back_inserter(doubts));
  std::ranges::move(not_known(body.rows, scale), std::back_inserter(doubts));
  return doubts;
}

}  // namespace railgauge::pairs
