#include "experiments/job/job_experiment.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "experiments/collective/algorithm_by_size.hpp"
#include "experiments/collective/bad_ending.hpp"
#include "experiments/collective/collective_session.hpp"
#include "experiments/job/job_display.hpp"
#include "experiments/job/job_findings.hpp"
#include "experiments/job/job_summary.hpp"
#include "experiments/job/part_times.hpp"
#include "experiments/job/period_watch.hpp"
#include "experiments/job/resumed_job.hpp"
#include "experiments/job/step_run.hpp"
#include "experiments/job/step_window.hpp"
#include "experiments/job/task_run.hpp"
#include "finding/words.hpp"
#include "job/exchanged_values.hpp"
#include "job/start_up.hpp"
#include "options/shared.hpp"
#include "results/input_file.hpp"
#include "results/job.hpp"
#include "schedule/groups.hpp"
#include "workload/check.hpp"
#include "workload/fold.hpp"
#include "workload/job.hpp"
#include "workload/kinds.hpp"
#include "workload/mix.hpp"

namespace railgauge::runner {
namespace {

using namespace std::chrono_literals;
using job::refuse_use;
using results::JobBody;
using workload::Job;
using workload::Workload;

constexpr const char* kSteps = "steps";  // checks that the run has coverage of
constexpr const char* kVerification = "verification";

struct JobOptions {
  std::string file{};
  std::vector<std::string> settings{};
  std::uint64_t world = 0;  // 0: the ranks of the run
  std::uint64_t steps = 0;  // 0: as the workload says
  std::optional<std::chrono::seconds> duration{};
  std::chrono::seconds window{60};
  std::string resume{};  // a file
  std::optional<std::chrono::milliseconds> deadline{};
  std::optional<double> max_factor{};
  Compute compute = Compute::sleep;
  std::uint64_t touched_bytes = std::uint64_t{64} << 20U;
  std::uint64_t warm_up = 1;
  std::uint64_t verify_every = 1;  // 0: never
  CollectiveOptions transport{};
};

/// JobStep::running of rows in which all parts run.
std::string running_when_whole(const Job& job) {
  return job.parts.size() > 1 ? names_of(job, PartTimes(job).all()) : "";
}

/// A job, connected.
class JobRun {
 public:
  /// Collective. All have to outlive it.
  JobRun(Session& frame, const JobOptions& options, const Job& job)
      : frame_(frame),
        options_(options),
        job_(job),
        session_(frame, program_, options.transport, traffic_),
        combination_(session_.combinations().front()),
        algorithms_(job.operations.size()),
        any_shares_processors_(frame.any_shares_processors()) {
    for (const workload::JobPart& part : job.parts) wirings_.push_back(wiring_of(part));
    for (const auto& round : rounds_of(job)) connect(round);
    frame.communicator().barrier();
  }

