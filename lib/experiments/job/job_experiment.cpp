#include "experiments/job/job_experiment.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "experiments/collective/algorithm_by_size.hpp"
#include "experiments/collective/bad_ending.hpp"
#include "experiments/collective/collective_session.hpp"
#include "experiments/job/job_display.hpp"
#include "experiments/job/job_summary.hpp"
#include "experiments/job/step_run.hpp"
#include "experiments/job/task_run.hpp"
#include "job/exchanged_values.hpp"
#include "job/start_up.hpp"
#include "options/shared.hpp"
#include "results/input_file.hpp"
#include "results/job.hpp"
#include "schedule/groups.hpp"
#include "workload/check.hpp"
#include "workload/job.hpp"
#include "workload/kinds.hpp"

namespace railgauge::runner {
namespace {

using results::JobBody;
using workload::Job;
using workload::Workload;

constexpr const char* kSteps = "steps";  // checks that the run has coverage of
constexpr const char* kVerification = "verification";

[[noreturn]] void refuse_use(const std::string& why) {
  throw job::RunFailure(results::Failure::Kind::usage, why);
}

struct JobOptions {
  std::string file{};
  std::vector<std::string> settings{};
  std::uint64_t steps = 0;  // 0: as the workload says
  std::uint64_t warm_up = 1;
  std::uint64_t verify_every = 1;  // 0: never
  CollectiveOptions transport{};
};

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
        planes_(session_.planes_of(session_.driven_rails(combination_.point)[session_.rank()])),
        stripes_{static_cast<unsigned>(planes_.size()), combination_.point.queue_pairs},
        algorithms_(job.operations.size()) {
    for (const auto& round : rounds_of(job)) connect(round);
    frame.communicator().barrier();
    steps_.emplace(
        job, frame.rank(), tasks_,
        StepRun::Settings{.limit = frame.options().limit,
                          .sleeps = frame.shares_processors(),
                          .stop = [this] { return abort_channel().raised(); },
                          .end = [this](TaskRun* task, executor::Ending why) { end(task, why); }});
    summary_.emplace(job, algorithms_);
  }

  void run(std::uint64_t steps) {
    for (std::uint64_t step = 0; step < options_.warm_up; ++step) run_step(false);
    JobBody& body = frame_.body<JobBody>();
    body.job.warmup_steps = static_cast<std::int64_t>(options_.warm_up);
    frame_.coverage(kSteps).planned = steps;
    for (std::uint64_t step = 0; step < steps; ++step) {
      const bool verified = options_.verify_every > 0 && step % options_.verify_every == 0;
      if (verified) ++frame_.coverage(kVerification).planned;
      run_step(verified);
      results::JobStep row = summary_->add(steps_->step(), frame_.communicator());
      row.step = static_cast<std::int64_t>(step);
      if (verified) row.wrong = verify();
      ++frame_.coverage(kSteps).tested;
      frame_.report<JobBody>(row);
    }
    summary_->finish(body, frame_.communicator());
  }

 private:
  void connect(const std::vector<std::uint32_t>& round) {
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
    auto wire = session_.connect(combination_, planes_, placed, stripes_);
    if (!own) return idle_wires_.push_back(std::move(wire));
    tasks_[*own] = std::make_unique<TaskRun>(
        job_, *own, of_members, frame_.rank(), std::move(wire), stripes_,
        executor::ExecutorSettings{.chunk_bytes = combination_.point.chunk_bytes,
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
                                       frame_.shares_processors(), one_host);
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

  void run_step(bool verified) {
    ++prepared_;
    for (const auto& [number, task] : tasks_) {
      if (verified) task->prepare(prepared_);
    }
    frame_.communicator().barrier();
    steps_->run();
  }

  /// Collective: wrong elements of all ranks.
  std::uint64_t verify() {
    TaskRun::Verdict own;
    for (const auto& [number, task] : tasks_) {
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
  Planes planes_;
  executor::Stripes stripes_;
  std::vector<std::string> algorithms_;                              // [operation]
  std::vector<std::unique_ptr<transport::Transport>> idle_wires_{};  // of rounds without this rank
  std::map<std::uint32_t, std::unique_ptr<TaskRun>> tasks_{};
  std::optional<StepRun> steps_{};
  std::optional<JobSummary> summary_{};
  std::uint64_t prepared_ = 0;
};

/// What nobody asked to verify.
void tell_unverified(Session& session) {
  session.coverage(kVerification).skipped.emplace_back("--verify-every 0");
  auto unverified = finding::found(kVerification, finding::Cause::not_tested, {});
  unverified.severity = finding::Severity::warning;
  unverified.certainty = finding::Certainty::confirmed;
  unverified.detail = "data were not verified (--verify-every 0)";
  session.report(std::move(unverified));
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
            .exit_status_1 = "data were not verified in all steps that were to be",
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
    table.scalar("--steps", options_.steps,
                 options::chosen_by_run(options::whole<std::uint64_t>(1, kMost)),
                 "Timed steps (default: as the workload says)");
    table.scalar("--warmup-steps", options_.warm_up, options::whole<std::uint64_t>(0, kMost),
                 "Untimed steps before them");
    table.scalar("--verify-every", options_.verify_every, options::whole<std::uint64_t>(0, kMost),
                 "Verify all data of every N-th step, from the first on; 0: of no step");
    table.group("Transport");
    table.axis(options::queue_pairs(kMostQueuePairs), options_.transport.queue_pairs);
    table.scalar(same_host(), options_.transport.same_host);
  }

  void check_options(const options::OptionTable& /*table*/, const RunOptions& /*run*/) override {
    (void)workload::settings_of(options_.settings);
    if (options_.transport.queue_pairs.size() > 1)
      throw std::invalid_argument("--qps: give one number; job_perf has no sweep");
  }

  [[nodiscard]] results::Body body() const override { return JobBody{}; }

  void prepare(Session& session) override {
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
      job_ = workload::job_of(workload_, session.ranks(), workload::settings_of(options_.settings));
      workload::check(workload_, job_);
    } catch (const std::invalid_argument& error) {
      refuse_use(error.what());
    }
    JobBody& body = session.body<JobBody>();
    body.job.workload = workload_.name;
    body.job.parameters = {job_.parameters.begin(), job_.parameters.end()};
  }

  void begin(Session& session) override {
    constexpr unsigned kOnHardware = 4;  // chunks in flight, as of collectives
    options_.transport.window = session.on_software() ? 1 : kOnHardware;
    if (options_.steps == 0) options_.steps = workload_.steps;
    session.settle_option("steps", static_cast<std::int64_t>(options_.steps));
  }

  [[nodiscard]] std::unique_ptr<Display> display(Session& session) override {
    if (session.options().table == "none") return nullptr;
    return std::make_unique<JobDisplay>(session.on_software());
  }

  void run(Session& session) override {
    if (options_.verify_every == 0) tell_unverified(session);
    JobRun(session, options_, job_).run(options_.steps);
  }

 private:
  JobOptions options_;
  Workload workload_;
  Job job_;
};

}  // namespace

std::unique_ptr<Experiment> job_experiment() {
  return std::make_unique<JobExperiment>();
}

}  // namespace railgauge::runner
