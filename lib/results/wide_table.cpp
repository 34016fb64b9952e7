#include "results/wide_table.hpp"

#include <cinttypes>
#include <ostream>

namespace railgauge::results {
namespace {

std::string number(double value) {
  return "  " + fitted(value, 8);
}

/// Small messages and software devices have a few MB/s: there two decimals say nothing.
std::string bandwidth(double gigabytes_per_second) {
  constexpr double kSmall = 0.1;
  const bool small = gigabytes_per_second > 0 && gigabytes_per_second < kSmall;
  return printed(small ? "  %7.5f" : "  %7.2f", gigabytes_per_second);
}

std::string interval_of(const Measurement& measured) {
  if (!measured.median_interval || measured.time.p50_us <= 0) return "     -";
  const auto& [low, high] = *measured.median_interval;
  constexpr double kHalfPercent = 50;
  return printed("%6.1f", kHalfPercent * (high - low) / measured.time.p50_us);
}

std::string setting_columns(const CollectiveRow& row) {
  return printed("%-16s  %-6s  %3u  %7u  %3u", row.algorithm.c_str(), rails_of(row.point).c_str(),
                 row.point.queue_pairs, row.point.chunk_bytes, row.point.traffic_class);
}

std::string remarks_on(const Measurement& measured) {
  std::string text;
  if (measured.bimodal) text += "  two groups of times";
  if (measured.gpu) text += printed("  GPU memory, %.1f us combining", measured.gpu->combining_us);
  return text;
}

}  // namespace

void WideTable::header(const Document& document, const TableParameters& parameters) {
  labels_ = label_lines(document);
  interval_asked_ = parameters.interval_asked;
  out() << "# " << document.tool.name << " " << document.tool.version << " "
        << std::get<CollectiveBody>(document.body).collective << ", " << document.ranks.size()
        << " ranks on " << document.hosts.size()
        << (document.hosts.size() == 1 ? " host" : " hosts") << ", " << parameters.iterations
        << " iterations, " << parameters.check_iterations << " verified\n"
        << thread_line(parameters.progress_threads) << device_lines(document) << labels_
        << "#\n"
           "#        size      type    op  root  algorithm         rails   qps    chunk   tc  "
           "place       n       min       p50       p90       p99     p99.9       max    ±%   "
           "algbw    busbw   %line  #wrong  remarks\n"
           "#         (B)                                                       (B)       "
           "                 (us)      (us)      (us)      (us)      (us)      (us)        "
           "(GB/s)   (GB/s)\n"
        << std::flush;
}

void WideTable::row(const CollectiveRow& row) {
  if (row.out_of_place) measurement(row, *row.out_of_place, "out");
  if (row.in_place) measurement(row, *row.in_place, "in");
  out() << std::flush;
}

void WideTable::measurement(const CollectiveRow& row, const Measurement& measured,
                            const char* place) {
  const auto& time = measured.time;
  out() << printed("%13" PRIu64 "  %8s  %4s  %4d  ", row.size_bytes, row.type.c_str(),
                   row.op.c_str(), row.point.root)
        << setting_columns(row) << printed("  %-3s  %7" PRIu64, place, time.n);
  for (const double value :
       {time.min_us, time.p50_us, time.p90_us, time.p99_us, time.p999_us, time.max_us}) {
    out() << number(value);
  }
  out() << interval_of(measured) << bandwidth(measured.algbw_gigabytes_per_second)
        << bandwidth(measured.busbw_gigabytes_per_second)
        << (measured.line_rate_percent ? printed("  %6.1f", *measured.line_rate_percent)
                                       : "       -")
        << (measured.wrong ? printed("  %6" PRIu64, *measured.wrong) : "     N/A")
        << remarks_on(measured);
  if (row.point.unreduced) out() << "  " << kUnreduced;
  if (interval_asked_ && measured.stopped_by == measure::StoppedBy::duration) {
    out() << "  time was up before the interval was narrow";
  }
  out() << "\n";
}

void WideTable::footer() {
  out() << labels_;
  flush();
}

}  // namespace railgauge::results