  /// Collective. `earlier`: what an earlier run has done.
  void run(std::uint64_t steps, const JobProgress& earlier) {
    frame_.body<JobBody>().job.warmup_steps = static_cast<std::int64_t>(options_.warm_up);
    frame_.coverage(kSteps).planned = std::max(steps, earlier.steps);
    earlier_ = earlier;
    PartTimes parts(job_);
    if (job_.parts.size() == 1) {
      Phase whole(*this, job_, parts.all());
      warm_up(whole);
      begin();
      return run_whole(whole, steps, parts);
    }
    const std::vector<unsigned> repetitions = repetitions_of_parts(parts);
    begin();
    for (const PartSet& set : parts.sets()) {
      run_parts(set, repetitions, steps, parts);
      frame_.body<JobBody>().job.parts = parts.parts(repetitions, traffic_class());
    }
    const Job together = workload::repeated(job_, repetitions);
    Phase whole(*this, together, parts.all());
    warm_up(whole);
    run_whole(whole, steps, parts);
    frame_.body<JobBody>().job.parts = parts.parts(repetitions, traffic_class());
    if (options_.max_factor) {
      if (auto found = parts.finding(*options_.max_factor)) frame_.report(std::move(*found));
    }
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// How a part's tasks are connected.
  struct Wiring {
    Combination combination{};
    Planes planes{};
    executor::Stripes stripes{};
  };

  /// Steps of some parts of a job.
  struct Phase {
    Phase(JobRun& run, const Job& of, PartSet running)
        : job(of),
          set(std::move(running)),
          steps(of, run.frame_.rank(), run.tasks_, run.settings()),
          summary(of, run.algorithms_, run.options_.deadline, run.line_rates()) {}

    [[nodiscard]] bool has(std::uint32_t part) const { return std::ranges::count(set, part) > 0; }

    const Job& job;
    PartSet set;
    StepRun steps;
    JobSummary summary;
  };

  [[nodiscard]] StepRun::Settings settings() {
    return {.limit = frame_.options().limit,
            .sleeps = frame_.shares_processors(),
            .work = &work_,
            .rails = rails_of_job(),
            .stop = [this] { return abort_channel().raised(); },
            .end = [this](TaskRun* task, executor::Ending why) { end(task, why); }};
  }

  /// The largest number of one, and one more.
  [[nodiscard]] std::size_t rails_of_job() const {
    int rails = 0;
    for (const results::Rank& rank : frame_.document().ranks) {
      for (const results::RankRail& one : rank.rails) rails = std::max(rails, one.rail + 1);
    }
    return static_cast<std::size_t>(rails);
  }

  /// Of a rank, in bytes a microsecond, of each part.
  [[nodiscard]] std::vector<double> line_rates() const {
    constexpr double kOfGigabit = 125;
    std::vector<double> rates;
    for (const Wiring& wiring : wirings_) {
      double gigabits = 0;
      for (const results::RankRail& one : frame_.document().ranks[frame_.rank()].rails) {
        const Plane plane{static_cast<unsigned>(one.rail), one.plane};
        if (std::ranges::count(wiring.planes, plane) > 0) gigabits += one.link_gigabits_per_second;
      }
      rates.push_back(kOfGigabit * gigabits);
    }
    return rates;
  }

  [[nodiscard]] std::uint8_t traffic_class() const { return combination_.point.traffic_class; }

  [[nodiscard]] Wiring wiring_of(const workload::JobPart& part) const {
    Wiring wiring{.combination = combination_};
    results::SweepPoint& point = wiring.combination.point;
    if (part.traffic_class) point.traffic_class = *part.traffic_class;
    if (!part.rails.empty()) {
      point.rails = {part.rails.begin(), part.rails.end()};
      point.own_rails = false;
    }
    wiring.planes = session_.planes_of(session_.driven_rails(point)[session_.rank()]);
    for (const unsigned rail : point.rails) {
      if (std::ranges::count(wiring.planes, rail, &Plane::rail) > 0 || point.own_rails) continue;
      refuse_use("workload " + part.name + ": there is no rail " + std::to_string(rail) +
                 ", on which its data are to go; railgauge topo lists the rails");
    }
    wiring.stripes = {static_cast<unsigned>(wiring.planes.size()), point.queue_pairs};
    return wiring;
  }

  /// Collective.
  void warm_up(Phase& phase) {
    for (std::uint64_t step = 0; step < options_.warm_up; ++step) run_step(phase, false);
  }

  /// Collective: so that all parts take about as long, alone.
  [[nodiscard]] std::vector<unsigned> repetitions_of_parts(const PartTimes& parts) {
    constexpr int kTries = 3;
    constexpr std::size_t kMost = 100;
    std::vector<double> step_us;
    for (const std::uint32_t part : parts.all()) {
      std::vector<unsigned> only(job_.parts.size());
      only[part] = 1;
      const Job alone = workload::repeated(job_, only);
      Phase phase(*this, alone, {part});
      std::vector<double> tries;
      for (int i = 0; i < kTries; ++i) {
        run_step(phase, false);
        tries.push_back(
            phase.summary.add(phase.steps.step(), 0, 0, frame_.communicator()).part_us[part]);
      }
      step_us.push_back(std::ranges::min(tries));
    }
    std::size_t entries = 1;
    for (const auto& streams : job_.streams) {
      for (const workload::RankStream& stream : streams) entries += stream.entries.size();
    }
    return workload::as_long(step_us, static_cast<unsigned>(std::clamp<std::size_t>(
                                          workload::kMostEntries / entries, 1, kMost)));
  }

  /// Collective: a row.
  void run_parts(const PartSet& set, const std::vector<unsigned>& repetitions, std::uint64_t steps,
                 PartTimes& parts) {
    std::vector<unsigned> times(job_.parts.size());
    for (const std::uint32_t part : set) times[part] = repetitions[part];
    const Job of_set = workload::repeated(job_, times);
    Phase phase(*this, of_set, set);
    warm_up(phase);
    StepWindow window(of_set, names_of(job_, set));
    for (std::uint64_t step = 0; step < steps; ++step) {
      const TimedStep timed = timed_step(phase, step);
      window.add(timed);
      parts.add(set, timed.part_us);
    }
    frame_.report<JobBody>(window.take());
  }

  void run_whole(Phase& whole, std::uint64_t steps, PartTimes& parts) {
    JobBody& body = frame_.body<JobBody>();
    findings_.emplace(whole.job, frame_.document().ranks, findings_of_paths());
    StepWindow window(whole.job, running_when_whole(job_), earlier_.steps);
    std::vector<results::SweepPoint> points;
    for (const Wiring& wiring : wirings_) points.push_back(wiring.combination.point);
    PeriodWatch watch(session_, points, whole.job, tasks_);
    double begin_s = 0;  // by rank 0's clock, as the end: all ranks do as many steps
    double end_s = 0;
    for (std::uint64_t step = earlier_.steps; step < steps || !is_over(end_s - begin_s); ++step) {
      finding::Coverage& before = frame_.coverage(kSteps);
      before.planned = std::max(before.planned, step + 1);
      const Clock::time_point begin = Clock::now();
      const TimedStep timed = timed_step(whole, step);
      watch.add(whole.steps.step(), Clock::now() - begin - whole.steps.step().time);
      ++frame_.coverage(kSteps).tested;
      if (step == earlier_.steps) begin_s = timed.begin_s - earlier_.steps_s;
      end_s = timed.end_s;
      window.add(timed);
      parts.add(whole.set, timed.part_us);
      const bool closed = closes(window, end_s);
      if (options_.duration ? closed : ends_part(step, steps)) end_period(watch);
      if (closed) frame_.report<JobBody>(window.take());
    }
    findings_->finish();
    tell_findings();
    if (!window.is_empty()) frame_.report<JobBody>(window.take());
    whole.summary.finish(body.job, frame_.communicator());
  }

  /// So that times are those since the first step of the earlier run.
  void begin() {
    begin_ = Clock::now() - std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(earlier_.elapsed_s));
  }

