#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "json/members.hpp"
#include "measure/statistics.hpp"
#include "results/codec.hpp"
#include "results/measurement.hpp"

namespace railgauge::results {

/// Of operations that have arrivals, in all timed steps: each by itself, from its arrival until it
/// was over, so that waiting for the one before is part of it. Of a transfer at its receiver, of a
/// collective on each of its ranks.
struct JobLatency {
  measure::Summary time{};
  std::optional<measure::MedianInterval> median_interval{};  // empty of too few
  std::optional<double> deadline_us{};                       // empty: none was asked for
  std::optional<double> within_deadline_percent{};           // of them

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("time", self.time);
    visit("median_interval_us", self.median_interval);
    RAILGAUGE_VISIT(deadline_us, within_deadline_percent);
  }
};

/// The rank of a group that all-to-all-v brings most.
struct JobHottest {
  std::int64_t rank = 0;   // of the instance where it is hottest
  std::int64_t bytes = 0;  // from others
  double over_mean = 0;    // that over the mean of the instance's ranks

  RAILGAUGE_FIELDS((rank), (bytes), (over_mean))
};

/// What an operation took on one rail, until all data of that rail were there.
struct JobRail {
  std::int64_t rail = 0;
  double time_us = 0;  // of one operation, the mean of all ranks that had data on it

  RAILGAUGE_FIELDS((rail), (time_us))
};

/// Operations of one name in all timed steps. Times are of single operations, from the arrival of
/// those that have one, the mean of a step, and of these the median over steps.
struct JobOperation {
  std::string name{};
  std::string kind{};          // "all_reduce", "send", "compute", "marker"
  std::string group{};         // of a collective
  std::string algorithm{};     // the same
  std::int64_t instances = 0;  // groups, or pairs of ranks, that do it
  std::int64_t bytes = 0;      // of one: of the rank that has most
  std::int64_t times = 0;      // in a step, of the rank that does it most often
  /// Of the rank that takes longest and of the one that takes least, which waits least for others.
  /// Of a marker since the step began.
  double slowest_us = 0;
  double fastest_us = 0;
  std::int64_t slowest_rank = 0;
  double ideal_us = 0;  // its part of the critical path of the ideal step
  /// Of one at line rate, where its bytes take longest; empty if that is not known.
  std::optional<double> line_rate_us{};
  std::optional<JobHottest> hottest{};  // of all-to-all-v; empty if all get as much
  std::vector<JobRail> rails{};         // empty if its data are on one
  std::optional<JobLatency> latency{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    RAILGAUGE_VISIT((name), (kind), group, algorithm, instances, (bytes), (times), (slowest_us),
                    fastest_us, slowest_rank, ideal_us, line_rate_us, hottest, rails);
    visit.if_any("latency", self.latency);
  }
};

/// A step of all ranks; with --duration all steps of a window.
struct JobStep {
  std::string running{};   // of a mix: its parts that ran in these steps, "train, save"
  std::int64_t step = 0;   // the first
  std::int64_t steps = 1;  // as many
  double begin_s = 0;      // since the first timed step began, by rank 0's clock
  double time_us = 0;      // of the slowest rank; as all times the median over the steps
  double p99_us = 0;       // of the same
  double max_us = 0;
  std::int64_t slowest_rank = 0;            // in most steps
  double compute_us = 0;                    // in which it computed
  double exposed_us = 0;                    // in which it did not: it communicated, or waited
  std::optional<double> overlap_percent{};  // of its communication, in which it computed, too
  /// What ranks waited for longest, over all steps: the rank that came last to an operation, and by
  /// how much in a step the one that waited longest took longer, the mean of steps with that wait.
  std::optional<std::int64_t> waited_rank{};  // empty: nobody waited
  std::string waited_operation{};
  double waited_us = 0;
  std::int64_t verified = 0;             // steps
  std::optional<std::uint64_t> wrong{};  // elements, of all ranks; empty: no step was verified

