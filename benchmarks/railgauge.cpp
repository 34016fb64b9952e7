// What can be said without ranks and rails: schedules as tables, JSON and pictures.

#include <CLI/CLI.hpp>
#include <iostream>

#include "benchmarks/schedule_command.hpp"
#include "results/exit_code.hpp"
#include "version.hpp"

int main(int argc, char** argv) {
  using namespace railgauge;
  CLI::App app("Looks at what railgauge's benchmarks run", "railgauge");
  app.set_version_flag("--version", std::string("railgauge ") + benchmarks::kVersion);
  app.require_subcommand(1);
  benchmarks::ScheduleCommand schedule(app);
  try {
    app.parse(argc, argv);
    schedule.run(std::cout);
    return static_cast<int>(results::ExitCode::ok);
  } catch (const CLI::ParseError& error) {
    const bool help = error.get_exit_code() == 0;
    if (help) return app.exit(error);
    std::cerr << "railgauge: " << error.what() << "; see --help\n";
    return static_cast<int>(results::ExitCode::usage);
  } catch (const std::invalid_argument& error) {
    std::cerr << "railgauge: " << error.what() << "\n";
    return static_cast<int>(results::ExitCode::usage);
  } catch (const std::exception& error) {
    std::cerr << "railgauge: " << error.what() << "\n";
    return static_cast<int>(results::ExitCode::environment);
  }
}
