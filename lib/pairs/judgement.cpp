#include "pairs/judgement.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <utility>

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

double speed_in(const PairFigures& figures) {
  if (!figures.reason.empty()) return 0;
  if (figures.gigabytes_per_second) return *figures.gigabytes_per_second;
  return figures.time && figures.time->p50_us > 0 ? 1 / figures.time->p50_us : 0;
}

using Kind = std::pair<std::string, bool>;  // mode, same rail

Kind kind_of(const PairRow& row) {
  return {row.mode, row.same_rail};
}

struct KindSpeeds {
  std::vector<double> sorted{};  // of those that finished
  [[nodiscard]] bool comparable() const { return sorted.size() >= kLeastOfKind; }
  /// Of an even number the faster of the two in the middle.
  [[nodiscard]] double median() const { return sorted[sorted.size() / 2]; }
};

/// As a way was measured together with others, if it was.
const PairFigures& in_company(const PairRow& row) {
  return row.earlier.empty() ? row.figures : row.earlier.front();
}

const PairFigures& counted(const PairRow& row) {
  return row.figures;
}

using Choice = const PairFigures& (*)(const PairRow& row);

std::map<Kind, KindSpeeds> kinds_of(const std::vector<PairRow>& rows, Choice choice) {
  std::map<Kind, KindSpeeds> kinds;
  for (const PairRow& row : rows) {
    KindSpeeds& kind = kinds[kind_of(row)];
    const PairFigures& figures = choice(row);
    if (figures.reason.empty()) kind.sorted.push_back(speed_in(figures));
  }
  for (auto& [name, kind] : kinds) std::ranges::sort(kind.sorted);
  return kinds;
}

/// A speed as people say it.
std::string said(const std::string& mode, double speed) {
  if (mode == kBandwidth) return number(speed) + " GB/s";
  return speed > 0 ? number(1 / speed) + " us" : "nothing";
}

/// Rows against what they are held to. Medians are of figures in company: what is measured again
/// alone may be faster for that only, and must not make others look slow.
class Scale {
 public:
  Scale(const std::vector<PairRow>& rows, const Limits& limits)
      : limits_(limits), kinds_(kinds_of(rows, in_company)) {}

  /// Why it is slow; empty: it is not, or nothing says so.
  [[nodiscard]] std::string slowness(const PairRow& row) const {
    const auto& percent = row.figures.line_rate_percent;
    const double speed = speed_in(row.figures);
    if (limits_.holds_line_rate && percent && *percent < limits_.line_rate_percent) {
      return said(row.mode, speed) + ", " + number(*percent) + " % of line rate, below " +
             number(limits_.line_rate_percent) + " %";
    }
    const KindSpeeds& kind = kinds_.at(kind_of(row));
    if (!kind.comparable() || speed >= limits_.median_share * kind.median()) return "";
    return said(row.mode, speed) + ", compared with a median of " + said(row.mode, kind.median()) +
           (row.same_rail ? " of pairs on one rail" : " of pairs across rails");
  }

  /// Whether anything speaks for it.
  [[nodiscard]] bool is_comparable(const PairRow& row) const {
    return (limits_.holds_line_rate && row.figures.line_rate_percent) ||
           kinds_.at(kind_of(row)).comparable();
  }

  /// The smaller, the worse.
  [[nodiscard]] double share(const PairRow& row) const {
    const KindSpeeds& kind = kinds_.at(kind_of(row));
    return kind.sorted.empty() ? 0 : speed_in(row.figures) / kind.median();
  }

 private:
  Limits limits_;
  std::map<Kind, KindSpeeds> kinds_;
};

void set_verdict(PairRow& row, const Scale& scale) {
  row.verdict = PairVerdict::fail;
  row.remark = row.figures.reason;
  if (!row.remark.empty()) return;
  row.remark = scale.slowness(row);
  if (!row.remark.empty()) {
    if (row.alone) return;
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

PairsSummary summary_of(const Kind& kind, const std::vector<PairRow>& rows,
                        const KindSpeeds& speeds) {
  PairsSummary summary{.mode = kind.first, .same_rail = kind.second};
  for (const PairRow& row : rows) {
    if (kind_of(row) != kind) continue;
    ++summary.measured;
    summary.finished += row.figures.reason.empty() ? 1 : 0;
    summary.failed += row.verdict == PairVerdict::fail ? 1 : 0;
    summary.unknown += row.verdict == PairVerdict::unknown ? 1 : 0;
  }
  if (speeds.sorted.empty()) return summary;
  if (kind.first == kBandwidth) {
    summary.median_gigabytes_per_second = speeds.median();
    summary.slowest_gigabytes_per_second = speeds.sorted.front();
  } else if (speeds.sorted.front() > 0) {
    summary.median_us = 1 / speeds.median();
    summary.slowest_us = 1 / speeds.sorted.front();
  }
  return summary;
}

using EndOf = Endpoint PairRow::*;

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

}  // namespace

std::string name_of(const Endpoint& end) {
  return end.host + " rail " + std::to_string(end.rail) +
         (end.plane > 0 ? " plane " + std::to_string(end.plane) : "") + " (" + end.device + ", " +
         end.address + ")";
}

double speed_of(const PairRow& row) {
  return speed_in(row.figures);
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
  if (speed_in(figures) >= speed_in(row.figures)) std::swap(row.figures, figures);
  row.earlier.push_back(std::move(figures));
  row.alone = row.alone || alone;
}

void set_repetitions(PairRow& row, std::vector<PairFigures> repetitions) {
  const auto speed = [](const PairFigures& one) { return speed_in(one); };
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
  for (const auto& [kind, speeds] : kinds_of(body.rows, counted)) {
    body.summary.push_back(summary_of(kind, body.rows, speeds));
    modes.insert(kind.first);
  }
  for (const std::string& mode : modes) {
    std::vector<std::string> found = Findings(body.rows, scale, mode).all();
    std::ranges::move(found, std::back_inserter(body.findings));
  }
  const auto doubts = std::ranges::count_if(body.rows, [&](const PairRow& row) {
    return row.verdict == PairVerdict::unknown && scale.is_comparable(row);
  });
  if (doubts == 0) return {};
  return {std::to_string(doubts) +
          " more ways look slow, and were not measured again alone: they are UNKNOWN"};
}

}  // namespace railgauge::pairs
