#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>
#include "finding/outcome.hpp"

#include "experiments/isolation/earlier_tests.hpp"
#include "experiments/isolation/path_labels.hpp"
#include "experiments/pairs/pair_tester.hpp"
#include "flow/plan.hpp"
#include "isolation/batch.hpp"
#include "isolation/planner.hpp"
#include "isolation/verdict.hpp"
#include "job/communicator.hpp"
#include "results/isolate.hpp"

namespace railgauge::runner {

struct IsolationSettings {
  isolation::Plan plan{};
  LabelSettings labels{};
  /// Load is set by the run.
  flow::Plan tests{.mode = flow::Mode::unanswered,
                   .time = std::chrono::milliseconds(60),
                   // Little more than the retries of a sender take, which then knows better why.
                   .patience = std::chrono::milliseconds(1300),
                   // The other hosts wait for the end of a batch, no longer than -T.
                   .longest = std::chrono::seconds(8)};
};

/// Collective: tests between NICs in rounds, until it is clear what is bad or that nothing is; then
/// what is suspected again, alone. All ranks have the same evidence; rank 0 decides how to go on.
/// What does not work is a result. Throws job::RunFailure only for what ends a run.
class IsolationRun {
 public:
  using TakeRow = std::function<void(results::IsolateRow)>;

  /// Opens this rank's NICs. `session` and `nics` have to outlive it; `row` is called on all ranks
  /// for each test.
  IsolationRun(Session& session, const IsolationSettings& settings, const AllNics& nics,
               TakeRow row);

  /// Before measure(): tests of earlier runs, the same on all ranks.
  void import(const std::vector<EarlierTest>& tests);
  /// Once. Rank 0 has the verdict; of all others it is empty.
  void measure();

  [[nodiscard]] const isolation::Verdict& verdict() const { return verdict_; }
  [[nodiscard]] const isolation::Evidence& evidence() const { return evidence_; }
  [[nodiscard]] int rounds() const { return rounds_; }
  [[nodiscard]] std::size_t imported() const { return imported_; }
  /// The row of a test of the evidence; empty of one that was imported.
  [[nodiscard]] std::optional<std::size_t> row_of(std::size_t test) const;
  /// What is not known, and why: sentences.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  void run_round();
  void test_again();
  [[nodiscard]] bool goes_on();
  [[nodiscard]] bool lacks_rounds();
  [[nodiscard]] std::vector<isolation::Flow> flows_of_leader();
  [[nodiscard]] std::vector<isolation::Flow> flows_to_confirm() const;
  using Batch = std::vector<isolation::PlannedTest>;
  void run(const std::vector<Batch>& batches, bool alone);
  void take(const isolation::PlannedTest& test, const DirectionFigures& measured, bool alone);
  [[nodiscard]] results::IsolateRow row_of(const isolation::PlannedTest& test,
                                           const DirectionFigures& measured, bool alone) const;
  [[nodiscard]] bool on_software(std::size_t from, std::size_t to) const;
  [[nodiscard]] std::optional<std::size_t> nic_of(const results::Endpoint& end) const;

  job::Communicator& communicator_;
  IsolationSettings settings_;
  const AllNics& nics_;
  TakeRow row_;
  PathCounters counters_;
  PairTester tester_;
  PathLabels labels_;
  isolation::Batches batches_;
  isolation::Evidence evidence_;
  isolation::Verdict verdict_;
  std::map<std::size_t, std::size_t> rows_;  // by test of the evidence
  std::size_t imported_ = 0;
  std::size_t offered_ = 0;  // to import, of whichever NICs
  std::size_t tests_ = 0;
  std::size_t stalled_tests_ = 0;
  int rounds_ = 0;
  int next_number_ = 0;  // of a round: a pass over all pairs, or a test alone
};

/// Rank 0, after the run: its findings and coverage, with rows of the document as evidence.
[[nodiscard]] finding::Report report_of(const IsolationRun& run);

/// Rank 0, after the run: fills in the figures of the whole, and the symptoms of each row.
void conclude(const IsolationRun& run, results::IsolateBody& body);

}  // namespace railgauge::runner
