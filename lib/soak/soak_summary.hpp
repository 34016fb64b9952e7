#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "measure/histogram.hpp"
#include "results/document.hpp"
#include "soak/finding_list.hpp"
#include "soak/record.hpp"
#include "soak/watcher.hpp"
#include "soak/window_coverage.hpp"

namespace railgauge::soak {

/// Phases over all windows.
class Totals {
 public:
  explicit Totals(const std::vector<Phase>& plan);

  /// Fills the ratios of a window, which follows on `measured_s` seconds of others, to the median
  /// of the first hour. A window of that hour is part of what it is compared with.
  void take(Window& window, double measured_s);
  [[nodiscard]] std::vector<results::SoakRow> rows() const;

 private:
  struct OfPhase {
    results::SoakRow row{};
    measure::Histogram first_hour{};  // medians
    measure::Histogram p50{};
    measure::Histogram p99{};
    measure::Histogram p999{};
    double busbw_us = 0;  // bandwidth times median, the same in every window
    double ratios = 0;    // of job completion time: how many, and of them
    double mean = 0;      // the mean and
    double squares = 0;   // the squares of what they differ from it (Welford)

    void take(PhaseSample& sample, double measured_s);
    void take_ratio(double ratio);
    [[nodiscard]] results::SoakRow so_far() const;
  };

  std::vector<OfPhase> phases_;
};

/// A soak so far, window by window: on rank 0 while it runs, and again from its record when it is
/// resumed. Memory is bounded.
class SoakSummary {
 public:
  explicit SoakSummary(const Header& header);

  /// A window that has just been measured: its ratios are filled. Returns what was found with it.
  [[nodiscard]] std::vector<finding::Finding> take(Window& window);
  /// A run goes on after this gap.
  [[nodiscard]] std::vector<finding::Finding> take(const Gap& gap);
  /// The record could not take the last window: without it nobody can check or resume the soak.
  void miss_record() { coverage_.miss_record(); }
  /// A line of the record, in its order; its findings are those that were made then.
  void take_again(Line line);

  [[nodiscard]] std::uint64_t last_window() const { return last_window_; }
  [[nodiscard]] double measured_s() const { return measured_s_; }
  /// When the last window ended; the header's start if there was none.
  [[nodiscard]] std::chrono::system_clock::time_point until() const { return until_; }
  /// Whether the next windows will show that packets were lost, or late (Watcher).
  [[nodiscard]] bool misses_packets() const { return watcher_.misses_packets(); }

  [[nodiscard]] finding::Report report() const;
  [[nodiscard]] Figures figures() const { return coverage_.figures(); }

  /// Fills a document's part: figures, gaps, rows.
  void fill(results::SoakBody& body) const;
  /// Fills a state but for the ports.
  void fill(State& state) const;

 private:
  void take_whole(Window& window);
  void take_finding(const finding::Finding& finding);

  std::string run_;
  Watcher watcher_;
  FindingList findings_;
  WindowCoverage coverage_;
  Totals totals_;
  std::vector<Gap> gaps_;
  std::uint64_t events_ = 0;
  std::uint64_t last_window_ = 0;
  double measured_s_ = 0;
  std::chrono::system_clock::time_point until_;
};

/// How many windows of its duration are in a record to which nothing is added any more: its disk
/// was full, as the state says, or its run was killed: then nothing has come for three windows and
/// a minute. Empty: the record has an end, or grows.
[[nodiscard]] std::optional<finding::Coverage> cut_short(const Record& record,
                                                         const std::optional<State>& state,
                                                         std::chrono::system_clock::time_point now);

/// A record as the result document that its run wrote, or would have written by now: summarised
/// again window by window, with the findings that were made then. Its counters are what moved in
/// all windows, from 0 on. A record without an end has no exit code: it runs, or it is cut short,
/// which is in the coverage as "record".
[[nodiscard]] results::Document document_of(const Record& record, const std::string& path);

}  // namespace railgauge::soak
