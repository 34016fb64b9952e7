#include "verdict/line_rate.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "finding/words.hpp"
#include "results/nic_use.hpp"
#include "results/table.hpp"

namespace railgauge::verdict {
namespace {

/// With these, busbw is not what goes through NICs, even where it is below their line rate.
constexpr std::array kNotNics{"NVLS", "MNNVL", "SHARP"};

/// Of groups of ranks (--split) it is not known which share a NIC, and so none has a line rate.
results::NicUse nic_use_of(const Run& run) {
  return {run.collective,
          run.nodes,
          run.ranks,
          run.nics_per_node,
          run.split.empty() ? run.line_rate_gigabits_per_second : std::nullopt,
          run.beside_nics};
}

double highest_busbw(const Run& run) {
  double highest = 0;
  for (const Point& point : run.points) {
    highest = std::max(highest, point.busbw_gigabytes_per_second.value_or(0));
  }
  return highest;
}

std::string in_words(double value) {
  return results::printed("%.2f GB/s", value);
}

/// Empty if its NICs can carry it.
std::string why_above_line_rate(const Run& run) {
  const double highest = highest_busbw(run);
  const double share = line_rate_fraction(run, highest).value_or(0);
  if (share <= kMostOfLineRate) return "";
  const double nics = nics_gigabytes_per_second(run).value_or(0);
  const bool several = std::abs(share * nics - highest) > 0.01 * highest;  // ranks of a host send
  const auto& beside = run.beside_nics;
  return "its busbw of " + in_words(highest) +
         (several ? ", " + in_words(share * nics) + " from a host," : "") +
         " is more than its NICs carry (" + in_words(nics) + "): " +
         (!beside || beside->empty() ? "something else" : finding::joined(*beside, " and ")) +
         " carries a part of its data, or the NICs are others";
}

/// Why a share of line rate that is high enough still proves nothing. Empty if it does.
std::string why_in_doubt(const Run& run, const Curve& curve) {
  constexpr std::array kWays{"NVLink", "XGMI"};
  constexpr std::array kTrees{"all_reduce", "all_gather", "reduce_scatter", "reduce", "broadcast"};
  if (run.nodes != 2 || curve.algorithm == "ring" || !run.beside_nics) return "";
  const auto holds = [](const auto& list, const std::string& name) {
    return std::ranges::find(list, name) != list.end();
  };
  if (!holds(kTrees, run.collective)) return "";
  for (const std::string& way : *run.beside_nics) {
    if (holds(kWays, way)) {
      return "nothing says that it was a ring: between two hosts other algorithms send less by the "
             "NICs, and " +
             way + " the rest; measure with NCCL_ALGO=Ring, or on more hosts";
    }
  }
  return "";
}

/// Bytes that memory carries for each that a rank sends: that one is read, and the one that arrives
/// written; one that is combined is read from where it landed, and its like read and written.
double memory_per_busbw(const Run& run) {
  constexpr double kMoved = 2;
  constexpr double kCombined = 3;
  if (run.collective == "all_reduce") return kMoved + kCombined / 2;  // the second half is not
  return run.collective == "reduce_scatter" ? kMoved + kCombined : kMoved;
}

/// Why a run that is slow says nothing of the fabric: its hosts' memory carries as much as it can.
/// Empty if it may carry more, or nobody knows.
std::string limit_of_memory(const Run& run, double busbw_gigabytes_per_second) {
  constexpr double kMost = 0.8;  // of what copies reach, beside which NICs seldom get all
  constexpr std::array kOfAllRanks{"all_reduce", "all_gather", "reduce_scatter", "alltoall"};
  const bool alike = std::ranges::count(kOfAllRanks, run.collective) > 0;
  if (!alike || !run.memory_gigabytes_per_second || !run.ranks || !run.nodes) return "";
  const double on_host = static_cast<double>(*run.ranks) / *run.nodes;
  const double moved = busbw_gigabytes_per_second * on_host * memory_per_busbw(run);
  if (moved < kMost * *run.memory_gigabytes_per_second) return "";
  return "host memory is the limit: its data move " + in_words(moved) +
         " through it, and copies reach " + in_words(*run.memory_gigabytes_per_second);
}

}  // namespace

std::optional<double> nics_gigabytes_per_second(const Run& run) {
  return results::nics_gigabytes_per_second(nic_use_of(run));
}

std::optional<double> line_rate_fraction(const Run& run, double busbw_gigabytes_per_second) {
  return results::line_rate_fraction(nic_use_of(run), busbw_gigabytes_per_second);
}

std::string why_not_of_nics(const Run& run) {
  if (run.nodes == 1) return "all of its ranks are on one host";
  const std::vector<std::string> beside = run.beside_nics.value_or(std::vector<std::string>{});
  for (const char* name : kNotNics) {
    if (std::ranges::find(beside, name) != beside.end()) {
      return std::string(name) + " carries a part of its data";
    }
  }
  if (!nics_gigabytes_per_second(run)) return "its NICs or their line rate are not known";
  if (std::string why = why_above_line_rate(run); !why.empty()) return why;
  if (!run.beside_nics) {
    return "what carries data between ranks of one host is not known: import it with --beside, and "
           "--ranks and --nodes if the log lacks them";
  }
  return "";
}

std::string why_no_nic_target(const Run& run) {
  return run.not_a_target.empty() ? why_not_of_nics(run) : run.not_a_target;
}

void doubt(Row& row, const Run& run, const Curve& curve) {
  if (row.answer != Answer::passed) return;
  const std::string why = why_in_doubt(run, curve);
  if (why.empty()) return;
  row.answer = Answer::open;
  row.remark += (row.remark.empty() ? "" : ": ") + why;
}

void hold_to_line_rate(Row& row, const Run& run, const Curve& curve, double share) {
  if (row.ours) {
    row.ours_line_rate_fraction = line_rate_fraction(run, *row.ours);
    row.theirs_line_rate_fraction = share;
  }
  if (!row.ours_line_rate_fraction) {
    row.remark = !row.ours        ? "there are no bandwidths"
                 : run.nodes == 1 ? "all ranks are on one host: nothing went by a wire"
                                  : "the NICs, their line rate, or the ranks on a host are not "
                                    "known";
  } else if (std::string why = why_not_of_nics(run); !why.empty()) {
    row.remark = std::move(why);
  } else {
    row.ratio = *row.ours_line_rate_fraction / share;
    row.answer = *row.ratio < 1 ? Answer::failed : Answer::passed;
    doubt(row, run, curve);
    if (row.answer == Answer::failed) row.excuse = limit_of_memory(run, *row.ours);
    if (!row.excuse.empty()) row.answer = Answer::open;
  }
}

Row line_rate_row(const std::string& criterion, const Run& run, const Curve& curve, double share) {
  Row row = about(criterion, run, curve);
  row.subject = Subject::plateau;
  row.unit = "GB/s";
  if (const auto plateau = plateau_of(curve)) {
    row.size_bytes = plateau->from_bytes;
    row.ours = plateau->busbw_gigabytes_per_second;
  }
  hold_to_line_rate(row, run, curve, share);
  if (row.ratio) row.theirs = *row.ours / *row.ratio;
  if (row.answer == Answer::failed && still_rises(curve)) {
    row.answer = Answer::open;
    row.remark = "bandwidth still rises at the largest size: measure larger ones";
  }
  return row;
}

Rows against_line_rate(const RunSet& run_set, double share,
                       const std::optional<CountedSizes>& counted) {
  Rows rows;
  for (const Run& run : run_set.runs) {
    for (const Curve& curve : curves_of(run)) {
      rows.push_back(line_rate_row("line rate", run,
                                   counted ? within(curve, counted->bandwidth) : curve, share));
    }
  }
  return rows;
}

}  // namespace railgauge::verdict
