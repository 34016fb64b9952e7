#pragma once

#include <CLI/CLI.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "benchmarks/railgauge/criteria_options.hpp"
#include "results/exit_code.hpp"
#include "results/output_file.hpp"

namespace railgauge::benchmarks {

/// `railgauge report`: results and what they are worth as a page, a comment or a test report. Adds
/// its options to `app`, which has to outlive it.
class ReportCommand {
 public:
  explicit ReportCommand(CLI::App& app);

  /// Whether it is this command that was given.
  [[nodiscard]] bool parsed() const { return command_->parsed(); }

  /// After `app` has parsed: as CompareCommand::run() ends; without criteria ok, unless a run is
  /// not whole and right, which fails always. The report is written in any case. Throws
  /// std::invalid_argument for what cannot be, std::runtime_error when a file cannot be read or
  /// written.
  [[nodiscard]] results::ExitCode run(std::ostream& out) const;

 private:
  CLI::App* command_;
  CriteriaOptions criteria_;
  std::vector<std::string> results_;
  std::string format_ = "html";
  results::OutputFile output_;
};

}  // namespace railgauge::benchmarks
