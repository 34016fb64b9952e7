#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "cluster/rank_watch.hpp"
#include "executor/progress_threads.hpp"
#include "executor/rank_transports.hpp"
#include "experiments/collective/buffer.hpp"
#include "experiments/collective/collective_session.hpp"
#include "experiments/collective/data.hpp"
#include "experiments/collective/geometry.hpp"
#include "experiments/collective/near_rails.hpp"
#include "experiments/collective/rail_times.hpp"
#include "experiments/collective/thread_binding.hpp"
#include "experiments/collective/wrong_elements.hpp"
#include "measure/pattern.hpp"
#include "measure/timing.hpp"
#include "results/collective.hpp"
#include "schedule/schedule.hpp"

namespace railgauge::runner {

/// Whether there is an input for the output to lie over. Where it has to lie elsewhere
/// (separate_buffers: all-to-all, sendrecv) blocks overwrite others that are still to be sent: this
/// is timed all the same, as nccl-tests does, and cannot be verified.
[[nodiscard]] inline bool takes_in_place(schedule::Collective collective) {
  return traits(collective).size != schedule::SizeRule::none;
}

/// A collective's schedules in one combination, connected and with buffers for the largest size:
/// times and verifies them. All calls are collective, and throw job::RunFailure when the fabric or
/// another rank fails.
class CollectiveRun {
 public:
  /// `schedules`: at least one, of the session's collective and the ranks of a group.
  CollectiveRun(CollectiveSession& session, const Combination& combination,
                std::vector<schedule::Schedule> schedules);

  [[nodiscard]] const std::vector<schedule::Schedule>& schedules() const { return schedules_; }
  [[nodiscard]] const Combination& combination() const { return combination_; }
  /// Takes a schedule, by its number, and a size; the row comes back with all but its measurements.
  results::CollectiveRow load(std::size_t schedule, std::uint64_t bytes);

  /// Times iterations, some of which, as the options say, are verified: with new inputs, and an
  /// output that was spoilt before.
  results::Measurement measure(results::BufferMode mode);

  /// For a loop that times iterations itself, out of place: of what was loaded, from here on.
  void begin_turn();
  /// One iteration, and what to do around one that is verified.
  [[nodiscard]] measure::Iteration iteration();
  /// What became of it. Of this rank, but for what all know.
  struct Turn {
    std::uint64_t wrong = 0;                    // elements, of all ranks
    std::string data_error{};                   // the first of what was wrong here, in words
    std::optional<finding::Finding> finding{};  // of all ranks: who changed data on their way
    std::vector<results::RailResult> rails{};   // without bandwidths
    std::vector<results::EdgeTimes> edges{};
    results::RankLoad load{};  // since load()
  };
  [[nodiscard]] Turn end_turn();
  /// The bus bandwidth of what was loaded, for an iteration of this length.
  [[nodiscard]] double busbw_gigabytes_per_second(double microseconds) const;

  /// What single connections and processors did since load(), in the row. Not timed.
  void add_evidence(results::CollectiveRow& row);

  /// What of each schedule passes between NUMA nodes of a host, in a sentence for those of which
  /// anything does.
  [[nodiscard]] std::vector<std::string> cross_node_notes();

  /// Whether ranks and their buffers are where they were put, for the record.
  void verify_placement();

  /// The median time in microseconds of so many iterations out of place, known to rank 0 only.
  double calibrate(int iterations);

 private:
  [[nodiscard]] NearRails near_rails() const;
  [[nodiscard]] std::vector<executor::Stripes> make_stripes() const;
  [[nodiscard]] executor::RankTransports connect() const;
  [[nodiscard]] executor::ExecutorSettings executor_settings() const;
  [[nodiscard]] std::vector<topology::CpuSet> thread_places() const;
  [[nodiscard]] Buffer buffer(std::size_t most);
  [[nodiscard]] std::unique_ptr<Data> make_data();
  [[nodiscard]] std::optional<results::GpuWork> gpu_work(std::uint64_t iterations);
  void share_reductions();
  [[nodiscard]] executor::RunLimits limits();
  void end_well(const executor::Outcome& outcome);
  [[nodiscard]] std::chrono::nanoseconds run_once(const transport::Region& input);
  measure::Timing time(const transport::Region& input, const measure::TimingRule& rule);
  [[nodiscard]] measure::TimingRule timing_rule(bool in_place) const;
  void prepare(const transport::Region& input);
  void verify();
  void verify_block(schedule::Block block);
  [[nodiscard]] measure::Verdict verdict_on(schedule::Block block) const;
  void note_wrong(schedule::Block block, std::size_t element);
  void trace();
  void forget_wrong();
  [[nodiscard]] std::string origin_of(std::size_t element) const;
  void check_guards();
  void complain(const std::string& what);
  results::Measurement measurement_of(const measure::Timing& timing);
  [[nodiscard]] std::vector<std::uint64_t> sent_by_plane() const;
  [[nodiscard]] std::size_t used_bytes() const { return geometry_.buffer_bytes(element_bytes_); }
  [[nodiscard]] Geometry geometry_of_size(const schedule::Schedule& schedule,
                                          std::uint64_t bytes) const;
  [[nodiscard]] std::function<schedule::Layout(schedule::Rank)> layout_of_all() const;
  [[nodiscard]] std::size_t most_bytes() const;
  [[nodiscard]] std::size_t most_scratch_bytes() const;
  [[nodiscard]] const schedule::Schedule& schedule() const { return schedules_[current_]; }

  CollectiveSession& session_;
  Combination combination_;
  std::vector<schedule::Schedule> schedules_;  // of a group
  std::vector<schedule::Schedule> placed_;     // the same, as all ranks run them
  std::size_t current_ = 0;
  std::size_t element_bytes_;
  Planes planes_;  // of rails that this rank drives
  RailTimes rail_times_;
  std::vector<RankNodes> nodes_;
  NearRails near_;
  std::vector<executor::Stripes> stripes_;  // of each schedule
  std::unique_ptr<Data> data_;
  executor::RankTransports transports_;
  ThreadBinding binding_;
  Data::Offloads offloads_;
  executor::ProgressThreads threads_;
  Buffer input_;
  Buffer output_;
  Buffer scratch_;
  std::deque<reduce::WorkerPool> worker_pools_;  // one a progress thread
  std::vector<reduce::Reduction> reductions_;    // by these, if they have workers
  measure::Pattern pattern_;
  Geometry geometry_;
  cluster::RankWatch watch_;
  std::uint64_t wrong_ = 0;               // of this placement
  std::vector<WrongBlock> wrong_blocks_;  // the same
  std::uint64_t verifications_ = 0;       // the same
  std::string data_error_;                // the first of what was wrong in it, in words
};

}  // namespace railgauge::runner