  /// What an earlier run found of them.
  [[nodiscard]] std::vector<finding::Finding> findings_of_paths() const {
    std::vector<finding::Finding> found = frame_.document().report.findings;
    std::erase_if(found, [](const auto& one) { return one.check != "diagnosis" || !one.when; });
    return found;
  }

  [[nodiscard]] double elapsed_s() const {
    return std::chrono::duration<double>(Clock::now() - begin_).count();
  }
  /// Rank 0's clock decides.
  [[nodiscard]] bool is_over(double elapsed_s) const {
    return elapsed_s >= std::chrono::duration<double>(options_.duration.value_or(0s)).count();
  }
  [[nodiscard]] bool closes(const StepWindow& window, double elapsed_s) const {
    return !options_.duration ||
           elapsed_s - window.begin_s() >= std::chrono::duration<double>(options_.window).count();
  }

  /// Whether a run of so many steps is judged as it was until then: in as many parts as it takes.
  [[nodiscard]] static bool ends_part(std::uint64_t step, std::uint64_t steps) {
    constexpr std::uint64_t kParts = JobFindings::kFewest;
    return (step + 1) * kParts / steps > step * kParts / steps;
  }

  /// Collective.
  void end_period(PeriodWatch& watch) {
    const executor::RunLimits limits{Clock::now() + frame_.options().limit,
                                     [this] { return abort_channel().raised(); }};
    JobPeriod period =
        watch.take(algorithms_, limits, [this](TaskRun& task, executor::Outcome outcome) {
          fail(std::move(outcome), task.name(), "after " + task.name(), abort_channel(),
               frame_.options().limit);
        });
    if (frame_.communicator().is_leader() && findings_->take(std::move(period))) tell_findings();
  }

