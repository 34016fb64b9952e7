#include "benchmarks/run.hpp"

#include <cstdlib>
#include <exception>
#include <iostream>
#include <string_view>

#include "benchmarks/interruption.hpp"

namespace railgauge::benchmarks {
namespace {

using results::ExitCode;
using results::Failure;

/// Before MPI is up only the launcher's environment tells which process should speak.
bool speaks() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID"}) {
    if (const char* rank = std::getenv(name)) return std::string_view(rank) == "0";
  }
  return true;
}

int answer(const ParsedOptions& parsed) {
  if (speaks()) (parsed.mistake ? std::cerr : std::cout) << parsed.text << std::endl;
  return static_cast<int>(parsed.mistake ? ExitCode::usage : ExitCode::ok);
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

int run(const std::string& program, int argc, char** argv,
        const std::function<void(Session&)>& experiment) {
  try {
    const ParsedOptions parsed = parse_options(program, argc, argv);
    if (!parsed.options) return answer(parsed);
    const std::vector<std::string> command_line(argv, argv + argc);
    World world(argc, argv, parsed.options->time_limit);
    catch_signals();  // until here they end the process as usual: there is nothing to keep
    Session session(program, command_line, *parsed.options, world);
    return run_session(session, experiment);
  } catch (const std::exception& error) {
    std::cerr << program << ": " << error.what() << std::endl;
    return static_cast<int>(ExitCode::environment);
  }
}

}  // namespace railgauge::benchmarks
