#include "experiments/pairs/pairs_display.hpp"

#include <cmath>
#include <iomanip>
#include <iostream>

#include "finding/words.hpp"
#include "pairs/heat_map.hpp"
#include "pairs/judgement.hpp"
#include "pairs/map.hpp"
#include "pairs/shared_paths.hpp"

namespace railgauge::runner {
namespace {

using results::PairRow;
using results::PairsBody;
using results::PairsSummary;

constexpr std::size_t kWorst = 10;

std::string number(double value) {
  return finding::number(value, 4);  // digits
}

template <class Summary>
std::string medians_of(const Summary& paths) {
  std::string text;
  if (paths.median_gigabytes_per_second)
    text = ", fast ones " + number(*paths.median_gigabytes_per_second) +
           " GB/s (median), slowest " + number(*paths.slowest_gigabytes_per_second) + " GB/s";
  if (paths.median_us)
    text += ", fast ones " + number(*paths.median_us) + " us (median), slowest " +
            number(*paths.slowest_us) + " us";
  return text;
}

/// Of all, then of those over each number of switches, if they differ.
std::string lines_of(const PairsSummary& kind) {
  std::string text = kind.mode + (kind.same_rail ? ", same rail: " : ", other rails: ") +
                     std::to_string(kind.finished) + " of " + std::to_string(kind.measured) +
                     " paths work" + medians_of(kind) +
                     (kind.limit.empty() ? "" : ", limit " + kind.limit) + "\n";
  if (kind.by_switches.size() < 2) return text;
  for (const auto& paths : kind.by_switches) {
    text += "  over " + std::to_string(paths.switches) +
            (paths.switches == 1 ? " switch: " : " switches: ") + std::to_string(paths.measured) +
            " paths" + medians_of(paths) + "\n";
  }
  return text;
}

std::string figures_of(const PairRow& row) {
  const auto& figures = row.figures;
  if (pairs::lacks_answers(row)) return row.remark;
  if (!figures.reason.empty()) return figures.reason;
  std::string text;
  if (figures.gigabytes_per_second) text = number(*figures.gigabytes_per_second) + " GB/s";
  if (figures.line_rate_percent) text += ", " + number(*figures.line_rate_percent) + " %";
  if (!figures.time) return text;
  return text + (text.empty() ? "" : ", ") + "p50 " + number(figures.time->p50_us) + " p99 " +
         number(figures.time->p99_us) + " p99.9 " + number(figures.time->p999_us) + " max " +
         number(figures.time->max_us) + " us";
}

std::string path_of(const PairRow& row) {
  const std::string path = results::path_text(row.paths);
  const std::string sharing = pairs::shared_path_text(row.paths);
  return path.empty() ? "" : ", over " + path + (sharing.empty() ? "" : ", where " + sharing);
}

void print_worst(const std::vector<PairRow>& rows) {
  std::cout << "\nWorst first:\n";
  for (const PairRow* row : pairs::worst_of(rows, kWorst)) {
    std::cout << "  " << std::left << std::setw(8) << results::word(row->verdict) << std::setw(10)
              << row->mode << std::right << pairs::name_of(row->from) << " to "
              << pairs::name_of(row->to) << ": " << figures_of(*row)
              << (row->alone ? " (alone)" : "") << path_of(*row)
              << (row->limit.empty() ? "" : "; limit " + row->limit) << "\n";
  }
}

void print_maps(const std::vector<PairRow>& rows, bool colours) {
  std::cout << "Rows send, columns receive. 9: as fast as comparable fast paths, 7 and less: slow, "
               "X: failed, .: not measured, or only the other direction is dead; of more than "
            << pairs::kMostOnMap << " NICs each pair of hosts shows its worst path\n";
  for (const std::string& mode : pairs::modes_of(rows)) {
    const auto map = pairs::map_of(rows, mode);
    if (map) std::cout << "\n" << mode << "\n" << pairs::heat_map(*map, colours);
  }
}

/// "1 h 5 min", "12 s": about.
std::string duration_in_words(double seconds) {
  constexpr std::int64_t kMinute = 60;
  constexpr std::int64_t kHour = 3600;
  const auto whole = static_cast<std::int64_t>(std::ceil(seconds));
  if (whole >= kHour)
    return std::to_string(whole / kHour) + " h " + std::to_string(whole % kHour / kMinute) + " min";
  if (whole >= kMinute)
    return std::to_string(whole / kMinute) + " min " + std::to_string(whole % kMinute) + " s";
  return std::to_string(whole) + " s";
}

}  // namespace

PairsDisplay::PairsDisplay(const Expected& expected, RunOptions::Progress progress, bool colours)
    : expected_(expected), terminal_(progress_stream(progress)), colours_(colours) {}

void PairsDisplay::begin(const results::Document& document) {
  std::cout << "# " << expected_.nics << " NICs of " << document.ranks.size()
            << " hosts: " << expected_.rows << " paths in " << expected_.rounds << " rounds, about "
            << duration_in_words(expected_.seconds);
  if (expected_.asking_seconds > 0)
    std::cout << ", after " << duration_in_words(expected_.asking_seconds)
              << " at most to ask switches for paths";
  if (expected_.kept > 0)
    std::cout << "; " << expected_.kept << " paths of an earlier run are kept";
  std::cout << "\n";
  if (expected_.rounds_in_time < expected_.rounds) {
    std::cout << "# --max-time " << duration_in_words(expected_.most_seconds)
              << ": a random sample, about " << expected_.rounds_in_time << " of these rounds\n";
  }
  if (expected_.software) std::cout << "# SOFTWARE DEVICE: figures say nothing about hardware\n";
  std::cout << std::flush;
  if (terminal_ != nullptr)
    progress_.emplace(*terminal_, expected_.rows, static_cast<double>(expected_.rows));
}

void PairsDisplay::advance(std::size_t rows) {
  if (progress_) progress_->rows(rows);
}

void PairsDisplay::clear() {
  if (progress_) progress_->clear();
}

void PairsDisplay::end(const results::Document& document) {
  const auto& body = std::get<PairsBody>(document.body);
  if (body.rows.empty()) return;
  print_maps(body.rows, colours_);
  print_worst(body.rows);
  std::cout << "\n";
  for (const PairsSummary& kind : body.summary) std::cout << lines_of(kind);
  std::cout << std::flush;
}

}  // namespace railgauge::runner
