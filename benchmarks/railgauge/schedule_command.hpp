#pragma once

#include <CLI/CLI.hpp>
#include <ostream>
#include <string>

#include "results/output_file.hpp"
#include "schedule/schedule.hpp"

namespace railgauge::benchmarks {

/// `railgauge schedule show`: one schedule as a table, as JSON or as a picture; `railgauge schedule
/// list`: all algorithms with their costs and the lower bounds. Adds its options to `app`, which
/// has to outlive it.
class ScheduleCommand {
 public:
  explicit ScheduleCommand(CLI::App& app);

  /// Whether it is this command that was given.
  [[nodiscard]] bool parsed() const { return show_->parsed() || list_->parsed(); }

  /// After `app` has parsed. Throws std::invalid_argument for what cannot be, std::runtime_error
  /// when a file cannot be written.
  void run(std::ostream& out) const;

 private:
  void add_team(CLI::App& command);
  [[nodiscard]] std::string shown() const;
  [[nodiscard]] std::string listed() const;

  CLI::App* show_;
  CLI::App* list_;
  std::string collective_ = "all_reduce";
  std::string algorithm_;
  std::string format_ = "table";
  results::OutputFile output_;
  schedule::Team team_{8, 0, 1};
};

}  // namespace railgauge::benchmarks
