#pragma once

#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

#include "finding/finding.hpp"
#include "results/collective.hpp"
#include "results/rank.hpp"
#include "results/rank_load.hpp"
#include "workload/job.hpp"

namespace railgauge::runner {

/// What some steps in a row tell of places.
struct JobPeriod {
  std::chrono::system_clock::time_point begin{};
  std::chrono::system_clock::time_point end{};
  double step_us = 0;  // median
  /// Of operations that send: how long single chunks took, as of collectives. Those of one row are
  /// of one size, or nearly.
  std::vector<results::CollectiveRow> operations{};
  /// [rank][operation] For how long the rank computed in it in a step, the median; 0: not at all.
  std::vector<std::vector<double>> compute_us{};
  std::vector<results::RankLoad> loads{};     // [rank]
  std::vector<results::PortEvents> events{};  // of all ports
};

/// Whom the others wait for, period after period: a path or a port whose chunks take longer than
/// others of the same operation, or that lose packets, or a rank that computes longer than others
/// of its class. What is normal is as in collectives (lib/diagnosis). A rank that lacked a CPU is
/// excused.
class JobFindings {
 public:
  static constexpr std::size_t kPeriods = 8;  // that are judged together, at most
  static constexpr std::size_t kFewest = 4;   // fewer tell nothing of what lasts

  /// Both have to outlive it. `known`: what an earlier run found, before anything else.
  JobFindings(const workload::Job& job, const std::vector<results::Rank>& ranks,
              std::vector<finding::Finding> known)
      : job_(job), ranks_(ranks), all_(std::move(known)) {}

  /// Whether there is anything new in all().
  bool take(JobPeriod period);
  /// Judges what has not been judged yet.
  void finish();
  /// Each cause at a place once, as it was seen first.
  [[nodiscard]] const std::vector<finding::Finding>& all() const { return all_; }

 private:
  void judge();
  void add(finding::Finding finding);
  void judge_paths();
  void judge_computes(std::uint32_t operation, std::uint32_t of_class);

  const workload::Job& job_;
  const std::vector<results::Rank>& ranks_;
  std::vector<JobPeriod> periods_{};
  std::vector<finding::Finding> all_{};
};

}  // namespace railgauge::runner