  void tell_findings() { frame_.report_again({.findings = findings_->all()}); }

  /// Collective.
  TimedStep timed_step(Phase& phase, std::uint64_t number) {
    const bool verified = options_.verify_every > 0 && number % options_.verify_every == 0;
    if (verified) ++frame_.coverage(kVerification).planned;
    const double begin_s = elapsed_s();
    run_step(phase, verified);
    TimedStep step =
        phase.summary.add(phase.steps.step(), begin_s, elapsed_s(), frame_.communicator());
    if (verified) step.wrong = verify(phase);
    return step;
  }

  [[nodiscard]] std::uint32_t part_of(std::uint32_t task) const {
    return job_.operations[job_.tasks[task].operation].part;
  }

  void connect(const std::vector<std::uint32_t>& round) {
    const Wiring& wiring = wirings_[part_of(round.front())];
    std::optional<std::uint32_t> own;
    std::vector<schedule::Schedule> placed;
    schedule::Schedule of_members;
    for (const std::uint32_t number : round) {
      const workload::Task& task = job_.tasks[number];
      const bool takes_part = std::ranges::count(task.members, frame_.rank()) > 0;
      if (!takes_part && !algorithms_[task.operation].empty()) continue;
      const schedule::Schedule made = schedule_of(task);
      if (job_.operations[task.operation].kind == workload::Kind::collective)
        algorithms_[task.operation] = made.name;
      if (!takes_part) continue;
      own = number;
      of_members = made;
      placed.push_back(schedule::among(made, task.members));
    }
    auto wire = session_.connect(wiring.combination, wiring.planes, placed,
                                 std::vector(placed.size(), wiring.stripes));
    if (!own) return idle_wires_.push_back(std::move(wire));
    tasks_[*own] = std::make_unique<TaskRun>(
        job_, *own, of_members, frame_.rank(), std::move(wire), wiring.planes, wiring.stripes,
        executor::ExecutorSettings{.chunk_bytes = wiring.combination.point.chunk_bytes,
                                   .window = options_.transport.window});
  }

  [[nodiscard]] schedule::Schedule schedule_of(const workload::Task& task) {
    const workload::NamedOperation& operation = job_.operations[task.operation];
    if (operation.kind != workload::Kind::collective || !chooses_by_size(operation.type))
      return runner::schedule_of(job_, task, 0, "");
    const bool one_host = std::ranges::all_of(task.members, [&](schedule::Rank rank) {
      return frame_.host_of(rank) == frame_.host_of(task.members.front());
    });
    const SmallData small = small_data(static_cast<schedule::Rank>(task.members.size()),
                                       any_shares_processors_, one_host);
    return runner::schedule_of(job_, task, small.most_bytes, small.algorithm);
  }

  [[nodiscard]] job::AbortChannel& abort_channel() { return frame_.communicator().abort_channel(); }

  /// Throws job::RunFailure, which names the task and its group.
  void end(TaskRun* task, executor::Ending why) {
    if (task == nullptr) return abort_channel().check();
    executor::Outcome outcome = task->ended(why);
    if (why != executor::Ending::deadline) outcome.why = task->name() + ": " + outcome.why;
    fail(std::move(outcome), task->name(), "during " + task->name(), abort_channel(),
         frame_.options().limit);
  }

  void run_step(Phase& phase, bool verified) {
    ++prepared_;
    for (const auto& [number, task] : tasks_) {
      if (verified && phase.has(part_of(number))) task->prepare(prepared_);
    }
    frame_.communicator().barrier();
    phase.steps.run();
  }

