#pragma once

#include <CLI/CLI.hpp>
#include <ostream>
#include <string>

#include "results/output_file.hpp"
#include "verdict/logs/import.hpp"

namespace railgauge::benchmarks {

/// `railgauge import`: a log of another benchmark, or of one's own, as a reference document. Adds
/// its options to `app`, which has to outlive it.
class ImportCommand {
 public:
  explicit ImportCommand(CLI::App& app);

  /// Whether it is this command that was given.
  [[nodiscard]] bool parsed() const { return command_->parsed(); }

  /// After `app` has parsed. What could not be read is said on `complaints` with its line, also if
  /// nothing was read; and that the collective is not known. Throws std::invalid_argument if there
  /// are no figures in the log, or what was said of it is wrong;
  /// std::runtime_error when a file cannot be read or written.
  void run(std::ostream& out, std::ostream& complaints) const;

 private:
  [[nodiscard]] verdict::Imported imported(std::ostream& complaints) const;
  void report(std::ostream& out, const verdict::Complaints& complaints) const;

  CLI::App* command_;
  std::string log_;
  std::string format_ = "auto";
  results::OutputFile output_;
  verdict::Stated stated_;
  std::string beside_;
  verdict::Reference about_;  // name, system, transport, source: what no log says
};

}  // namespace railgauge::benchmarks
