#include "experiments/soak/soak_display.hpp"

#include <algorithm>
#include <cinttypes>
#include <iostream>

#include "measure/sizes.hpp"
#include "results/table.hpp"
#include "results/utc.hpp"
#include "soak/plan.hpp"

namespace railgauge::runner {
namespace {

constexpr double kPercent = 100;

std::uint64_t wrong_of(const soak::Window& window) {
  std::uint64_t wrong = 0;
  for (const soak::PhaseSample& phase : window.phases) wrong += phase.wrong;
  return wrong;
}

std::uint64_t iterations_of(const soak::Window& window) {
  std::uint64_t iterations = 0;
  for (const soak::PhaseSample& phase : window.phases) iterations += phase.iterations;
  return iterations;
}

double carried_gigabytes(const soak::Window& window) {
  double bytes = 0;
  for (const soak::PhaseSample& phase : window.phases) bytes += static_cast<double>(phase.bytes());
  return bytes / 1e9;
}

/// Of the phase that is slowest against its own first hour.
double worst_ratio(const soak::Window& window) {
  double worst = 0;
  for (const soak::PhaseSample& phase : window.phases) {
    worst = std::max(worst, phase.jct_ratio.value_or(0));
  }
  return worst;
}

void print_row(const results::SoakRow& row) {
  const double verified = row.iterations == 0
                              ? 0
                              : kPercent * static_cast<double>(row.verified_iterations) /
                                    static_cast<double>(row.iterations);
  std::cout << results::printed(
      "%12s %10s %8s %10" PRIu64 " %8.2f %6" PRIu64 " %10.2f %10.2f %10.2f %10.2f %8.2f\n",
      row.phase.collective.c_str(), measure::format_size(row.phase.size_bytes).c_str(),
      results::joined(row.phase.rails).c_str(), row.iterations, verified, row.wrong, row.p50_us,
      row.p99_us, row.p999_us, row.max_us, row.busbw_gigabytes_per_second);
}

}  // namespace

void SoakDisplay::begin(const results::Document& document) {
  std::cout << "# railgauge version " << document.tool.version << " commit " << document.tool.commit
            << "\n# Soak test starting\n#\n"
            << results::thread_line(progress_threads_) << results::device_lines(document)
            << results::label_lines(document) << "#\n";
}

void SoakDisplay::plan(const soak::Header& header, const std::string& record,
                       std::uint64_t windows) {
  for (std::size_t i = 0; i < header.plan.size(); ++i) {
    std::cout << results::printed("# Phase %zu: %s, %.2f us unpaced\n", i + 1,
                                  soak::in_words(header.plan[i]).c_str(),
                                  i < header.unpaced_us.size() ? header.unpaced_us[i] : 0.0);
  }
  std::cout << results::printed("# Load %.0f %%, windows of %.0f s, %.0f s in all\n",
                                header.load_percent, header.window_s, header.duration_s);
  std::cout << "# Record: " << record << "\n";
  if (windows > 0) std::cout << "# Resumed after window " << windows << "\n";
  std::cout << results::printed("#\n#%7s %20s %8s %10s %10s %6s %8s  %s\n", "window", "start (UTC)",
                                "length (s)", "iterations", "sent (GB)", "wrong", "JCT",
                                "outcome so far");
  std::cout << std::flush;
}

void SoakDisplay::window(const soak::Window& window, const std::vector<finding::Finding>& findings,
                         finding::Outcome so_far) {
  std::cout << results::printed("%8" PRIu64 " %20s %10.2f %10" PRIu64 " %10.3f %6" PRIu64
                                " %8.3f  %s\n",
                                window.number, results::utc(window.start).c_str(), window.length_s,
                                iterations_of(window), carried_gigabytes(window), wrong_of(window),
                                worst_ratio(window), std::string(word(so_far)).c_str());
  for (const finding::Finding& one : findings) finding(one);
  std::cout << std::flush;
}

void SoakDisplay::finding(const finding::Finding& finding) {
  std::cout << "# " << word(finding.severity) << ": " << sentence(finding) << "\n";
}

void SoakDisplay::outcome(const results::SoakBody& body, const finding::Report& report) {
  std::cout << results::printed("#\n#%11s %10s %8s %10s %8s %6s %10s %10s %10s %10s %8s\n",
                                "collective", "size", "rails", "iterations", "verified", "wrong",
                                "p50", "p99", "p99.9", "max", "busbw");
  std::cout << results::printed("#%11s %10s %8s %10s %8s %6s %10s %10s %10s %10s %8s\n", "", "(B)",
                                "", "", "(%)", "", "(us)", "(us)", "(us)", "(us)", "(GB/s)");
  for (const results::SoakRow& row : body.rows) print_row(row);
  std::cout << "# Soak: " << word(finding::outcome(report)) << " after " << body.figures.windows
            << " windows, " << body.events_seen << " events, " << body.gaps.size() << " gaps\n";
  if (body.figures.bit_error_rate_bound) {
    std::cout << results::printed("# Bit error rate below %.2g (95 %% confidence)\n",
                                  *body.figures.bit_error_rate_bound);
  }
  std::cout << std::flush;
}

}  // namespace railgauge::runner
