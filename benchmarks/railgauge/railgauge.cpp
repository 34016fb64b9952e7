// What needs no run: schedules and hosts as tables, JSON and pictures; paths of flows; verdicts of
// results.

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchmarks/railgauge/command_tree.hpp"
#include "benchmarks/railgauge/commands.hpp"
#include "options/shared.hpp"
#include "results/exit_code.hpp"
#include "results/version.hpp"

namespace railgauge {
namespace {

using benchmarks::Commands;
using results::ExitCode;

Commands all_commands() {
  using namespace benchmarks;
  Commands commands;
  for (const auto make : {schedule_show_command,  schedule_list_command,  import_command,
                          compare_command,        design_command,         diagnose_command,
                          doctor_command,         paths_command,          predict_command,
                          reference_list_command, reference_show_command, reference_suggest_command,
                          report_command,         soak_status_command,    topo_command,
                          validate_command,       workload_make_command,  workload_mix_command,
                          workload_show_command,  workload_check_command}) {
    commands.push_back(make());
  }
  for (const auto& format : workload::traces::formats())
    commands.push_back(import_trace_command(format));
  return commands;
}

/// Whether the version or completion was asked for, and printed.
bool printed(const std::vector<std::string>& words, const manual::Manual& manual) {
  const auto word = [&](std::size_t at) { return at < words.size() ? words[at] : ""; };
  if (std::ranges::count(words, "--version") > 0) {
    std::cout << "railgauge " << results::version_text() << "\n";
  } else if (const auto shell = options::shell_asked_for(word(0), word(1))) {
    std::cout << options::completion_for(*shell, manual);
  } else {
    return false;
  }
  return true;
}

/// `argv` begins with the last word of the command's name.
ExitCode run(benchmarks::Command& command, int argc, char** argv) {
  if (const auto answer = command.table().parse(argc, argv, results::version_text())) {
    (answer->mistake ? std::cerr : std::cout)
        << answer->text << (answer->text.ends_with('\n') ? "" : "\n");
    return answer->mistake ? ExitCode::usage : ExitCode::ok;
  }
  return command.run(std::cout, std::cerr);
}

ExitCode run(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  Commands commands = all_commands();
  const manual::Manual manual = benchmarks::manual_of(commands);
  if (printed(words, manual)) return ExitCode::ok;
  std::size_t named = 0;
  const manual::Manual& part = benchmarks::named_by(words, manual, named);
  const auto is_named = [&](const auto& command) {
    return command->table().manual().program == part.program;
  };
  const auto command = std::ranges::find_if(commands, is_named);
  if (command != commands.end()) {
    const int skipped = static_cast<int>(named);
    return run(**command, argc - skipped, argv + skipped);
  }
  std::cout << manual::help(part);
  return ExitCode::ok;
}

/// Of every command: what could not be written in full is not done.
void finish_output() {
  std::cout << std::flush;
  if (!std::cout)
    throw std::runtime_error("writing to standard output failed; check that the disk is not full");
}

int fail(const char* why, ExitCode code) {
  std::fprintf(stderr, "railgauge: %s\n", why);
  return static_cast<int>(code);
}

}  // namespace
}  // namespace railgauge

int main(int argc, char** argv) {
  using railgauge::results::ExitCode;
  try {
    const ExitCode status = railgauge::run(argc, argv);
    railgauge::finish_output();
    return static_cast<int>(status);
  } catch (const std::invalid_argument& error) {
    return railgauge::fail(error.what(), ExitCode::usage);
  } catch (const std::exception& error) {
    return railgauge::fail(error.what(), ExitCode::environment);
  }
}