  /// Collective: wrong elements of all ranks.
  std::uint64_t verify(const Phase& phase) {
    TaskRun::Verdict own;
    for (const auto& [number, task] : tasks_) {
      if (!phase.has(part_of(number))) continue;
      TaskRun::Verdict verdict = task->verify();
      if (own.wrong == 0) own.first = std::move(verdict.first);
      own.wrong += verdict.wrong;
    }
    ++frame_.coverage(kVerification).tested;
    const std::uint64_t wrong = frame_.communicator().sum(own.wrong, "the count of wrong elements");
    if (wrong > 0) frame_.report_wrong_data(own.first);
    return wrong;
  }

  Session& frame_;
  const JobOptions& options_;
  const Job& job_;
  Program program_{.collective = "job"};
  Traffic traffic_{};
  CollectiveSession session_;
  Combination combination_;
  std::vector<Wiring> wirings_{};        // [part]
  std::vector<std::string> algorithms_;  // [operation]
  bool any_shares_processors_;  // of one rank's own, members would choose different algorithms
  std::vector<std::unique_ptr<transport::Transport>> idle_wires_{};  // of rounds without this rank
  std::map<std::uint32_t, std::unique_ptr<TaskRun>> tasks_{};
  ComputeWork work_{options_.compute, options_.touched_bytes};
  std::optional<JobFindings> findings_{};  // of rank 0
  std::uint64_t prepared_ = 0;
  JobProgress earlier_{};
  Clock::time_point begin_{};  // of the first timed step
};

/// What an earlier run found. A process that it lost has been started again.
std::vector<finding::Finding> still_true(std::vector<finding::Finding> findings) {
  for (finding::Finding& one : findings) {
    if (one.cause == finding::Cause::process_lost) one.severity = finding::Severity::warning;
  }
  return findings;
}

class JobExperiment final : public Experiment {
 public:
  [[nodiscard]] Description description() const override {
    const std::string mpirun = job::launcher("mpirun");
    return {.program = "job_perf",
            .about =
                "Run a workload, the groups, collectives, transfers and compute times of a "
                "job's step, and report what communication adds to it",
            .tables = {"steps"},
            .exit_status_1 =
                "FAIL or INCONCLUSIVE: a slow or lossy path, or data that were not verified in all "
                "steps that were to be",
            .examples = {{mpirun + " --hostfile hosts job_perf dense.json --set tp=8 -J job.json",
                          "A training step; railgauge workload make writes dense.json"},
                         {mpirun + " -np 8 job_perf moe --device soft:2 --set hidden=64",
                          "Without RDMA hardware; dense, moe, kv and checkpoint need no file"}}};
  }

