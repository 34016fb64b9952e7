#pragma once

#include <CLI/CLI.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "results/exit_code.hpp"
#include "verdict/comparison.hpp"

namespace railgauge::benchmarks {

/// `railgauge compare`: whether results are good, beside references, line rate, earlier results and
/// policies. Adds its options to `app`, which has to outlive it.
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
  [[nodiscard]] verdict::Criteria criteria() const;

  CLI::App* command_;
  std::vector<std::string> results_;
  std::vector<std::string> references_;
  std::vector<std::string> baselines_;
  std::vector<std::string> policies_;
  std::string tolerance_ = "5%";
  bool line_rate_ = false;
  bool interpolate_ = false;
  bool absolute_ = false;
  bool allow_no_reference_ = false;
  bool json_ = false;
};

}  // namespace railgauge::benchmarks
