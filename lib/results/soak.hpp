#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "json/members.hpp"
#include "results/port_events.hpp"

namespace railgauge::results {

// A soak in a result document. Its samples, a window at a time, are in a record of its own
// (railgauge/soak/2, lib/soak); what both have is here.

/// What a soak runs again and again: a collective of one size on some rails.
struct SoakPhase {
  std::string collective{};  // "all_reduce"
  std::string algorithm{};   // "ring"
  std::uint64_t size_bytes = 0;
  std::vector<unsigned> rails{};  // that it drives; settled: none is not all

  friend bool operator==(const SoakPhase&, const SoakPhase&) = default;

  RAILGAUGE_FIELDS((collective), algorithm, (size_bytes), (rails))
};

/// The time between two runs of one record.
struct SoakGap {
  std::chrono::system_clock::time_point from{};  // the end of the last window that was kept
  std::chrono::system_clock::time_point to{};    // the start of the next
  std::uint64_t after_window = 0;                // number of the last that was kept; 0: of none
  std::uint64_t lost_windows = 0;                // as many as would have been in that time
  std::string why{};         // how the run before ended, in words: "rank 3 (host1): killed"
  std::string resumed_by{};  // "--resume on host0", "--supervise, restart 2 on host0"
  std::vector<std::string> rebooted{};  // hosts whose kernel has started since
  std::vector<PortEvents> counted{};    // from the last window that was kept until `to`

  RAILGAUGE_FIELDS((from), (to), after_window, lost_windows, why, resumed_by, rebooted, counted)
};

/// How much was carried and checked, over all windows.
struct SoakFigures {
  std::uint64_t windows = 0;
  std::uint64_t windows_without_counters = 0;  // in which counters of a port could not be read
  std::uint64_t bits = 0;                      // that rails carried in windows with all counters
  /// 3 / bits: 95 % confidence. Empty once a packet was lost or corrupted, or data were wrong.
  std::optional<double> bit_error_rate_bound{};
  /// Numbers, ascending, the first thousand: of a soak that fails those with errors, else those
  /// that could not be tested.
  std::vector<std::uint64_t> deciding_windows{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    RAILGAUGE_VISIT(windows, windows_without_counters, bits);
    visit.if_any("bit_error_rate_bound", self.bit_error_rate_bound);
    visit("deciding_windows", self.deciding_windows);
  }
};

/// One phase of the plan, over the whole soak.
struct SoakRow {
  SoakPhase phase{};
  std::uint64_t iterations = 0;
  std::uint64_t verified_iterations = 0;
  std::uint64_t wrong = 0;  // elements over all ranks
  std::uint64_t bytes = 0;  // that all ranks sent over all rails
  double p50_us = 0;        // medians over windows of the windows' quantiles
  double p99_us = 0;
  double p999_us = 0;
  double max_us = 0;                            // of all iterations
  double busbw_gigabytes_per_second = 0;        // at p50_us
  std::optional<double> jct_ratio{};            // of the last window
  std::optional<double> jct_ratio_deviation{};  // standard deviation over windows

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    SoakPhase::fields(self.phase, visit);
    RAILGAUGE_VISIT(iterations, verified_iterations, wrong, bytes, p50_us, p99_us, p999_us, max_us,
                    busbw_gigabytes_per_second, jct_ratio, jct_ratio_deviation);
  }
};

/// What a soak found.
struct SoakBody {
  static constexpr const char* kKind = "soak";

  std::string record{};  // the file with its samples, as it was named
  std::string run{};     // the record's id
  double window_s = 0;
  double load_percent = 0;
  SoakFigures figures{};
  /// Over all windows. Events of one cause at one place are one finding of the document.
  std::uint64_t events_seen = 0;
  std::vector<SoakGap> gaps{};
  std::vector<SoakRow> rows{};  // [phase of the plan]

  RAILGAUGE_FIELDS(record, run, (window_s), load_percent, figures, events_seen, gaps, rows)
};

}  // namespace railgauge::results
