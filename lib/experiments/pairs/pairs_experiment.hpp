#pragma once

#include <memory>
#include <string>
#include <vector>

#include "experiments/pairs/all_nics.hpp"
#include "experiments/pairs/pairs_display.hpp"
#include "experiments/pairs/pairs_options.hpp"
#include "experiments/pairs/pairs_plan.hpp"
#include "pairs/judgement.hpp"
#include "results/pairs.hpp"
#include "runner/experiment.hpp"

namespace railgauge::runner {

/// The test of pairs: whether every NIC reaches every other, how fast it sends to it, and which are
/// slower than they should be.
class PairsExperiment final : public Experiment {
 public:
  explicit PairsExperiment(PairsProgram program) : options_(defaults_of(program)) {}

  [[nodiscard]] Description description() const override;
  void add_options(options::OptionTable& table, RunOptions& run) override;
  void check_options(const options::OptionTable& table, const RunOptions& run) override;
  [[nodiscard]] results::Body body() const override { return results::PairsBody{}; }
  void prepare(Session& session) override;
  void begin(Session& session) override;
  [[nodiscard]] std::unique_ptr<Display> display(Session& session) override;
  [[nodiscard]] bool goes_on() const override { return options_.resume; }
  void run(Session& session) override;

 private:
  [[nodiscard]] pairs::Limits limits(const Session& session) const;
  void draw(Session& session, const std::vector<results::PairRow>& rows) const;

  PairsOptions options_;
  EarlierRows earlier_;  // of the run that this one goes on with
  AllNics nics_;
  std::vector<PairsStep> steps_;
  PairsDisplay* display_ = nullptr;  // the frame's; of rank 0, null without a table
};

}  // namespace railgauge::runner