  RAILGAUGE_FIELDS(running, (step), steps, begin_s, (time_us), p99_us, max_us, slowest_rank,
                   (compute_us), (exposed_us), overlap_percent, waited_rank, waited_operation,
                   waited_us, verified, wrong)
};

/// How long a part of a mix takes if others run at the same time.
struct JobFactor {
  std::string with{};  // the other part; of JobPart::together all of them
  double time_us = 0;  // median over steps
  double factor = 0;   // that over JobPart::alone_us

  RAILGAUGE_FIELDS((with), (time_us), (factor))
};

/// A part of a mix: alone, with each other part, and with all. Times are of all its repetitions in
/// a step, of the slowest rank.
struct JobPart {
  std::string name{};
  std::int64_t ranks = 0;
  std::int64_t traffic_class = 0;
  std::vector<unsigned> rails{};  // none: all
  std::int64_t repetitions = 1;   // of the part's step in one of the mix
  double alone_us = 0;            // median over steps
  std::vector<JobFactor> with{};  // of more than two parts
  JobFactor together{};

  RAILGAUGE_FIELDS((name), ranks, traffic_class, rails, (repetitions), (alone_us), with, (together))
};

/// What is left of a group of a larger world: of its largest instance.
struct JobFoldedGroup {
  std::string name{};
  std::int64_t members = 0;  // 0: it does nothing
  std::int64_t of = 0;       // as many in the world

  RAILGAUGE_FIELDS((name), (members), (of))
};

/// A workload of more ranks than there were: some of its ranks did their part.
struct JobFold {
  std::int64_t world = 0;             // ranks of the workload
  std::vector<std::int64_t> ranks{};  // [rank] which of them it was
  std::vector<JobFoldedGroup> groups{};
  double sent_percent = 0;  // bytes that they send in a step, of those in the world

  RAILGAUGE_FIELDS((world), (ranks), (groups), (sent_percent))
};

/// The run with which this one goes on. Its rows come first.
struct JobResumed {
  std::chrono::system_clock::time_point start{};  // the first of them, if it resumed one, too
  std::string status{};                           // "interrupted", or "running": it was killed
  std::int64_t rows = 0;
  std::int64_t steps = 0;  // of the whole job

  RAILGAUGE_FIELDS((start), (status), (rows), (steps))
};

/// What a workload was, and what became of its steps.
struct JobFigures {
  std::string workload{};
  std::map<std::string, std::int64_t> parameters{};
  std::int64_t warmup_steps = 0;
  std::optional<measure::Summary> time{};  // of steps; empty while the run goes on
  std::optional<double> compute_us{};      // medians over steps
  std::optional<double> exposed_us{};
  std::optional<double> communication_us{};  // in which the slowest rank had a task under way
  std::optional<double> overlap_percent{};   // of that, in which it computed, too
  std::optional<double> over_compute{};      // median time over the longest compute of any rank
  /// What a step would take if each operation took as long as where it was fastest, in any step and
  /// on any rank; and the median time over that.
  std::optional<double> ideal_us{};
  std::optional<double> over_ideal{};
  /// The same if each operation took as long as its bytes at line rate; empty if that is not known.
  std::optional<double> line_rate_us{};
  std::optional<double> over_line_rate{};
  std::vector<JobOperation> operations{};
  std::vector<JobPart> parts{};  // of a mix; else none
  std::optional<JobFold> fold{};
  std::optional<JobResumed> resumed{};  // all figures but the rows are of steps since

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    RAILGAUGE_VISIT((workload), parameters, warmup_steps, time, compute_us, exposed_us,
                    communication_us, overlap_percent, over_compute, ideal_us, over_ideal,
                    line_rate_us, over_line_rate, operations, parts);
    visit.if_any("fold", self.fold);
    visit.if_any("resumed", self.resumed);
  }
};

/// A workload that was run.
struct JobBody {
  static constexpr const char* kKind = "job";

  JobFigures job{};
  std::vector<JobStep> rows{};

  RAILGAUGE_FIELDS((job), rows)
};

}  // namespace railgauge::results
