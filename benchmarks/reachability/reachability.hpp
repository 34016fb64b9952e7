#pragma once

#include <map>
#include <memory>
#include <vector>

#include "job/communicator.hpp"
#include "reachability/complaints.hpp"
#include "reachability/matrix.hpp"
#include "reachability/meetings.hpp"
#include "runner/all_nics.hpp"
#include "runner/probe.hpp"

namespace railgauge::benchmarks {

/// What is asked of every pair.
struct ReachabilityOptions {
  reachability::Scope scope = reachability::Scope::all_rails;
  reachability::CrossRail cross_rail = reachability::CrossRail::may_fail;
  std::chrono::milliseconds time{10};  // of a pair's bandwidth, in each direction
  int retries = 3;                     // of pairs that look slow; the best attempt counts
};

using runner::AllNics;

/// Collective: every NIC towards every NIC of every other rank, in rounds in which each NIC is in
/// one test at most. What does not work is a result. Throws job::RunFailure only for what ends a
/// run.
class Reachability {
 public:
  /// Opens this rank's NICs, `own`.
  Reachability(job::Communicator& communicator, const ReachabilityOptions& options,
               const AllNics& all, const std::vector<verbs::Port>& own);

  /// Once; known to all ranks.
  [[nodiscard]] const reachability::Matrix& measure();
  [[nodiscard]] int rounds() const;
  [[nodiscard]] const reachability::Matrix& matrix() const { return matrix_; }

 private:
  struct Test;

  [[nodiscard]] std::vector<reachability::Meeting> meetings(int round) const;
  [[nodiscard]] std::vector<Test> tests_of(int round);
  void run_all();
  void ask_again_what_is_slow();
  void ask_what_has_no_answer();
  void settle_what_has_no_answer();
  template <class Action>
  void for_open_ways(Action action) const;
  [[nodiscard]] bool is_asked(const reachability::Meeting& meeting) const;
  [[nodiscard]] reachability::Meeting in_order(const reachability::Meeting& meeting) const;
  void run(int round);
  void connect(std::vector<Test>& tests);
  void drive(std::vector<Test>& tests);
  void record(const std::vector<Test>& tests);
  [[nodiscard]] std::vector<std::vector<double>> ran_listening(const std::vector<Test>& tests);
  void share();

  job::Communicator& communicator_;
  const ReachabilityOptions& options_;
  const AllNics& all_;
  std::map<int, std::unique_ptr<runner::ProbedNic>> nics_;  // of this rank, by place
  reachability::Matrix matrix_;
  std::vector<bool> again_;  // as the matrix's cells: what this pass is about; empty: everything
};

}  // namespace railgauge::benchmarks
