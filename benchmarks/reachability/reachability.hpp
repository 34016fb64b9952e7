#pragma once

#include <memory>
#include <vector>

#include "benchmarks/reachability/probed_nic.hpp"
#include "benchmarks/reachability/reachability_nics.hpp"
#include "benchmarks/reachability/reachability_options.hpp"

namespace railgauge::benchmarks {

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

 private:
  struct Test;

  [[nodiscard]] std::vector<Test> tests_of(int round);
  void ask_again_what_is_slow();
  [[nodiscard]] bool is_asked(const reachability::Meeting& meeting) const;
  void run(int round);
  void connect(std::vector<Test>& tests);
  void drive(std::vector<Test>& tests);
  void record(const std::vector<Test>& tests);
  void share();

  job::Communicator& communicator_;
  const ReachabilityOptions& options_;
  const AllNics& all_;
  std::vector<std::unique_ptr<ProbedNic>> nics_;
  reachability::Matrix matrix_;
  std::vector<bool> again_;  // as the matrix's cells: what this pass is about; empty: everything
};

}  // namespace railgauge::benchmarks
