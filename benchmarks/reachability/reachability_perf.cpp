// Which NIC of the fabric reaches which other: every NIC of every host towards every NIC of all
// other hosts, a few messages and a short time of large writes each. Start with launchers/mpirun,
// one process a host. Called as the collectives' binaries are, because it is started as they are.

#include <algorithm>
#include <iostream>
#include <iterator>
#include <set>

#include "benchmarks/reachability/reachability.hpp"
#include "cluster/local_host.hpp"
#include "job/job_leader.hpp"
#include "job/signals.hpp"
#include "job/soft_devices.hpp"
#include "reachability/heat_map.hpp"
#include "reachability/matrix.hpp"
#include "results/output_file.hpp"
#include "results/utc.hpp"
#include "results/version.hpp"

namespace railgauge::benchmarks {
namespace {

using results::ExitCode;
using results::Failure;

constexpr const char* kProgram = "reachability_perf: ";
constexpr std::size_t kMostComplaints = 40;  // on the terminal; the document has all
// How long rank 0 waits for the others' last words.
constexpr std::chrono::milliseconds kLastWords{3000};

struct Outcome {
  const reachability::Matrix& matrix;
  std::vector<std::string> complaints;
  reachability::Circumstances run;
};

void print_kind(const reachability::Kind& kind) {
  if (kind.asked == 0) return;
  std::cout << (kind.same_rail ? "same rail:   " : "other rails: ") << kind.reached << " of "
            << kind.asked << " ways work, median " << kind.median_gigabytes_per_second << " GB/s\n";
}

void print(const Outcome& outcome, bool colours) {
  if (outcome.matrix.nics().front().software) {
    std::cout << "SOFTWARE DEVICE: figures say nothing about hardware\n";
  }
  std::cout << "Rows send, columns receive. 9: as fast as the median of its kind, 4 and less: "
               "slow, X: unreachable, .: not tested\n\n"
            << reachability::heat_map(outcome.matrix, colours) << "\n";
  for (const bool same_rail : {true, false}) print_kind(kind_of(outcome.matrix, same_rail));
  std::cout << std::flush;
  const std::size_t shown = std::min(outcome.complaints.size(), kMostComplaints);
  for (std::size_t i = 0; i < shown; ++i) std::cerr << kProgram << outcome.complaints[i] << "\n";
  if (shown < outcome.complaints.size()) {
    std::cerr << kProgram << "and " << outcome.complaints.size() - shown
              << " more, which the document (-J) has\n";
  }
}

void write(const Outcome& outcome, const ReachabilityOptions& options) {
  if (!options.output_file.empty()) {
    results::OutputFile{options.output_file, options.overwrite}.write(
        as_json(outcome.matrix, outcome.complaints, outcome.run), std::cout);
  }
  if (!options.svg_file.empty()) {
    results::OutputFile{options.svg_file, options.overwrite}.write(
        reachability::picture(outcome.matrix), std::cout);
  }
}

/// Before anything is measured for them.
void check_files(const ReachabilityOptions& options) {
  try {
    results::OutputFile{options.output_file, options.overwrite}.check();
    results::OutputFile{options.svg_file, options.overwrite}.check();
  } catch (const std::invalid_argument& error) {
    throw job::RunFailure(Failure::Kind::usage, error.what());
  }
}

cluster::LocalHost own_host(const ReachabilityOptions& options) {
  cluster::DeviceOptions wanted;
  wanted.devices = options.devices;
  wanted.gid_index = options.gid_index;
  return cluster::look_at_local_host(wanted);
}

ExitCode test_all(job::Communicator& communicator, const ReachabilityOptions& options,
                  const std::vector<std::string>& command_line) {
  const auto start = std::chrono::system_clock::now();
  if (communicator.rank() == 0) check_files(options);
  communicator.barrier();
  const cluster::LocalHost own = own_host(options);
  if (!own.left_out.empty())
    std::cerr << kProgram << communicator.host() << own.left_out << std::endl;
  const AllNics all = gather_nics(communicator, own.ports);
  Reachability test(communicator, options, all, own.ports);
  if (communicator.rank() == 0) {
    std::cout << "# " << all.nics.size() << " NICs of " << all.rails.size() << " hosts in "
              << test.rounds() << " rounds" << std::endl;
  }
  const reachability::Matrix& matrix = test.measure();
  std::vector<std::string> wrong = all.misfits;
  std::ranges::move(complaints(matrix, options.cross_rail), std::back_inserter(wrong));
  const Outcome outcome{matrix,
                        std::move(wrong),
                        {results::kVersion, results::kCommit, results::utc(start), command_line}};
  if (communicator.rank() == 0) {
    print(outcome, options.colours);
    write(outcome, options);
  }
  communicator.barrier();
  return outcome.complaints.empty() ? ExitCode::ok : ExitCode::verdict_failed;
}

/// Ends all ranks, each having told rank 0 what it saw.
ExitCode fail(job::Communicator& communicator, const job::RunFailure& failure) {
  if (communicator.rank() != 0) communicator.abort_channel().report(failure);
  ExitCode code = job::exit_code_of(failure.kind);
  std::set<std::string> told;
  for (const Failure& one : communicator.abort_channel().collect_reports(failure, kLastWords)) {
    if (one.kind == Failure::Kind::stopped) continue;
    if (told.empty()) code = job::exit_code_of(one.kind);
    const std::string text = "rank " + std::to_string(one.rank) + " (" + one.host + "): ";
    if (told.insert(one.text).second) std::cerr << kProgram << text << one.text << "\n";
  }
  std::cerr << std::flush;
  if (communicator.ranks() > 1) job::Communicator::abort(static_cast<int>(code));
  return code;
}

ExitCode run_in(job::Communicator& communicator, const ReachabilityOptions& options,
                const std::vector<std::string>& command_line) {
  try {
    return test_all(communicator, options, command_line);
  } catch (const job::RunFailure& failure) {
    return fail(communicator, failure);
  } catch (const std::exception& error) {
    return fail(communicator, job::RunFailure(Failure::Kind::environment, error.what()));
  }
}

ExitCode answer(const ParsedReachabilityOptions& parsed) {
  if (job::speaks_for_job()) (parsed.mistake ? std::cerr : std::cout) << parsed.text << std::endl;
  return parsed.mistake ? ExitCode::usage : ExitCode::ok;
}

ExitCode run(int argc, char** argv) {
  const ParsedReachabilityOptions parsed = parse_reachability_options(argc, argv);
  if (!parsed.options) return answer(parsed);
  const std::vector<std::string> command_line(argv, argv + argc);
  try {
    if (parsed.options->soft_rails > 0) job::load_soft_devices(parsed.options->soft_rails, argv);
    job::Communicator communicator(argc, argv, parsed.options->limit);
    job::catch_signals();
    return run_in(communicator, *parsed.options, command_line);
  } catch (const std::exception& error) {
    if (job::speaks_for_host()) std::cerr << kProgram << error.what() << std::endl;
    return ExitCode::environment;
  }
}

}  // namespace
}  // namespace railgauge::benchmarks

int main(int argc, char** argv) {
  return static_cast<int>(railgauge::benchmarks::run(argc, argv));
}
