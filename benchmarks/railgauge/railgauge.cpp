// What can be said without running: schedules and hosts as tables, JSON and pictures; which way
// flows take; what figures are worth.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchmarks/railgauge/command_manual.hpp"
#include "benchmarks/railgauge/compare_command.hpp"
#include "benchmarks/railgauge/diagnose_command.hpp"
#include "benchmarks/railgauge/import_command.hpp"
#include "benchmarks/railgauge/paths_command.hpp"
#include "benchmarks/railgauge/reference_command.hpp"
#include "benchmarks/railgauge/report_command.hpp"
#include "benchmarks/railgauge/schedule_command.hpp"
#include "benchmarks/railgauge/soak_command.hpp"
#include "benchmarks/railgauge/topo_command.hpp"
#include "results/exit_code.hpp"
#include "results/version.hpp"

namespace railgauge {
namespace {

std::string version() {
  return std::string("railgauge ") + results::kVersion + " " + results::kCommit;
}

/// What is asked to be told of the whole command, or of a sub-command's version.
bool tell(const CLI::App& app, int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const std::string first = words.empty() ? "" : words.front();
  const std::string second = words.size() < 2 ? "" : words[1];
  if (std::ranges::count(words, "--version") > 0) {
    std::cout << version() << "\n";
  } else if (first == "--man") {
    std::cout << manual::man_page(benchmarks::manual_of(app), results::kVersion);
  } else if (first == "--completion" && second == "bash") {
    std::cout << manual::bash_completion(benchmarks::manual_of(app));
  } else if (first == "--completion" && second == "zsh") {
    std::cout << manual::zsh_completion(benchmarks::manual_of(app));
  } else {
    return false;
  }
  return true;
}

int run(int argc, char** argv) {
  CLI::App app("Looks at what railgauge's benchmarks run, and at what they found", "railgauge");
  app.set_version_flag("--version", version());
  app.require_subcommand(1);
  const benchmarks::ScheduleCommand schedule(app);
  const benchmarks::ImportCommand import(app);
  const benchmarks::CompareCommand compare(app);
  const benchmarks::DiagnoseCommand diagnose(app);
  const benchmarks::PathsCommand paths(app);
  const benchmarks::ReferenceCommand reference(app);
  const benchmarks::ReportCommand report(app);
  const benchmarks::SoakCommand soak(app);
  const benchmarks::TopoCommand topo(app);
  benchmarks::settle(app);
  if (tell(app, argc, argv)) return 0;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // help, version
    const std::string unknown = benchmarks::unknown_word(app, argc, argv);
    throw std::invalid_argument((unknown.empty() ? error.what() : unknown) + "; see --help");
  }
  if (schedule.parsed()) schedule.run(std::cout);
  if (import.parsed()) import.run(std::cout, std::cerr);
  if (reference.parsed()) reference.run(std::cout);
  if (diagnose.parsed()) return static_cast<int>(diagnose.run(std::cout));
  if (paths.parsed()) return static_cast<int>(paths.run(std::cout));
  if (report.parsed()) return static_cast<int>(report.run(std::cout));
  if (soak.parsed()) return static_cast<int>(soak.run(std::cout));
  if (topo.parsed()) return static_cast<int>(topo.run(std::cout));
  return static_cast<int>(compare.parsed() ? compare.run(std::cout) : results::ExitCode::ok);
}

/// Of every command: what could not be written in full is not done.
void finish_output() {
  std::cout << std::flush;
  if (!std::cout)
    throw std::runtime_error("standard output could not be written in full; is its disk full?");
}

int fail(const char* why, results::ExitCode code) {
  std::fprintf(stderr, "railgauge: %s\n", why);
  return static_cast<int>(code);
}

}  // namespace
}  // namespace railgauge

int main(int argc, char** argv) {
  try {
    const int status = railgauge::run(argc, argv);
    railgauge::finish_output();
    return status;
  } catch (const std::invalid_argument& error) {
    return railgauge::fail(error.what(), railgauge::results::ExitCode::usage);
  } catch (const std::exception& error) {
    return railgauge::fail(error.what(), railgauge::results::ExitCode::environment);
  }
}
