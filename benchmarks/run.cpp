#include "benchmarks/run.hpp"

#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <iostream>
#include <string_view>

#include "benchmarks/interruption.hpp"
#include "benchmarks/soft_devices.hpp"

namespace railgauge::benchmarks {
namespace {

using results::ExitCode;
using results::Failure;

/// Before MPI is up only the launcher's environment tells which process should speak.
bool is_first(std::initializer_list<const char*> rank_variables) {
  for (const char* name : rank_variables) {
    if (const char* rank = std::getenv(name)) return std::string_view(rank) == "0";
  }
  return true;
}

int answer(const ParsedOptions& parsed) {
  if (is_first({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID"})) {
    (parsed.mistake ? std::cerr : std::cout) << parsed.text << std::endl;
  }
  return static_cast<int>(parsed.mistake ? ExitCode::usage : ExitCode::ok);
}

/// What is wrong with a host is said once a host.
int answer(const std::string& program, const RunFailure& failure) {
  if (is_first({"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"})) {
    std::cerr << program << ": " << failure.what() << std::endl;
  }
  return static_cast<int>(exit_code_of(failure.kind));
}

int run_session(Session& session, const std::function<void(Session&)>& experiment) {
  try {
    session.open();
    experiment(session);
    return static_cast<int>(session.close());
  } catch (const RunFailure& failure) {
    return static_cast<int>(session.fail(failure));
  } catch (const std::exception& error) {
    return static_cast<int>(session.fail(RunFailure(Failure::Kind::environment, error.what())));
  }
}

}  // namespace

int run(const Program& program, int argc, char** argv,
        const std::function<void(Session&)>& experiment) {
  try {
    const ParsedOptions parsed = parse_options(program, argc, argv);
    if (!parsed.options) return answer(parsed);
    if (parsed.options->soft_rails > 0) load_soft_devices(parsed.options->soft_rails, argv);
    const std::vector<std::string> command_line(argv, argv + argc);
    World world(argc, argv, parsed.options->limit);
    catch_signals();  // until here they end the process as usual: there is nothing to keep
    Session session(program, command_line, *parsed.options, world);
    return run_session(session, experiment);
  } catch (const RunFailure& failure) {
    return answer(program.name(), failure);
  } catch (const std::exception& error) {
    std::cerr << program.name() << ": " << error.what() << std::endl;
    return static_cast<int>(ExitCode::environment);
  }
}

}  // namespace railgauge::benchmarks
