#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "experiments/pairs/pair_paths.hpp"
#include "experiments/pairs/pair_tester.hpp"
#include "experiments/pairs/pairs_options.hpp"
#include "experiments/pairs/pairs_plan.hpp"
#include "pairs/judgement.hpp"
#include "results/pairs.hpp"

namespace railgauge::runner {

/// The loop: round by round, then what looks bad again, alone. All ranks have the same rows at
/// every moment, and so come to the same decisions; the clock is rank 0's.
class PairsLoop {
 public:
  using Clock = std::chrono::steady_clock;

  /// All have to outlive it. `rows`: those of an earlier run, of NICs that `all` has, too; more are
  /// added.
  PairsLoop(Session& session, const PairsOptions& options, const AllNics& all,
            std::vector<results::PairRow>& rows);

  /// Collective, before measure(): asks switches which paths these take.
  void find_paths(const std::vector<PairsStep>& steps);

  /// Collective. `after_round` is told how many rows were to be measured.
  void measure(const std::vector<PairsStep>& steps,
               const std::function<void(std::size_t rows)>& after_round);
  /// Collective: pairs of which a direction looks bad, alone, --retries times at most, and while
  /// there is time.
  void measure_suspects(const pairs::Limits& limits);
  /// Ports whose tests were skipped because they failed too often.
  [[nodiscard]] std::vector<finding::Finding> given_up() const;
  /// What --max-time left out, and what is not known of paths, and why, in sentences.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  using Direction = std::tuple<std::size_t, std::size_t, flow::Mode>;

  void measure(const PairsStep& step);
  void measure(flow::Mode mode, const std::vector<PairTest>& tests);
  void again_alone(std::size_t row);
  void add_row(const Direction& direction, std::vector<DirectionFigures> repetitions);
  void note(const DirectionFigures& direction);
  [[nodiscard]] bool gave_up(std::size_t nic) const;
  [[nodiscard]] bool is_too_late(double share, Clock::duration expected);
  [[nodiscard]] std::size_t nic_of(const results::Endpoint& end) const;

  Session& session_;
  const PairsOptions& options_;
  const AllNics& all_;
  std::vector<results::PairRow>& rows_;
  PairTester tester_;
  PairPaths paths_;
  std::map<Direction, std::size_t> places_;  // among the rows
  std::map<results::Endpoint, std::size_t> nics_;
  std::vector<int> failures_;         // of each NIC, one after the other
  std::vector<std::size_t> skipped_;  // tests of each NIC
  std::size_t not_in_time_ = 0;       // tests
  int round_ = 0;                     // the next
  Clock::time_point began_;           // that from which --max-time counts
};

}  // namespace railgauge::runner
