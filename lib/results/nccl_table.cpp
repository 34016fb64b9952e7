#include "results/nccl_table.hpp"

#include <cinttypes>
#include <ostream>

#include "results/utc.hpp"

namespace railgauge::results {
namespace {

// nccl-tests' header, as its formats (src/util.cu, 2.19.6) print it: for each buffer mode, and for
// each with -I. The trailing blanks are its own.
struct Columns {
  const char* above;
  const char* names;
  const char* units;
};
constexpr Columns kPlain{"                       ", "     time   algbw   busbw  #wrong",
                         "     (us)  (GB/s)  (GB/s)        "};
constexpr Columns kIterations{"                                    ",
                              "    i_min    i_max    i_p99    i_cv%",
                              "     (us)     (us)     (us)      (%)"};

constexpr int kTimeWidth = 7;
constexpr int kBandwidthWidth = 6;

std::string columns(bool per_iteration, bool timestamps) {
  const std::string more = per_iteration ? kIterations.above : "";
  const auto both = [&](const char* Columns::*line) {
    const std::string one = std::string(kPlain.*line) + (per_iteration ? kIterations.*line : "");
    return one + one;
  };
  return "#\n#                                                              out-of-place" + more +
         "                       in-place          \n"
         "#       size         count      type   redop    root" +
         both(&Columns::names) + (timestamps ? "            timestamp" : "") + " \n" +
         "#        (B)    (elements)                          " + both(&Columns::units) + " \n";
}

std::string step_of(const TableParameters& run) {
  if (run.step_factor > 1) return std::to_string(run.step_factor) + "(factor)";
  return std::to_string(run.step_bytes) + "(bytes)";
}

/// There is no GPU: the buffers are in host memory.
std::string parameter_line(const TableParameters& run) {
  return printed("# nThread 1 nGpus 0 minBytes %" PRIu64 " maxBytes %" PRIu64
                 " step: %s warmup iters: %" PRIu64 " iters: %" PRIu64 " agg iters: %" PRIu64
                 " validation: %" PRIu64 " graph: 0 unalign: %" PRIu64 "\n",
                 run.min_bytes, run.max_bytes, step_of(run).c_str(), run.warmup_iterations,
                 run.iterations, run.collectives, run.check_iterations, run.unaligned);
}

std::string setting_of(const CollectiveRow& row) {
  return printed("# Rails: %s, queue pairs: %u, chunk: %u, traffic class: %u\n",
                 rails_of(row.point).c_str(), row.point.queue_pairs, row.point.chunk_bytes,
                 row.point.traffic_class) +
         (row.point.memory == MemoryKind::host ? "" : "# Memory: gpu\n") +
         (row.point.split.empty() ? "" : "# Split: " + row.point.split + "\n") +
         (row.point.unreduced ? "# " + std::string(kUnreduced) + " (--reduce none)\n" : "");
}

}  // namespace

void NcclTable::header(const Document& document, const TableParameters& parameters) {
  program_ = std::get<CollectiveBody>(document.body).collective + "_perf";
  parameters_ = parameters;
  labels_ = label_lines(document);
  out() << "# " << document.tool.name << " version " << document.tool.version << " commit "
        << document.tool.commit << "\n"
        << "# Collective test starting: " << program_ << "\n"
        << parameter_line(parameters);
  if (!parameters.separation.empty()) out() << "# Blocking: " << parameters.separation << "\n";
  out() << thread_line(parameters.progress_threads);
  out() << "#\n# Using devices\n" << device_lines(document) << labels_ << std::flush;
}

std::string NcclTable::algorithm_line(const CollectiveRow& row) const {
  const auto family = parameters_.family_of.find(row.algorithm);
  const bool renamed = family != parameters_.family_of.end();
  return "# Algorithm: " + row.algorithm +
         (renamed ? " (asked for as " + family->second + ")" : "") +
         (parameters_.chosen ? " (chosen by size)" : "") + "\n";
}

void NcclTable::change(const CollectiveRow& row) {
  const std::string setting = setting_of(row);
  const bool another_algorithm = row.algorithm != algorithm_;
  if (setting != setting_ || (another_algorithm && !parameters_.chosen)) {
    if (!setting_.empty()) end_block();
    begin_block(row, setting);
  } else if (another_algorithm) {
    out() << algorithm_line(row);
  }
  algorithm_ = row.algorithm;
  setting_ = setting;
}

void NcclTable::begin_block(const CollectiveRow& row, const std::string& setting) {
  wrong_measurements_ = measurements_ = 0;
  busbw_sum_ = 0;
  out() << "#\n"
        << algorithm_line(row) << setting
        << columns(parameters_.per_iteration, parameters_.timestamps);
}

void NcclTable::end_block() {
  // A mean over sizes says nothing of a fabric. It is printed because scripts look for it.
  const double mean = measurements_ == 0 ? 0 : busbw_sum_ / static_cast<double>(measurements_);
  out() << "# Out of bounds values : " << wrong_measurements_
        << (wrong_measurements_ == 0 ? " OK\n" : " FAILED\n")
        << printed("# Avg bus bandwidth    : %g \n", mean);
}

void NcclTable::row(const CollectiveRow& row) {
  change(row);
  out() << printed("%12" PRIu64 "  %12" PRIu64 "  %8s  %6s  %6d", row.size_bytes, row.count,
                   row.type.c_str(), row.op.c_str(), row.point.root);
  measurement(row.out_of_place);
  measurement(row.in_place);
  if (parameters_.timestamps) out() << " " << utc(row.measured);
  out() << "\n" << std::flush;
}

void NcclTable::measurement(const std::optional<Measurement>& measured) {
  if (!measured) {
    out() << printed("  %7s  %6s  %6s    N/A", "N/A", "N/A", "N/A");
    if (parameters_.per_iteration)
      out() << printed("  %7s  %7s  %7s  %7s", "N/A", "N/A", "N/A", "N/A");
    return;
  }
  const Measurement& found = *measured;
  out() << printed("  %7s  %6s  %6s", fitted(found.time.p50_us, kTimeWidth).c_str(),
                   fitted(found.algbw_gigabytes_per_second, kBandwidthWidth).c_str(),
                   fitted(found.busbw_gigabytes_per_second, kBandwidthWidth).c_str())
        << (found.wrong ? printed("  %6g", static_cast<double>(*found.wrong)) : "    N/A");
  if (parameters_.per_iteration) {
    const PerIteration iterations = found.per_iteration.value_or(PerIteration{});
    for (const double value :
         {iterations.min_us, iterations.max_us, iterations.p99_us, iterations.variation_percent}) {
      out() << "  " << fitted(value, kTimeWidth);
    }
  }
  ++measurements_;
  if (found.wrong.value_or(0) != 0) ++wrong_measurements_;
  busbw_sum_ += found.busbw_gigabytes_per_second;
}

void NcclTable::footer() {
  end_block();
  out() << labels_ << "#\n"
        << "# Collective test concluded: " << program_ << "\n#\n";
  flush();
}

}  // namespace railgauge::results
