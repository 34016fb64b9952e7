#pragma once

#include "experiments/collective/collective_options.hpp"
#include "experiments/collective/traffic.hpp"
#include "runner/experiment.hpp"

namespace railgauge::runner {

/// The benchmark of a collective: for each combination, size and algorithm a row, with the output
/// in a buffer of its own and in place, both verified.
class CollectiveExperiment final : public Experiment {
 public:
  explicit CollectiveExperiment(Program program) : program_(std::move(program)) {}

  [[nodiscard]] Description description() const override;
  void add_options(options::OptionTable& table, RunOptions& run) override;
  void check_options(const options::OptionTable& table, const RunOptions& run) override;
  [[nodiscard]] results::Body body() const override;
  void prepare(Session& session) override;
  void begin(Session& session) override;
  [[nodiscard]] std::unique_ptr<Display> display(Session& session) override;
  void run(Session& session) override;

 private:
  Program program_;
  CollectiveOptions options_;
  Traffic traffic_;  // of all-to-all-v
};

}  // namespace railgauge::runner
