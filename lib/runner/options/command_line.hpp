#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>

#include "runner/options/options.hpp"
#include "runner/options/raw_options.hpp"

namespace railgauge::runner {

/// The options of one benchmark, as CLI11 reads them, and what they say.
class CommandLine {
 public:
  /// Where options are read from: each of these and all before it.
  enum class Sources : std::uint8_t { command_line, config_file, environment };

  CommandLine(const Program& program, Sources sources);

  /// Throws CLI::ParseError; also for help and version, whose text is then app()'s.
  void parse(int argc, char** argv) { app_.parse(argc, argv); }

  [[nodiscard]] const CLI::App& app() const { return app_; }
  [[nodiscard]] bool has(const std::string& long_name) const {
    return app_[long_name]->count() > 0;
  }
  [[nodiscard]] const RawOptions& raw() const { return raw_; }
  /// With what needed no interpretation.
  [[nodiscard]] const Options& options() const { return options_; }
  /// Every option by its long name, with its value as it was given, or its default.
  [[nodiscard]] std::map<std::string, results::Option> values() const;

 private:
  void add_sizes();
  void add_algorithms();
  void add_axes();
  void add_measurement();
  void add_way();
  void add_participants();
  void add_topology();
  void add_output();
  void read_environment();

  CLI::App app_;
  Options options_;
  RawOptions raw_;
};

}  // namespace railgauge::runner
