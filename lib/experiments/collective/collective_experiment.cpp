#include "experiments/collective/collective_experiment.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "diagnosis/diagnosis.hpp"
#include "executor/channels.hpp"
#include "experiments/collective/algorithm_by_model.hpp"
#include "experiments/collective/algorithm_by_size.hpp"
#include "experiments/collective/collective_display.hpp"
#include "experiments/collective/collective_run.hpp"
#include "experiments/collective/collective_session.hpp"
#include "experiments/collective/cross_rail.hpp"
#include "experiments/collective/thread_binding.hpp"
#include "experiments/collective/traffic.hpp"
#include "experiments/collective/window_choice.hpp"
#include "job/start_up.hpp"
#include "measure/sizes.hpp"
#include "runner/progress.hpp"

namespace railgauge::runner {
namespace {

using schedule::Schedule;

constexpr const char* kRows = "rows";  // checks that the run has coverage of
constexpr const char* kVerification = "verification";

/// Whether the schedule keeps to its rails, where it has to. If it `must`: throws job::RunFailure
/// (usage). Collective.
bool keeps_to_rails(CollectiveSession& session, const Combination& combination,
                    const Schedule& schedule, bool must) {
  if (!combination.point.own_rails || session.options().cross_rail) return true;
  const auto peer = find_cross_rail_send(
      session.placed(schedule), session.rank(), session.driven_rails(combination.point),
      [&](schedule::Rank rank) { return session.shares_memory_with(rank); });
  const bool all_keep =
      session.communicator().sum(peer ? 1 : 0, "the check for cross-rail sends") == 0;
  if (all_keep || !must) return all_keep;
  // Once all know their own: none is stopped by another's before it has said it.
  if (peer) {
    job::refuse_use("--rails own: " + schedule.name + " sends from " +
                    session.describe(session.rank()) + " to " + session.describe(*peer) +
                    ", across rails: use a hierarchical algorithm and --same-host "
                    "memory, or --cross-rail if that is intended");
  }
  session.communicator().barrier();  // which ends as the others do
  return false;
}

/// Whether all of many ranks would have to connect to rank 0, which an all-reduce can do without.
bool has_crowded_hub(const Schedule& schedule) {
  constexpr std::size_t kMostPeers = 64;
  return schedule.collective == schedule::Collective::all_reduce &&
         executor::channels_of(schedule, 0, executor::Stripes{}).size() > kMostPeers;
}

bool is_on_one_host(const CollectiveSession& session, const std::vector<schedule::Rank>& ranks) {
  return std::ranges::all_of(ranks, [&](schedule::Rank rank) {
    return session.host_of(rank) == session.host_of(ranks.front());
  });
}

/// Collective.
SmallData small_data_of(CollectiveSession& session) {
  const bool share = session.frame().any_shares_processors();
  const bool one_host = std::ranges::all_of(session.groups().members(), [&](const auto& ranks) {
    return is_on_one_host(session, ranks);
  });
  return small_data(session.groups().size(), share, one_host);
}

/// For --algo by-size: first that of large data, last that of small ones. One only, if the sweep
/// has no size for the other, or if small data would have to cross between rails for it: then it is
/// the one of large data.
std::vector<Schedule> schedules_by_size(CollectiveSession& session, const Combination& combination,
                                        const SmallData& small) {
  const auto sizes = session.options().sizes();
  const auto [least, most] = std::ranges::minmax(sizes);
  const schedule::Team team = session.team(combination.point.root);
  std::vector<Schedule> schedules;
  if (least <= small.most_bytes) {
    Schedule made = find_algorithm(session.options().collective, small.algorithm)->make(team);
    if (keeps_to_rails(session, combination, made, false)) schedules.push_back(std::move(made));
  }
  if (most <= small.most_bytes && !schedules.empty()) return schedules;
  Schedule large = session.options().algorithms.front()->make(team);
  keeps_to_rails(session, combination, large, true);
  schedules.insert(schedules.begin(), std::move(large));
  return schedules;
}

/// The schedules asked for. Of all there are, those that cannot serve these ranks are left out,
/// those that are another's for this number of ranks, those that would cross between rails, and
/// those that connect one rank to too many.
std::vector<Schedule> schedules_of(CollectiveSession& session, const Combination& combination,
                                   const std::optional<SmallData>& small) {
  using Choice = CollectiveOptions::Choice;
  if (small) return schedules_by_size(session, combination, *small);
  std::vector<Schedule> schedules;
  const bool named = session.options().choice == Choice::named;
  for (const schedule::Algorithm* algorithm : session.options().algorithms) {
    try {
      Schedule made = algorithm->make(session.team(combination.point.root));
      const bool there = std::ranges::count(schedules, made.name, &Schedule::name) > 0;
      if (!keeps_to_rails(session, combination, made, named)) continue;
      if (!named && has_crowded_hub(made)) continue;
      if (named || !there) schedules.push_back(std::move(made));
    } catch (const std::invalid_argument& cannot) {
      if (named) job::refuse_use(cannot.what());
    }
  }
  if (!schedules.empty()) return schedules;
  job::refuse_use(combination.point.own_rails
                      ? "no algorithm keeps to --rails own: add --same-host memory, or use "
                        "--cross-rail"
                      : "no algorithm serves these ranks: --root must be one of them");
}

/// One more of the plan; an endless run has no other.
void count(finding::Coverage& coverage) {
  coverage.planned = std::max(coverage.planned, ++coverage.tested);
}

void count(Session& session, const results::CollectiveRow& row) {
  count(session.coverage(kRows));
  for (const auto* measured : {&row.out_of_place, &row.in_place}) {
    if (*measured && (*measured)->verified_iterations > 0) count(session.coverage(kVerification));
  }
}

void report(CollectiveSession& session, CollectiveRun& run, results::CollectiveRow row,
            std::uint64_t cycle) {
  row.cycle = cycle;
  session.frame().watch_ports();
  row.out_of_place = run.measure(results::BufferMode::out_of_place);
  try {
    if (takes_in_place(session.options().collective))
      row.in_place = run.measure(results::BufferMode::in_place);
    row.events = session.frame().port_events();
    run.add_evidence(row);
  } catch (const job::RunFailure&) {  // what was measured is kept
    session.frame().report<results::CollectiveBody>(std::move(row));
    throw;
  }
  count(session.frame(), row);
  session.frame().report<results::CollectiveBody>(std::move(row));
}

/// Rows of one combination in a cycle.
std::size_t rows_of(CollectiveSession& session, const Combination& combination) {
  using Choice = CollectiveOptions::Choice;
  const auto choice = session.options().choice;
  const bool chosen = choice == Choice::automatic || choice == Choice::by_size;
  const std::size_t schedules =
      chosen ? 1 : schedules_of(session, combination, std::nullopt).size();
  return schedules * session.options().sizes().size();
}

/// Measurements of a row whose data -c verifies.
std::size_t verified_in(const Combination& combination, const CollectiveOptions& options) {
  if (combination.point.unreduced || options.timing.verified == 0) return 0;
  const schedule::Collective collective = options.collective;
  return takes_in_place(collective) && !schedule::separate_buffers(collective) ? 2 : 1;
}

/// Collective: what the run is going to do, and what of it nobody asked to verify.
void plan(CollectiveSession& session, const std::vector<Combination>& combinations) {
  const CollectiveOptions& options = session.options();
  const std::uint64_t cycles = std::max<std::uint64_t>(options.cycles, 1);
  Session& frame = session.frame();
  bool unreduced = false;
  for (const Combination& combination : combinations) {
    const std::uint64_t rows = rows_of(session, combination) * cycles;
    frame.coverage(kRows).planned += rows;
    frame.coverage(kVerification).planned += rows * verified_in(combination, options);
    unreduced = unreduced || combination.point.unreduced;
  }
  if (unreduced) frame.coverage(kVerification).skipped.emplace_back("--reduce none: no result");
  if (options.timing.verified > 0) return;
  frame.coverage(kVerification).skipped.emplace_back("-c 0");
  frame.report(not_tested(kVerification, "data were not verified (-c 0)"));
}

/// Of rank 0, which keeps the record.
void diagnose(Session& session) {
  if (!session.communicator().is_leader()) return;
  const auto& body = session.body<results::CollectiveBody>();
  session.report(diagnosis::diagnose(session.document().ranks, body.rows));
}

/// One algorithm after the other: each has a table of its own.
void run_all(CollectiveSession& session, CollectiveRun& run, std::uint64_t cycle) {
  for (std::size_t i = 0; i < run.schedules().size(); ++i) {
    for (const std::uint64_t bytes : session.options().sizes()) {
      report(session, run, run.load(i, bytes), cycle);
    }
  }
}

void run_chosen(CollectiveSession& session, CollectiveRun& run, const AlgorithmByModel& model,
                std::uint64_t cycle) {
  for (const std::uint64_t bytes : session.options().sizes()) {
    const AlgorithmByModel::Chosen& chosen = model.of(bytes);
    results::CollectiveRow row = run.load(chosen.schedule, bytes);
    row.predictions = chosen.predictions;
    report(session, run, std::move(row), cycle);
  }
}

void run_by_size(CollectiveSession& session, CollectiveRun& run, std::uint64_t most_small,
                 std::uint64_t cycle) {
  for (const std::uint64_t bytes : session.options().sizes()) {
    const bool small = bytes <= most_small;
    report(session, run, run.load(small ? run.schedules().size() - 1 : 0, bytes), cycle);
  }
}

/// With -N 0 the oldest cycles go as new ones come; the files that grow by lines have all.
void forget_oldest(Session& session) {
  constexpr std::size_t kMost = 1000;
  auto& rows = session.body<results::CollectiveBody>().rows;
  if (!results::forget_oldest_cycles(rows, kMost)) return;
  session.note({"-N 0: the document (-J) keeps about " + std::to_string(kMost) +
                " rows, those of the last cycles; --jsonl and --csv have all"});
}

void run_combination(CollectiveSession& session, const Combination& combination) {
  std::optional<SmallData> small;
  if (session.options().choice == CollectiveOptions::Choice::by_size)
    small = small_data_of(session);
  CollectiveRun run(session, combination, schedules_of(session, combination, small));
  session.frame().warn(run.cross_node_notes());  // whatever is measured
  std::optional<AlgorithmByModel> model;
  if (session.options().choice == CollectiveOptions::Choice::automatic) model.emplace(session, run);
  const std::uint64_t cycles = session.options().cycles;
  for (std::uint64_t cycle = 0; cycles == 0 || cycle < cycles; ++cycle) {
    if (cycles == 0) forget_oldest(session.frame());
    if (model) {
      run_chosen(session, run, *model, cycle);
    } else if (small) {
      run_by_size(session, run, small->most_bytes, cycle);
    } else {
      run_all(session, run, cycle);
    }
    run.verify_placement();
  }
}

std::vector<manual::Example> examples_of(const Program& program) {
  const std::string mpirun = job::launcher("mpirun");
  const std::string line = mpirun + " --hostfile hosts " + program.collective + "_perf";
  if (traits(program.kind).size == schedule::SizeRule::none) {
    return {{line + " -n 1000 -J result.json",
             "Run a thousand iterations and write a result document"}};
  }
  std::vector<manual::Example> examples{
      {line + " -b 8 -e 1G -f 2 -J result.json",
       "Run the usual sweep of nccl-tests and write a result document"}};
  if (program.algorithm.empty()) {
    examples.push_back({line + " -b 1M -e 1G -f 4 --algo all --rails each,all",
                        "Run all algorithms, on each rail alone and on all together"});
  }
  examples.push_back({line + " -b 64M -e 64M --ci 1% --duration 1m",
                      "Stop when the median is known to 1 %, or after a minute"});
  examples.push_back({mpirun + " -np 2 " + program.collective + "_perf --device soft:2",
                      "Run without RDMA hardware, on two software devices per rank"});
  return examples;
}

/// Blocks are of whole 16 bytes, as in nccl-tests; below that there is nothing to send.
std::optional<std::string> note_of_rounding(unsigned ranks, const CollectiveOptions& options) {
  constexpr std::uint64_t kBlock = 16;
  if (traits(options.collective).size != schedule::SizeRule::per_rank) return std::nullopt;
  if (options.min_bytes == 0 || options.min_bytes >= kBlock * ranks) return std::nullopt;
  return "sizes below " + measure::format_size(kBlock * ranks) +
         " are rounded down to 0 bytes, as in nccl-tests: each of " + std::to_string(ranks) +
         " ranks has a block of whole 16 bytes, and such rows measure the call alone";
}

class CollectiveExperiment final : public Experiment {
 public:
  explicit CollectiveExperiment(Program program) : program_(std::move(program)) {}

