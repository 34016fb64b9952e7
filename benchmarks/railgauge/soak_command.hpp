#pragma once

#include <CLI/CLI.hpp>
#include <ostream>
#include <string>

#include "results/exit_code.hpp"

namespace railgauge::benchmarks {

/// `railgauge soak status`: what a soak has come to, while it runs and afterwards. Adds its options
/// to `app`, which has to outlive it.
class SoakCommand {
 public:
  explicit SoakCommand(CLI::App& app);

  /// Whether it is this command that was given.
  [[nodiscard]] bool parsed() const { return command_->parsed(); }

  /// After `app` has parsed: ok if the verdict (so far) is PASS, verdict_failed otherwise. Throws
  /// std::runtime_error when the record cannot be read.
  [[nodiscard]] results::ExitCode run(std::ostream& out) const;

 private:
  CLI::App* command_;
  std::string record_;
  bool json_ = false;
  bool drain_reason_ = false;
};

}  // namespace railgauge::benchmarks
