#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cluster/rank_watch.hpp"
#include "experiments/soak/phases.hpp"
#include "experiments/soak/port_sampler.hpp"
#include "experiments/soak/rank_report.hpp"
#include "experiments/soak/soak_leader.hpp"
#include "experiments/soak/soak_options.hpp"
#include "runner/session.hpp"
#include "soak/turns.hpp"

namespace railgauge::runner {

/// What this process holds and uses.
struct ProcessUsage {
  std::uint64_t resident_bytes = 0;      // PROC/self/statm (proc(5)); 0: it does not say
  std::uint64_t descriptors = 0;         // PROC/self/fd
  std::chrono::nanoseconds processor{};  // time of all of its threads since it started
};

/// The loop of a soak: phases take turns, window after window, until the time is over. Rank 0
/// decides by its clock whose turn it is and when a window ends, and informs the others; no other
/// clock decides anything.
class SoakLoop {
 public:
  /// Collective: connects. The first two have to outlive it.
  SoakLoop(Session& session, const SoakOptions& options, const std::vector<soak::Phase>& plan);

  /// Collective: the median time of an iteration of each phase, as fast as it goes.
  [[nodiscard]] std::vector<double> measure_unpaced();

  /// Collective: soaks. `unpaced_us`: what the load is a part of. `leader`: rank 0's, null on the
  /// others. Throws job::RunFailure.
  void run(const std::vector<double>& unpaced_us, SoakLeader* leader);

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] std::uint64_t next_order(const SoakLeader* leader);
  void take_turn(std::size_t phase);
  void end_window(SoakLeader* leader);
  void let_packets_arrive() const;
  [[nodiscard]] soak::RankSample sample();
  void record(SoakLeader& leader, const std::vector<RankReport>& reports);
  void write_document();

  Session& session_;
  const SoakOptions& options_;
  PortSampler ports_;
  Phases phases_;
  soak::Turns turns_;
  std::vector<double> intervals_us_;
  std::vector<double> unpaced_us_;
  bool in_window_ = false;   // rank 0
  Clock::time_point begin_;  // of the window
  std::chrono::system_clock::time_point start_;
  ProcessUsage usage_;  // when it began
  RankReport report_;   // of the window so far
  results::RankLoad load_;
  std::vector<soak::PhaseSample> turns_taken_;
  cluster::Heartbeat heartbeat_;
  std::string complaint_;  // the first of this rank
  bool told_ = false;      // that the document cannot be written
};

}  // namespace railgauge::runner
