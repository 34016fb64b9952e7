#include "benchmarks/run.hpp"

#include <exception>
#include <iostream>

#include "benchmarks/interruption.hpp"
#include "benchmarks/soft_devices.hpp"
#include "benchmarks/spokesman.hpp"

namespace railgauge::benchmarks {
namespace {

using results::ExitCode;
using results::Failure;

int answer(const ParsedOptions& parsed) {
  if (speaks_for_job()) {
    (parsed.mistake ? std::cerr : std::cout) << parsed.text << std::endl;
  }
  return static_cast<int>(parsed.mistake ? ExitCode::usage : ExitCode::ok);
}

/// What is wrong with a host is said once a host.
int answer(const std::string& program, const RunFailure& failure) {
  if (speaks_for_host()) {
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
