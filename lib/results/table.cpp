#include "results/table.hpp"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <ostream>
#include <stdexcept>

namespace railgauge::results {
namespace {

// nccl-tests' header, as its formats (src/util.cu, 2.19.6) print it. The trailing blanks are its
// own.
constexpr const char* kColumns =
    "#\n"
    "#                                                              out-of-place"
    "                       in-place          \n"
    "#       size         count      type   redop    root     time   algbw   busbw  #wrong"
    "     time   algbw   busbw  #wrong \n"
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)        "
    "     (us)  (GB/s)  (GB/s)         \n";

constexpr int kTimeWidth = 7;
constexpr int kBandwidthWidth = 6;

__attribute__((format(printf, 1, 2))) std::string printed(const char* format, ...) {
  std::array<char, 512> text{};  // a line of the table has 120 characters, and a host name 64
  va_list values;
  va_start(values, format);
  std::vsnprintf(text.data(), text.size(), format, values);
  va_end(values);
  return text.data();
}

/// One rail of one rank, so that what parses nccl-tests' line of one GPU reads this one.
std::string device_line(const Rank& rank, const RankRail& rail) {
  return printed("#  Rank %2d Group  0 Pid %6d on %10s device %2d [%s:%d] ", rank.rank, rank.pid,
                 rank.host.c_str(), rail.rail, rail.device.c_str(), rail.port) +
         printed("rail %d local rank %d netdev %s address %s MTU %d link %g Gb/s%s\n", rail.rail,
                 rank.local_rank, rail.netdev.c_str(), rail.address.c_str(), rail.mtu_bytes,
                 rail.link_gigabits_per_second,
                 rail.kind == DeviceKind::hardware ? "" : " software");
}

/// The line about the least real device of all ranks; empty if all are hardware.
std::string label_of(const std::vector<Rank>& ranks) {
  DeviceKind kind = DeviceKind::hardware;
  for (const Rank& rank : ranks) {
    for (const RankRail& rail : rank.rails) kind = std::max(kind, rail.kind);
  }
  switch (kind) {
    case DeviceKind::hardware: break;
    case DeviceKind::software: return "# SOFTWARE DEVICE: figures say nothing about hardware\n";
    case DeviceKind::software_shortcut:
      return "# SOFTWARE DEVICE WITH SAME-HOST SHORTCUT: figures say nothing about hardware, nor "
             "about a network\n";
  }
  return "";
}

/// The line about data that no rail has carried; empty if the rails carried all.
std::string same_host_label(const Document& document) {
  const auto option = document.options.find("same-host");
  if (option == document.options.end()) return "";
  const auto* value = std::get_if<std::string>(&option->second.value);
  if (value == nullptr || *value != "memory") return "";
  const auto shares_host = [](const Rank& rank) { return rank.local_rank > 0; };
  if (std::ranges::none_of(document.ranks, shares_host)) return "";
  return "# SAME-HOST MEMORY: ranks of one host exchange data through memory, not by the rails\n";
}

/// There is no GPU: the buffers are in host memory.
std::string parameter_line(const TableParameters& run) {
  return printed("# nThread 1 nGpus 0 minBytes %" PRIu64 " maxBytes %" PRIu64 " step: %" PRIu64
                 "(factor) warmup iters: %d iters: %d agg iters: 1 validation: %d graph: 0 "
                 "unalign: 0\n",
                 run.min_bytes, run.max_bytes, run.step_factor, run.warmup_iterations,
                 run.iterations, run.check_iterations);
}

}  // namespace

std::string fitted(double value, int width) {
  std::string text;
  for (const auto* const format : {"%*.2f", "%*.1f", "%*.0f", "%*.1e", "%*.0e"}) {
    text = printed(format, width, value);
    if (text.size() <= static_cast<std::size_t>(width)) break;
  }
  return text;
}

void Table::header(const Document& document, const TableParameters& parameters) {
  program_ = document.collective + "_perf";
  out_ << "# " << document.tool.name << " version " << document.tool.version << " commit "
       << document.tool.commit << "\n"
       << "# Collective test starting: " << program_ << "\n"
       << parameter_line(parameters) << "#\n"
       << "# Using devices\n";
  for (const Rank& rank : document.ranks) {
    for (const RankRail& rail : rank.rails) out_ << device_line(rank, rail);
  }
  label_ = label_of(document.ranks) + same_host_label(document);
  out_ << label_ << kColumns << std::flush;
}

void Table::algorithm(const std::string& name) {
  if (name != algorithm_) out_ << "# Algorithm: " << name << "\n";
  algorithm_ = name;
}

void Table::row(const Row& row) {
  out_ << printed("%12" PRIu64 "  %12" PRIu64 "  %8s  %6s  %6d", row.size_bytes, row.count,
                  row.type.c_str(), row.op.c_str(), row.root);
  placement(row.out_of_place);
  placement(row.in_place);
  out_ << "\n" << std::flush;
}

void Table::placement(const std::optional<Placement>& measured) {
  if (!measured) {
    out_ << printed("  %7s  %6s  %6s    N/A", "N/A", "N/A", "N/A");
    return;
  }
  const auto& [time, algbw, busbw, wrong] = *measured;
  out_ << printed("  %7s  %6s  %6s", fitted(time.p50_us, kTimeWidth).c_str(),
                  fitted(algbw, kBandwidthWidth).c_str(), fitted(busbw, kBandwidthWidth).c_str())
       << (wrong ? printed("  %6g", static_cast<double>(*wrong)) : "    N/A");
  ++placements_;
  if (wrong.value_or(0) != 0) ++wrong_placements_;
  busbw_sum_ += busbw;
}

void Table::footer() {
  // A mean over sizes says nothing of a fabric. It is printed because scripts look for it.
  const double mean = placements_ == 0 ? 0 : busbw_sum_ / static_cast<double>(placements_);
  out_ << "# Out of bounds values : " << wrong_placements_
       << (wrong_placements_ == 0 ? " OK\n" : " FAILED\n")
       << printed("# Avg bus bandwidth    : %g \n", mean) << label_ << "#\n"
       << "# Collective test concluded: " << program_ << "\n"
       << "#\n"
       << std::flush;
  if (!out_) {
    throw std::runtime_error(
        "the table could not be written in full; is the disk of standard output full?");
  }
}

}  // namespace railgauge::results
