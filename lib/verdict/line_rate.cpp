#include "verdict/line_rate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "schedule/collective.hpp"

namespace railgauge::verdict {
namespace {

constexpr double kBitsPerByte = 8;

/// With these, busbw is not what goes through NICs, even where it is below their line rate.
constexpr std::array kNotNics{"NVLS", "MNNVL", "SHARP"};

/// osu_bibw, osu_put_bibw, ib_write_bw_bidirectional.
bool is_of_both_directions(const std::string& collective) {
  return collective.ends_with("_bibw") || collective.ends_with("_bidirectional");
}

/// Bytes through a host's NICs in one direction for each byte of bus bandwidth.
std::optional<double> wire_per_busbw(const Run& run) {
  constexpr double kOneOfBoth = 0.5;
  if (is_of_both_directions(run.collective)) {
    return run.nodes == 1 ? std::nullopt : std::optional(kOneOfBoth);
  }
  const auto collective = schedule::collective(run.collective);
  const bool one_busy = collective && schedule::rooted(*collective) &&
                        schedule::traits(*collective).size == schedule::SizeRule::per_rank;
  const bool alltoall =
      collective && schedule::traits(*collective).movement == schedule::Movement::transposed;
  const bool all_by_nics = run.beside_nics && run.beside_nics->empty();
  if (run.nodes == 1 && !all_by_nics) return std::nullopt;
  if (one_busy || (!all_by_nics && !alltoall)) return 1;
  if (!run.ranks || !run.nodes || *run.ranks % *run.nodes != 0) return std::nullopt;
  const double ranks = *run.ranks;
  const double per_node = ranks / *run.nodes;
  return all_by_nics || ranks < 2 ? per_node : per_node * (ranks - per_node) / (ranks - 1);
}

double highest_busbw(const Run& run) {
  double highest = 0;
  for (const Point& point : run.points) {
    highest = std::max(highest, point.busbw_gigabytes_per_second.value_or(0));
  }
  return highest;
}

std::string in_words(double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.2f GB/s", value);
  return text.data();
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " and ") + word;
  return text;
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
         " is more than its NICs carry (" + in_words(nics) +
         "): " + (!beside || beside->empty() ? "something else" : listed(*beside)) +
         " carries a part of its data, or the NICs are others";
}

}  // namespace

std::optional<double> nics_gigabytes_per_second(const Run& run) {
  if (!run.nics_per_node || !run.line_rate_gigabits_per_second) return std::nullopt;
  return *run.nics_per_node * *run.line_rate_gigabits_per_second / kBitsPerByte;
}

std::optional<double> line_rate_fraction(const Run& run, double busbw_gigabytes_per_second) {
  const auto nics = nics_gigabytes_per_second(run);
  const auto factor = wire_per_busbw(run);
  if (!nics || !factor) return std::nullopt;
  return busbw_gigabytes_per_second * *factor / *nics;
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

std::string why_no_nic_target(const Run& run) {
  return run.not_a_target.empty() ? why_not_of_nics(run) : run.not_a_target;
}

void doubt(Finding& finding, const Run& run, const Curve& curve) {
  if (finding.verdict != Verdict::pass) return;
  const std::string why = why_in_doubt(run, curve);
  if (why.empty()) return;
  finding.verdict = Verdict::no_reference;
  finding.remark += (finding.remark.empty() ? "" : ": ") + why;
}

Finding line_rate_finding(const std::string& criterion, const Run& run, const Curve& curve,
                          double share) {
  Finding finding = about(criterion, run, curve);
  finding.subject = Subject::plateau;
  finding.unit = "GB/s";
  const auto plateau = plateau_of(curve);
  if (!plateau) {
    finding.remark = "there are no bandwidths";
    return finding;
  }
  finding.size_bytes = plateau->from_bytes;
  finding.ours = plateau->busbw_gigabytes_per_second;
  finding.ours_line_rate_fraction = line_rate_fraction(run, *finding.ours);
  finding.theirs_line_rate_fraction = share;
  if (!finding.ours_line_rate_fraction) {
    finding.remark = run.nodes == 1 ? "all ranks are on one host: nothing went by a wire"
                                    : "the NICs, their line rate, or the ranks on a host are not "
                                      "known";
    return finding;
  }
  if (std::string why = why_not_of_nics(run); !why.empty()) {
    finding.remark = std::move(why);
    return finding;
  }
  finding.ratio = *finding.ours_line_rate_fraction / share;
  finding.theirs = *finding.ours / *finding.ratio;
  if (*finding.ratio < 1 && still_rises(curve)) {
    finding.remark = "bandwidth still rises at the largest size: measure larger ones";
    return finding;
  }
  finding.verdict = *finding.ratio < 1 ? Verdict::fail : Verdict::pass;
  doubt(finding, run, curve);
  return finding;
}

Findings against_line_rate(const RunSet& run_set, double share,
                           const std::optional<CountedSizes>& counted) {
  Findings findings;
  for (const Run& run : run_set.runs) {
    for (const Curve& curve : curves_of(run)) {
      findings.push_back(line_rate_finding(
          "line rate", run, counted ? within(curve, counted->bandwidth) : curve, share));
    }
  }
  return findings;
}

}  // namespace railgauge::verdict
