#include "runner/run.hpp"

#include <exception>
#include <iostream>

#include "job/job_leader.hpp"
#include "job/signals.hpp"
#include "job/soft_devices.hpp"

namespace railgauge::runner {
namespace {

using results::ExitCode;
using results::Failure;

int answer(const ParsedOptions& parsed) {
  if (job::speaks_for_job()) {
    (parsed.mistake ? std::cerr : std::cout) << parsed.text << std::endl;
  }
  return static_cast<int>(parsed.mistake ? ExitCode::usage : ExitCode::ok);
}

/// What is wrong with a host is said once a host.
int answer(const std::string& program, const job::RunFailure& failure) {
  if (job::speaks_for_host()) {
    std::cerr << program << ": " << failure.what() << std::endl;
  }
  return static_cast<int>(job::exit_code_of(failure.kind));
}

int run_session(Session& session, const std::function<void(Session&)>& experiment) {
  try {
    session.open();
    experiment(session);
    return static_cast<int>(session.close());
  } catch (const job::RunFailure& failure) {
    return static_cast<int>(session.fail(failure));
  } catch (const std::exception& error) {
    return static_cast<int>(
        session.fail(job::RunFailure(Failure::Kind::environment, error.what())));
  }
}

}  // namespace

int run(const Program& program, int argc, char** argv,
        const std::function<void(Session&)>& experiment) {
  try {
    const ParsedOptions parsed = parse_options(program, argc, argv);
    if (!parsed.options) return answer(parsed);
    if (parsed.options->device.soft_rails > 0)
      job::load_soft_devices(parsed.options->device.soft_rails, argv);
    const std::vector<std::string> command_line(argv, argv + argc);
    job::Communicator communicator(argc, argv, parsed.options->limit);
    job::catch_signals();  // until here they end the process as usual: there is nothing to keep
    Session session(program, command_line, *parsed.options, communicator);
    return run_session(session, experiment);
  } catch (const job::RunFailure& failure) {
    return answer(program.name(), failure);
  } catch (const std::exception& error) {
    std::cerr << program.name() << ": " << error.what() << std::endl;
    return static_cast<int>(ExitCode::environment);
  }
}

}  // namespace railgauge::runner
