#pragma once

#include <CLI/CLI.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "benchmarks/railgauge/criteria_options.hpp"
#include "results/exit_code.hpp"

namespace railgauge::benchmarks {

/// `railgauge compare`: judges results against references, line rate, earlier results and policies.
/// Adds its options to `app`, which has to outlive it.
class CompareCommand {
 public:
  explicit CompareCommand(CLI::App& app);

  /// Whether it is this command that was given.
  [[nodiscard]] bool parsed() const { return command_->parsed(); }

  /// After `app` has parsed: ok if every criterion of every result passes; else verdict_failed,
  /// also for a criterion that could not be asked, unless --allow-no-reference. Throws
  /// std::invalid_argument for what cannot be, std::runtime_error when a file cannot be read.
  [[nodiscard]] results::ExitCode run(std::ostream& out) const;

 private:
  CLI::App* command_;
  CriteriaOptions criteria_;
  std::vector<std::string> results_;
  bool json_ = false;
};

}  // namespace railgauge::benchmarks
