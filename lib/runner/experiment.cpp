#include "runner/experiment.hpp"

#include <chrono>
#include <exception>
#include <iostream>
#include <thread>

#include "job/abort_channel.hpp"
#include "job/missing_ranks.hpp"
#include "job/start_up.hpp"
#include "job/start_up_watch.hpp"
#include "results/version.hpp"
#include "runner/late_start.hpp"
#include "runner/options/run_options.hpp"
#include "runner/session.hpp"

namespace railgauge::runner {
namespace {

using options::OptionTable;
using results::ExitCode;
using results::Failure;

manual::Manual manual_of(const Experiment::Description& program) {
  return {.program = program.program,
          .about = program.about,
          .examples = program.examples,
          .sections = {
              {"Units",
               "Sizes are in bytes, or with K, M, G, T (binary; KiB is the same). Times are in "
               "seconds, or with ms, s, m, h, d. Comma-separated lists run every combination. If "
               "an option is given twice, the last one counts."},
              {"Environment",
               "Every option can also be set in a file (--config) or in the environment: --timeout "
               "as RAILGAUGE_TIMEOUT. The command line overrides the file, and the file overrides "
               "the environment."},
              {"Exit status",
               "0 ok; 1 " + program.exit_status_1 +
                   "; 2 usage; 3 time-out or transport failure; 4 wrong data; 5 environment (no "
                   "device, no memory, no file); 130 interrupted. Every wait has a deadline: see "
                   "-T."}}};
}

/// A mistake is the same on all ranks, and said once.
int answer(const OptionTable::Answer& answer) {
  if (job::speaks_for_job())
    (answer.mistake ? std::cerr : std::cout)
        << answer.text << (answer.text.ends_with('\n') ? "" : "\n") << std::flush;
  return static_cast<int>(answer.mistake ? ExitCode::usage : ExitCode::ok);
}

std::optional<OptionTable::Answer> read_options(Experiment& experiment, OptionTable& table,
                                                RunOptions& options, int argc, char** argv) {
  experiment.add_options(table, options);
  add_run_options(table, options, experiment.description().tables);
  if (auto answer = table.parse(argc, argv, results::version_text())) return answer;
  try {
    check_run_options(table, options);
    experiment.check_options(table, options);
  } catch (const std::invalid_argument& error) {
    return table.mistake(error.what());
  }
  return std::nullopt;
}

int run_session(Session& session, Experiment& experiment) {
  try {
    session.open();
    experiment.run(session);
    return static_cast<int>(session.close());
  } catch (const job::RunFailure& failure) {
    return static_cast<int>(session.fail(failure));
  } catch (const std::exception& error) {
    return static_cast<int>(session.fail({Failure::Kind::environment, error.what()}));
  }
}

/// What is wrong with a host is said once, by its first rank. Another rank speaks where those
/// before it live: then something is wrong with it alone.
bool says_why() {
  constexpr std::chrono::milliseconds kForTheFirst{500};
  if (job::speaks_for_host()) return true;
  std::this_thread::sleep_for(kForTheFirst);
  return job::earlier_ranks_live(job::local_ranks());
}

int run_all(Experiment& experiment, int argc, char** argv) {
  const auto description = experiment.description();
  OptionTable table(manual_of(description));
  table.know_variables(variables_of_others());
  RunOptions options;
  if (const auto text = read_options(experiment, table, options, argc, argv)) return answer(*text);
  job::raise_descriptor_limit();
  if (options.device.soft.rails > 0) job::load_soft_devices(options.device.soft.count(), argv);
  auto record = begun_record(experiment, {argv, argv + argc}, options);
  std::optional<job::StartUpWatch> watch(std::in_place,
                                         late_start_steps(description.program, options, record));
  job::Communicator communicator(argc, argv, options.limit);
  watch.reset();
  job::catch_signals();  // until here they end the process as usual: there is nothing to keep
  Session session(experiment, std::move(record), std::move(options), communicator);
  return run_session(session, experiment);
}

}  // namespace

int run(Experiment& experiment, int argc, char** argv) {
  const std::string program = experiment.description().program;
  try {
    return run_all(experiment, argc, argv);
  } catch (const job::RunFailure& failure) {
    if (says_why()) std::cerr << program << ": " << failure.what() << std::endl;
    return static_cast<int>(job::exit_code_of(failure.kind));
  } catch (const std::exception& error) {
    std::cerr << program << ": " << error.what() << std::endl;
    return static_cast<int>(ExitCode::environment);
  }
}

}  // namespace railgauge::runner
