#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "experiments/collective/collective_run.hpp"
#include "experiments/collective/collective_session.hpp"
#include "experiments/soak/rank_report.hpp"
#include "experiments/soak/soak_options.hpp"
#include "experiments/soak/turn.hpp"
#include "runner/session.hpp"
#include "soak/header.hpp"

namespace railgauge::runner {

/// The phases of a plan, connected and with buffers. Those of one collective, algorithm and set of
/// rails share queue pairs. All calls are collective, and throw job::RunFailure when the fabric or
/// another rank fails.
class Phases {
 public:
  /// The session has to outlive it.
  Phases(Session& session, const SoakOptions& options, const std::vector<soak::Phase>& plan);
  ~Phases();
  Phases(const Phases&) = delete;
  Phases& operator=(const Phases&) = delete;

  /// What came of a turn, on this rank and, on rank 0, over all.
  struct Result {
    OwnTurn own{};
    soak::PhaseSample leader{};
    results::RankLoad load{};
  };
  /// Gives a phase its turn.
  [[nodiscard]] Result take_turn(std::size_t phase, const TurnRule& rule);

  /// What verification has taken so far counts no longer: the next turn of each phase is verified.
  void forget_verification();

  /// Whether this rank and its buffers are where they were put, for the document.
  void verify_placement();

 private:
  struct Group;
  struct Connected {
    Group* group = nullptr;
    std::uint64_t size_bytes = 0;
    VerificationTime verification{};
  };

  Session& session_;
  std::vector<std::unique_ptr<Group>> groups_;
  std::vector<Connected> phases_;  // of the plan
};

}  // namespace railgauge::runner
