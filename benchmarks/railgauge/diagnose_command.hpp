#pragma once

#include <CLI/CLI.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "results/exit_code.hpp"

namespace railgauge::benchmarks {

/// `railgauge diagnose`: who is slow or loses packets in a result, and why. Adds its options to
/// `app`, which has to outlive it.
class DiagnoseCommand {
 public:
  explicit DiagnoseCommand(CLI::App& app);

  /// Whether it is this command that was given.
  [[nodiscard]] bool parsed() const { return command_->parsed(); }

  /// After `app` has parsed: ok if nothing stands out, verdict_failed otherwise. Throws
  /// std::invalid_argument for a document without what it takes, std::runtime_error when a file
  /// cannot be read.
  [[nodiscard]] results::ExitCode run(std::ostream& out) const;

 private:
  CLI::App* command_;
  std::vector<std::string> files_;
  bool json_ = false;
};

}  // namespace railgauge::benchmarks