  void add_options(options::OptionTable& table, RunOptions& /*run*/) override {
    table.argument("workload", options_.file);
    table.group("Workload");
    table.repeated("--set", options_.settings, "NAME=VALUE[,...]",
                   "Parameters in place of the workload's");
    constexpr std::int64_t kMost = 1'000'000;
    table.scalar("--world", options_.world,
                 options::chosen_by_run(options::whole<std::uint64_t>(2, kMost)),
                 "Ranks of the workload. If the run has fewer, they do as some of them, in smaller "
                 "groups (default: the ranks of the run)");
    table.scalar("--steps", options_.steps,
                 options::chosen_by_run(options::whole<std::uint64_t>(1, kMost)),
                 "Timed steps (default: as the workload says)");
    constexpr std::int64_t kYear = 366LL * 24 * 3600;
    table.optional(
        "--duration", options_.duration, options::seconds(1, kYear),
        "Run steps for that time, at least --steps; a row is then the steps of a window");
    table.scalar("--window", options_.window, options::seconds(1, 24LL * 3600),
                 "With --duration, length of a window");
    table.scalar("--resume", options_.resume, options::text("FILE"),
                 "Go on with a run of --duration that ended early: its document (-J). Rows, "
                 "findings and time of the earlier run come first");
    table.optional("--deadline", options_.deadline, options::milliseconds(1, kYear * 1000),
                   "Report the share of latencies within this time, of operations that have "
                   "arrivals; a number without a unit is in milliseconds");
    table.scalar("--warmup-steps", options_.warm_up, options::whole<std::uint64_t>(0, kMost),
                 "Untimed steps before them");
    table.scalar("--verify-every", options_.verify_every, options::whole<std::uint64_t>(0, kMost),
                 "Verify all data of every N-th step, from the first on; 0: of no step");
    table.optional("--max-factor", options_.max_factor, options::positive_number(),
                   "Of a mix: fail if a part takes more than this many times as long as alone");
    table.scalar(
        "--compute", options_.compute,
        options::choice<Compute>(
            {{"sleep", Compute::sleep}, {"spin", Compute::spin}, {"touch", Compute::touch}}),
        "What a rank's host does in a compute: sleep, nothing, as if a GPU computed; spin, "
        "a thread keeps a processor busy; touch, and reads and writes memory");
    table.scalar("--compute-bytes", options_.touched_bytes, options::size(),
                 "With --compute touch, memory of each rank that is read and written");
    table.group("Transport");
    table.axis(options::traffic_class(), options_.transport.traffic_classes);
    table.axis(options::queue_pairs(kMostQueuePairs), options_.transport.queue_pairs);
    table.scalar(same_host(), options_.transport.same_host);
  }

  void check_options(const options::OptionTable& table, const RunOptions& run) override {
    (void)workload::settings_of(options_.settings);
    check_own_file(run, "--resume", options_.resume);
    if (!options_.duration && table.given("window"))
      throw std::invalid_argument("--window needs --duration: without it a row is one step");
    if (!options_.duration && !options_.resume.empty())
      throw std::invalid_argument("--resume needs --duration: how long both runs take together");
    constexpr std::int64_t kMostRows = 20'000;  // which are kept in memory, as in the document
    if (options_.duration && *options_.duration / options_.window > kMostRows)
      throw std::invalid_argument("--duration has more than " + std::to_string(kMostRows) +
                                  " windows: give a longer --window");
    if (options_.compute != Compute::touch && table.given("compute-bytes"))
      throw std::invalid_argument("--compute-bytes needs --compute touch");
    if (options_.touched_bytes == 0)
      throw std::invalid_argument("--compute-bytes: expected at least 1");
    if (options_.transport.queue_pairs.size() > 1)
      throw std::invalid_argument("--qps: give one number; job_perf has no sweep");
    if (options_.transport.traffic_classes.size() > 1)
      throw std::invalid_argument(
          "--traffic-class: give one number; parts of a mix have their own in the workload");
  }

  [[nodiscard]] results::Body body() const override { return JobBody{}; }

  void prepare(Session& session) override {
    if (options_.world == 0) options_.world = session.ranks();
    session.settle_option("world", static_cast<std::int64_t>(options_.world));
    if (options_.world < session.ranks())
      refuse_use("--world " + std::to_string(options_.world) + ": the run has " +
                 finding::counted(session.ranks(), "rank") + "; start fewer");
    // Rank 0 reads: the file need not be on all hosts.
    std::vector<std::string> read(2);  // the text, or why there is none
    if (session.communicator().is_leader()) try {
        read[0] = workload::text_of_kind(options_.file);
        if (read[0].empty()) read[0] = results::read_input(options_.file);
      } catch (const std::runtime_error& error) {
        read[1] = error.what();
      }
    read = job::value_of_leader(session.communicator(), read);
    if (!read[1].empty()) refuse_use(read[1]);
    try {
      workload_ = workload::workload_in(read[0], results::name_of_input(options_.file));
      const auto world = static_cast<workload::Rank>(options_.world);
      job_ = workload::job_of(workload_, world, workload::settings_of(options_.settings));
      workload::check(workload_, job_);
      if (world > session.ranks()) fold(session);
    } catch (const std::invalid_argument& error) {
      refuse_use(error.what());
    }
    if (options_.deadline &&
        std::ranges::none_of(job_.operations, &workload::NamedOperation::arrives))
      refuse_use(
          "--deadline: no operation of the workload has an arrival, as those of kv have "
          "with --set rate=200");
    if (options_.max_factor && job_.parts.size() < 2)
      refuse_use(
          "--max-factor: the workload is no mix of several; railgauge workload mix makes one");
    JobBody& body = session.body<JobBody>();
    body.job.workload = workload_.name;
    body.job.parameters = {job_.parameters.begin(), job_.parameters.end()};
  }

