#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "paths/report.hpp"
#include "results/exit_code.hpp"

namespace railgauge::benchmarks {

/// `railgauge paths`: which way flows take through the fabric, and the source ports that spread
/// queue pairs over it. Adds its options to `app`, which has to outlive it.
class PathsCommand {
 public:
  explicit PathsCommand(CLI::App& app);

  [[nodiscard]] bool parsed() const { return command_->parsed(); }

  /// After `app` has parsed. ok if source ports have paths that are told, verdict_failed if they
  /// have none of their own (paths::Told::none), time_out if the peer does not answer, or nobody
  /// who could tell. Throws std::invalid_argument for what cannot be, std::system_error when probes
  /// cannot be sent.
  [[nodiscard]] results::ExitCode run(std::ostream& out) const;

 private:
  [[nodiscard]] std::vector<std::uint16_t> source_ports() const;
  [[nodiscard]] paths::PathReport trace(const std::string& peer) const;

  CLI::App* command_;
  std::vector<std::string> peers_;
  std::string from_;
  int labels_ = 64;
  std::string source_ports_;
  std::size_t queue_pairs_ = 4;
  std::uint32_t queue_pair_ = 0;
  unsigned traffic_class_ = 0;
  int probe_rate_ = 100;
  bool json_ = false;
};

}  // namespace railgauge::benchmarks
