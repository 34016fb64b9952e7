#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "benchmarks/session.hpp"
#include "executor/executor.hpp"
#include "measure/iteration_times.hpp"
#include "measure/pattern.hpp"
#include "results/row.hpp"
#include "schedule/schedule.hpp"

namespace railgauge::benchmarks {

enum class Placement : std::uint8_t { out_of_place, in_place };

/// One schedule, connected and with buffers for the largest size: verifies and times it. All calls
/// are collective, and throw RunFailure when the fabric or another rank fails.
class Trial {
 public:
  Trial(Session& session, const schedule::Schedule& schedule);

  /// Takes a size; the row comes back with all but its measurements.
  results::Row load(std::uint64_t bytes);

  /// Verifies iterations with data of their own, then warms up, then times. Out of place the output
  /// of the last timed iteration, spoilt before it, is verified too. The others follow each other
  /// without a barrier; the time of one is the slowest rank's.
  results::Placement measure(Placement placement);

 private:
  void run_once(const transport::Region& input);
  void fill(const transport::Region& input);
  void spoil_output();
  std::uint64_t check_once(const transport::Region& input);
  std::uint64_t verify();
  void time_iterations(const transport::Region& input);
  [[nodiscard]] std::span<std::byte> used(const transport::Region& region) const;

  Session& session_;
  schedule::Schedule schedule_;
  std::unique_ptr<transport::Transport> transport_;
  executor::Executor executor_;
  transport::Region input_;
  transport::Region output_;
  reduce::Reduction reduction_;
  measure::Pattern pattern_;
  measure::IterationTimes times_;
  std::size_t bytes_ = 0;
  std::string wrong_;  // the first wrong element of this placement, in words
};

}  // namespace railgauge::benchmarks