  void begin(Session& session) override {
    constexpr unsigned kOnHardware = 4;  // chunks in flight, as of collectives
    options_.transport.window = session.on_software() ? 1 : kOnHardware;
    if (options_.steps == 0) options_.steps = workload_.steps;
    session.settle_option("steps", static_cast<std::int64_t>(options_.steps));
    if (!options_.resume.empty()) resume(session);
  }

  [[nodiscard]] std::unique_ptr<Display> display(Session& session) override {
    if (session.options().table == "none") return nullptr;
    return std::make_unique<JobDisplay>(session.on_software());
  }

  void run(Session& session) override {
    if (options_.verify_every == 0 && options_.resume.empty()) {
      session.coverage(kVerification).skipped.emplace_back("--verify-every 0");
      session.report(not_tested(kVerification, "data were not verified (--verify-every 0)"));
    }
    JobRun(session, options_, job_).run(options_.steps, earlier_);
  }

 private:
  /// Collective: takes the earlier run's rows over, on rank 0, which reads its document.
  void resume(Session& session) {
    std::string why;
    if (session.communicator().is_leader()) try {
        const std::string text = results::read_input(options_.resume);
        const auto earlier = results::read_document(nlohmann::ordered_json::parse(text));
        check_resumable(earlier, session.document());
        earlier_ = progress_of(std::get<JobBody>(earlier.body).rows, running_when_whole(job_));
        if (earlier_.steps_s >= std::chrono::duration<double>(*options_.duration).count())
          throw std::invalid_argument("the run is over; a longer --duration goes on with it");
        put_first(earlier, earlier_, session.body<JobBody>());
        session.report(still_true(earlier.report.findings));
        cover_again(session);
      } catch (const nlohmann::json::parse_error&) {
        why = "is no document of job_perf: it is no JSON";
      } catch (const std::exception& error) {
        why = error.what();
      }
    why = job::value_of_leader(session.communicator(), why);
    if (!why.empty()) refuse_use("--resume " + options_.resume + ": " + why);
    earlier_ = job::value_of_leader(session.communicator(), earlier_);
  }

  /// The rows of the earlier run. Its steps behind the last one are lost.
  void cover_again(Session& session) const {
    std::uint64_t verified = 0;
    for (const results::JobStep& row : session.body<JobBody>().rows)
      verified += static_cast<std::uint64_t>(row.verified);
    const auto cover = [&](const char* check, std::uint64_t steps) {
      finding::Coverage& coverage = session.coverage(check);
      coverage.planned = steps;
      coverage.tested = steps;
    };
    cover(kSteps, earlier_.steps);
    cover(kVerification, verified);
  }

  /// Onto the ranks that there are.
  void fold(Session& session) {
    workload::FoldedJob made = workload::folded(job_, session.ranks());
    results::JobFold& fold = session.body<JobBody>().job.fold.emplace();
    fold.world = job_.ranks;
    fold.ranks.assign(made.kept.begin(), made.kept.end());
    for (workload::FoldedGroup& one : made.groups)
      fold.groups.push_back({std::move(one.name), one.members, one.of});
    fold.sent_percent = made.sent_percent;
    job_ = std::move(made.job);
    workload::check(workload_, job_);
  }

  JobOptions options_;
  Workload workload_;
  Job job_;
  JobProgress earlier_{};  // of the run with which this one goes on
};

}  // namespace

std::unique_ptr<Experiment> job_experiment() {
  return std::make_unique<JobExperiment>();
}

}  // namespace railgauge::runner
