#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/geometry.hpp"
#include "benchmarks/session.hpp"
#include "executor/executor.hpp"
#include "measure/iteration_times.hpp"
#include "measure/pattern.hpp"
#include "results/row.hpp"
#include "schedule/schedule.hpp"

namespace railgauge::benchmarks {

enum class Placement : std::uint8_t { out_of_place, in_place };

/// A collective's schedules, connected and with buffers for the largest size: verifies and times
/// them. All calls are collective, and throw RunFailure when the fabric or another rank fails.
class Trial {
 public:
  /// `schedules`: at least one, of the session's collective and ranks.
  Trial(Session& session, std::vector<schedule::Schedule> schedules);

  [[nodiscard]] const std::vector<schedule::Schedule>& schedules() const { return schedules_; }
  /// Whether the collective can be run with the output over the input.
  [[nodiscard]] bool takes_in_place() const;

  /// Takes a schedule, by its number, and a size; the row comes back with all but its measurements.
  results::Row load(std::size_t schedule, std::uint64_t bytes);

  /// Verifies iterations with data of their own, then warms up, then times. Out of place the output
  /// of the last timed iteration, spoilt before it, is verified too. The others follow each other
  /// without a barrier; the time of one is the slowest rank's.
  results::Placement measure(Placement placement);

  /// The median time in microseconds of so many iterations out of place, known to rank 0 only.
  double calibrate(int iterations);

 private:
  void run_once(const transport::Region& input);
  void fill(const transport::Region& input);
  void spoil_output();
  std::uint64_t check_once(const transport::Region& input);
  std::uint64_t verify();
  [[nodiscard]] measure::Verdict verify_block(schedule::Block block) const;
  void time_iterations(const transport::Region& input, int iterations, bool verify_last);
  [[nodiscard]] std::span<std::byte> used(const transport::Region& region) const;
  [[nodiscard]] std::size_t most_bytes() const;
  [[nodiscard]] std::size_t most_scratch_bytes() const;
  [[nodiscard]] const schedule::Schedule& schedule() const { return schedules_[current_]; }

  Session& session_;
  std::vector<schedule::Schedule> schedules_;
  std::size_t current_ = 0;
  std::size_t element_bytes_;
  executor::Stripes stripes_;
  std::unique_ptr<transport::Transport> transport_;
  executor::Executor executor_;
  transport::Region input_;
  transport::Region output_;
  transport::Region scratch_;
  reduce::Reduction reduction_;
  measure::Pattern pattern_;
  measure::IterationTimes times_;
  Geometry geometry_{0, 0, schedule::Layout::whole(0, 1)};
  std::string wrong_;  // the first wrong element of this placement, in words
};

}  // namespace railgauge::benchmarks