  [[nodiscard]] Description description() const override {
    return {.program = program_.collective + "_perf",
            .about = "Measure a collective over RoCEv2: a row per size, in place and out of place",
            .tables = {"nccl", "wide"},
            .exit_status_1 = "rails do not match",
            .examples = examples_of(program_)};
  }

  void add_options(options::OptionTable& table, RunOptions&) override {
    add_collective_options(table, program_, options_);
  }

  void check_options(const options::OptionTable& table, const RunOptions&) override {
    check_collective_options(table, options_);
  }

  [[nodiscard]] results::Body body() const override {
    return results::CollectiveBody{.collective = program_.collective};
  }

  void prepare(Session& session) override {
    if (traits(program_.kind).size != schedule::SizeRule::uneven) return;
    try {
      traffic_ = options_.matrix_file.empty() ? Traffic(session.ranks(), options_.spread_percent)
                                              : load_traffic(session.ranks(), options_.matrix_file);
    } catch (const std::invalid_argument& error) {
      job::refuse_use(std::string("--matrix: ") + error.what());
    }
  }

  void begin(Session& session) override {
    if (options_.window == 0) {
      options_.window =
          default_window(session, options_.collective, std::ranges::min(options_.chunks),
                         std::ranges::count(options_.memory, results::MemoryKind::gpu) > 0);
    }
    session.settle_option("window", options_.window);
    if (!session.on_software()) session.measure_memory();
    options_.progress_threads =
        settle_progress_threads(session, options_.progress_threads, options_.same_host);
    const CollectiveSession collective(session, program_, options_, traffic_);
    const schedule::Groups& groups = collective.groups();
    if (groups.count() > 1) session.body<results::CollectiveBody>().groups = groups.members();
    std::vector<std::string> notes = options_.notes;
    if (groups.count() == 1 && options_.split != SplitRule{})
      notes.push_back("--split " + text_of(options_.split) + ": all ranks are one group");
    if (const auto rounded = note_of_rounding(groups.size(), options_)) notes.push_back(*rounded);
    session.note(std::move(notes));
  }

  [[nodiscard]] std::unique_ptr<Display> display(Session& session) override {
    const CollectiveSession collective(session, program_, options_, traffic_);
    return collective_display(options_, session.options().table, collective.combinations().size(),
                              {progress_stream(session.options().progress), &session.iterations()});
  }

  void run(Session& session) override {
    CollectiveSession collective(session, program_, options_, traffic_);
    try {
      const auto combinations = collective.combinations();
      plan(collective, combinations);
      for (const Combination& combination : combinations) run_combination(collective, combination);
    } catch (const job::RunFailure&) {  // the rows before may tell why
      diagnose(session);
      throw;
    }
    diagnose(session);
  }

 private:
  Program program_;
  CollectiveOptions options_;
  Traffic traffic_;  // of all-to-all-v
};

}  // namespace

std::unique_ptr<Experiment> collective_experiment(Program program) {
  return std::make_unique<CollectiveExperiment>(std::move(program));
}

}  // namespace railgauge::runner
