#include "experiments/soak/soak_experiment.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "cluster/rank_watch.hpp"
#include "experiments/collective/thread_binding.hpp"
#include "experiments/soak/phases.hpp"
#include "experiments/soak/port_sampler.hpp"
#include "experiments/soak/rank_report.hpp"
#include "experiments/soak/soak_leader.hpp"
#include "experiments/soak/soak_options.hpp"
#include "job/exchanged_values.hpp"
#include "job/start_up.hpp"
#include "results/document_codec.hpp"
#include "results/utc.hpp"
#include "runner/session.hpp"
#include "soak/turns.hpp"

namespace railgauge::runner {
namespace {

using job::refuse_use;
using results::Failure;

constexpr double kWhole = 100;  // percent

/// Whether there can be a new record.
void check_place(const std::filesystem::path& path, bool overwrite) {
  if (!overwrite && std::filesystem::exists(path)) {
    refuse_use(
        "the record " + path.string() +
        " exists: --resume continues it, --force replaces it, --record selects another file");
  }
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  if (std::filesystem::is_directory(folder)) return;
  throw job::RunFailure(
      Failure::Kind::environment,
      "cannot write the record " + path.string() + ": there is no directory " + folder.string());
}

/// The first line of a record: the rest may be long.
soak::Header header_in(const std::string& path) {
  std::optional<soak::Header> found;
  struct Enough {};
  try {
    (void)soak::read_record(path, [&](soak::Line line) {
      found = std::get<soak::Header>(std::move(line));
      throw Enough();
    });
  } catch (const Enough&) {  // the rest is read when it is known to fit
  } catch (const std::runtime_error& error) {
    refuse_use(std::string("--resume: ") + error.what());
  }
  if (!found) refuse_use("--resume: " + path + " is empty");
  return std::move(*found);
}

/// "20260131T120000Z".
std::string compact_utc(std::chrono::system_clock::time_point time) {
  std::string text = results::utc(time);
  std::erase_if(text, [](char one) { return one == '-' || one == ':'; });
  return text;
}

std::string boot_id() {
  std::string id;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), id);
  return id;
}

std::map<std::string, std::string> boots_of_hosts(Session& session) {
  const auto ids = session.communicator().all_gather_text(boot_id());
  std::map<std::string, std::string> boots;
  for (std::size_t rank = 0; rank < ids.size(); ++rank) {
    boots[session.document().ranks[rank].host] = ids[rank];
  }
  return boots;
}

unsigned rails_of(const Session& session) {
  std::set<int> rails;
  for (const auto& one : session.document().ranks.front().rails) rails.insert(one.rail);
  return static_cast<unsigned>(rails.size());
}

std::vector<soak::Phase> plan_of(const Session& session, const SoakOptions& options) {
  try {
    return settled_plan(planned_phases(options, session.on_software()), options.rails,
                        rails_of(session), session.ranks());
  } catch (const std::invalid_argument& error) {
    refuse_use(error.what());
  } catch (const std::runtime_error& error) {
    refuse_use(std::string("--plan: ") + error.what());
  }
}

/// What this process holds and uses.
struct ProcessUsage {
  std::uint64_t resident_bytes = 0;      // PROC/self/statm (proc(5)); 0: it does not say
  std::uint64_t descriptors = 0;         // PROC/self/fd
  std::chrono::nanoseconds processor{};  // time of all of its threads since it started
};

namespace fs = std::filesystem;

/// The second number of statm, in pages.
std::uint64_t resident_bytes_of(const fs::path& statm) {
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  std::ifstream(statm) >> size >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::uint64_t entries_of(const fs::path& folder) {
  std::error_code missing;
  const auto all = fs::directory_iterator(folder, missing);
  return static_cast<std::uint64_t>(std::distance(fs::begin(all), fs::end(all)));
}

ProcessUsage usage_of_this_process() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return {.resident_bytes = resident_bytes_of("/proc/self/statm"),
          .descriptors = entries_of("/proc/self/fd"),
          .processor = std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec)};
}

/// What rank 0 orders the others to do next.
enum Order : std::uint64_t { finish, close_window, first_phase };

constexpr double kMicro = 1e6;

void add(const results::RankLoad& turn, results::RankLoad& window) {
  const double before_us = window.wall_us;
  window.wall_us += turn.wall_us;
  window.ran_us += turn.ran_us;
  if (turn.queued_us) window.queued_us = window.queued_us.value_or(0) + *turn.queued_us;
  window.descheduled_us += turn.descheduled_us;
  window.slept_us += turn.slept_us;
  window.preemptions += turn.preemptions;
  window.major_faults += turn.major_faults;
  window.host_processors = turn.host_processors;
  const auto mean = [&](const std::optional<double>& of_turn, std::optional<double>& of_window) {
    if (!of_turn || window.wall_us <= 0) return;
    of_window = (of_window.value_or(0) * before_us + *of_turn * turn.wall_us) / window.wall_us;
  };
  mean(turn.host_busy, window.host_busy);
  mean(turn.host_stolen, window.host_stolen);
}

void round_all(results::RankLoad& load) {
  for (double* const us : {&load.wall_us, &load.ran_us, &load.descheduled_us, &load.slept_us}) {
    *us = std::round(*us);
  }
  if (load.queued_us) load.queued_us = std::round(*load.queued_us);
}

/// The loop of a soak: phases take turns, window after window, until the time is over. Rank 0
/// decides by its clock whose turn it is and when a window ends, and informs the others; no other
/// clock decides anything.
class SoakLoop {
 public:
  /// Collective: connects. The first two have to outlive it.
  SoakLoop(Session& session, const SoakOptions& options, const std::vector<soak::Phase>& plan)
      : session_(session),
        options_(options),
        ports_(session.document().ranks, session.rank()),
        phases_(session, options, plan),
        turns_(plan.size(), options.window),
        intervals_us_(plan.size()) {}

  /// Collective: the median time of an iteration of each phase, as fast as it goes.
  [[nodiscard]] std::vector<double> measure_unpaced() {
    constexpr std::chrono::milliseconds kTime{500};
    constexpr std::uint64_t kLeast = 5;
    std::vector<double> all;
    all.reserve(intervals_us_.size());
    for (std::size_t phase = 0; phase < intervals_us_.size(); ++phase) {
      (void)phases_.take_turn(phase, {.verified_share = options_.verify});  // buffers are touched
      const auto end = Clock::now() + kTime;
      const auto result = phases_.take_turn(phase, {.verified_share = options_.verify,
                                                    .least = kLeast,
                                                    .left = [=] { return end - Clock::now(); }});
      all.push_back(session_.communicator().all_gather(result.leader.p50_us).front());
    }
    return all;
  }

  /// Collective: soaks. `unpaced_us`: what the load is a part of. `leader`: rank 0's, null on the
  /// others. Throws job::RunFailure.
  void run(const std::vector<double>& unpaced_us, SoakLeader* leader) {
    for (std::size_t i = 0; i < intervals_us_.size(); ++i) {
      intervals_us_[i] = options_.load < 1 ? unpaced_us.at(i) / options_.load : 0;
    }
    unpaced_us_ = unpaced_us;
    phases_.forget_verification();
    begin_ = Clock::now();
    start_ = std::chrono::system_clock::now();
    usage_ = usage_of_this_process();
    (void)heartbeat_.longest_descheduled();
    while (true) {
      const std::uint64_t order = session_.communicator().broadcast(next_order(leader));
      if (order == finish) break;
      if (order == close_window) {
        end_window(leader);
      } else {
        take_turn(order - first_phase);
      }
    }
    phases_.verify_placement();
    session_.report_wrong_data(data_error_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// Rank 0's decides.
  [[nodiscard]] std::uint64_t next_order(const SoakLeader* leader) {
    if (leader == nullptr) return finish;
    if (!in_window_) {
      if (leader->is_over() && !leader->awaits_packets()) return finish;
      turns_.begin_window(begin_);
      in_window_ = true;
    }
    const auto phase = turns_.next(Clock::now());
    if (phase) return first_phase + *phase;
    in_window_ = false;
    return close_window;
  }

  void take_turn(std::size_t phase) {
    const auto end = turns_.end();
    Phases::Result result = phases_.take_turn(phase, {.interval_us = intervals_us_.at(phase),
                                                      .expected_us = unpaced_us_.at(phase),
                                                      .verified_share = options_.verify,
                                                      .left = [=] { return end - Clock::now(); }});
    if (data_error_.empty()) data_error_ = result.own.data_error;
    add(result.load, load_);
    report_.turns.push_back(std::move(result.own));
    turns_taken_.push_back(std::move(result.leader));
  }

  void end_window(SoakLeader* leader) {
    report_.sample = sample();
    let_packets_arrive();
    report_.ports = ports_.next();
    const std::vector<RankReport> reports = gather_reports(session_.communicator(), report_);
    if (leader != nullptr) record(*leader, reports);
    report_ = {};
    load_ = {};
    turns_taken_.clear();
  }

  /// Acknowledgements and congestion notifications of the last iteration, before they are counted.
  void let_packets_arrive() const {
    constexpr std::chrono::milliseconds kMost{20};
    std::this_thread::sleep_for(std::min<Clock::duration>(options_.window / 50, kMost));
  }

  /// From here on the next window runs.
  [[nodiscard]] soak::RankSample sample() {
    const ProcessUsage now = usage_of_this_process();
    round_all(load_);
    soak::RankSample sample{
        .load = load_, .resident_bytes = now.resident_bytes, .descriptors = now.descriptors};
    if (const auto still = heartbeat_.longest_descheduled()) {
      sample.longest_descheduled_us =
          std::round(std::chrono::duration<double, std::micro>(*still).count());
    }
    const std::chrono::duration<double> used = now.processor - std::exchange(usage_, now).processor;
    if (load_.wall_us > 0) sample.processors = used.count() * kMicro / load_.wall_us;
    return sample;
  }

  void record(SoakLeader& leader, const std::vector<RankReport>& reports) {
    soak::Window window =
        window_of(session_.document().ranks, std::exchange(turns_taken_, {}), reports);
    const auto end = Clock::now();
    window.start = std::exchange(start_, std::chrono::system_clock::now());
    window.length_s = std::chrono::duration<double>(end - std::exchange(begin_, end)).count();
    std::vector<results::PortCounters> ports;
    for (const RankReport& report : reports) {
      for (const PortReading& port : report.ports) {
        const soak::PortSample& of = port.sample;
        ports.push_back({.host = of.host,
                         .device = of.device,
                         .port = of.port,
                         .address = of.address,
                         .after = port.counters});
      }
    }
    leader.take(std::move(window), std::move(ports));
    leader.fill(session_.body<results::SoakBody>());
    session_.report_again(leader.report());
    write_document();
  }

  /// A disk that is full ends no soak: the outcome is printed at the end.
  void write_document() {
    try {
      session_.write();
    } catch (const std::system_error& error) {
      if (!std::exchange(told_, true)) std::cerr << "soak_perf: " << error.what() << std::endl;
    }
  }

  Session& session_;
  const SoakOptions& options_;
  PortSampler ports_;
  Phases phases_;
  soak::Turns turns_;
  std::vector<double> intervals_us_;
  std::vector<double> unpaced_us_;
  bool in_window_ = false;   // rank 0
  Clock::time_point begin_;  // of the window
  std::chrono::system_clock::time_point start_;
  ProcessUsage usage_;  // when it began
  RankReport report_;   // of the window so far
  results::RankLoad load_;
  std::vector<soak::PhaseSample> turns_taken_;
  cluster::Heartbeat heartbeat_;
  std::string data_error_;  // the first of this rank
  bool told_ = false;       // that the document cannot be written
};

class SoakExperiment final : public Experiment {
 public:
  [[nodiscard]] Description description() const override {
    const std::string mpirun = job::launcher("mpirun");
    return {
        .program = "soak_perf",
        .about =
            "Run a mix of collectives for hours, verify data, and monitor counters, latency and "
            "link state on every port",
        .tables = {"windows"},
        .exit_status_1 = "FAIL or INCONCLUSIVE, or rails do not match",
        .examples = {{mpirun + " --hostfile hosts soak_perf --duration 24h -J soak.json",
                      "Run for a day at 80 % of full throughput"},
                     {mpirun + " --hostfile hosts soak_perf --resume soak.jsonl -J soak.json",
                      "Continue after an interruption"},
                     {mpirun + " --hostfile hosts soak_perf --rails 3 --load 100% --duration 1h",
                      "Test a new rail alone, at full throughput"},
                     {mpirun + " -np 2 soak_perf --device soft:2 --window 1s --duration 10s",
                      "Run without RDMA hardware"}}};
  }

  void add_options(options::OptionTable& table, RunOptions& run) override {
    run.has_own_files = true;
    add_soak_options(table, options_);
  }

  void check_options(const options::OptionTable& table, const RunOptions& run) override {
    check_soak_options(table, run, options_);
    record_path_ = record_path(options_, run);
    for (const char* name :
         {"duration", "window", "load", "plan", "collectives", "sizes", "rails"}) {
      if (table.given(name)) given_.insert(name);
    }
  }

  [[nodiscard]] results::Body body() const override { return results::SoakBody{}; }

  /// Before a device is touched: can there be a record?
  void prepare(Session& session) override {
    if (options_.resume_file.empty()) {
      if (session.communicator().is_leader())
        check_place(record_path_, session.options().overwrite);
      return;
    }
    soak::Header own;
    if (session.communicator().is_leader()) own = header_in(record_path_);
    recorded_ = job::value_of_leader(session.communicator(), own);
    adopt(*recorded_);
  }

  void begin(Session& session) override {
    options_.transport.progress_threads = settle_progress_threads(
        session, options_.transport.progress_threads, options_.transport.same_host);
    const bool planned = given_.contains("plan") || given_.contains("collectives") ||
                         given_.contains("sizes") || given_.contains("rails");
    if (recorded_ && !planned) {
      plan_ = recorded_->plan;
      return;
    }
    std::vector<soak::Phase> own;
    if (session.communicator().is_leader()) own = plan_of(session, options_);
    plan_ = job::value_of_leader(session.communicator(), own);
  }

  [[nodiscard]] bool goes_on() const override { return !options_.resume_file.empty(); }

  [[nodiscard]] std::unique_ptr<Display> display(Session& session) override {
    if (session.options().table == "none") return nullptr;
    auto made = std::make_unique<SoakDisplay>(options_.transport.progress_threads);
    display_ = made.get();
    return made;
  }

  void run(Session& session) override {
    std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is a disk that is full
    soak::Header now = header(session, boots_of_hosts(session));
    // Another fabric is said before anything is connected.
    if (recorded_ && session.communicator().is_leader()) {
      open_record(session, now);
      session.take_over_files();
    }
    SoakLoop loop(session, options_, plan_);
    const std::vector<double> unpaced_us =
        recorded_ ? recorded_->unpaced_us : loop.measure_unpaced();
    if (!recorded_ && session.communicator().is_leader()) {
      now.unpaced_us = unpaced_us;
      open_record(session, std::move(now));
    }
    loop.run(unpaced_us, leader_.get());
  }

  void finish(const results::Document& document) override {
    if (leader_) leader_->end(document);
  }

 private:
  /// What was not given is as it was.
  void adopt(const soak::Header& recorded) {
    using Seconds = std::chrono::seconds;
    const auto whole = [](double seconds) { return Seconds(static_cast<Seconds::rep>(seconds)); };
    if (!given_.contains("duration")) options_.duration = whole(recorded.duration_s);
    if (!given_.contains("window")) options_.window = whole(recorded.window_s);
    if (!given_.contains("load")) options_.load = recorded.load_percent / kWhole;
  }

  [[nodiscard]] soak::Header header(const Session& session,
                                    std::map<std::string, std::string> boots) const {
    const results::Document& document = session.document();
    return {.run = "soak-" + compact_utc(document.start) + "-" + document.ranks.front().host + "-" +
                   std::to_string(::getpid()),
            .started = std::chrono::system_clock::now(),
            .tool = document.tool,
            .command_line = document.command_line,
            .options = document.options,
            .window_s = static_cast<double>(options_.window.count()),
            .duration_s = static_cast<double>(options_.duration.count()),
            .load_percent = kWhole * options_.load,
            .fail_on = options_.fail_on.empty() ? soak::failing_causes() : options_.fail_on,
            .outage_percent = options_.outage         ? kWhole * *options_.outage
                              : session.on_software() ? soak::Header::kOutagePercentOfSoftware
                                                      : soak::Header::kOutagePercent,
            .plan = plan_,
            .hosts = document.hosts,
            .ranks = document.ranks,
            .boots = std::move(boots)};
  }

  void open_record(Session& session, soak::Header header) {
    if (recorded_) {
      leader_ =
          std::make_unique<SoakLeader>(*recorded_, std::move(header), record_path_,
                                       session.document().counters, display_, session.metrics());
    } else {
      const auto existing = session.options().overwrite ? results::Writer::Existing::overwrite
                                                        : results::Writer::Existing::refuse;
      leader_ =
          std::make_unique<SoakLeader>(header, record_path_, existing, display_, session.metrics());
    }
    leader_->fill(session.body<results::SoakBody>());
    session.report_again(leader_->report());
  }

  SoakOptions options_;
  std::set<std::string> given_;  // of the options that a record has, too
  std::string record_path_;
  std::optional<soak::Header> recorded_;
  std::vector<soak::Phase> plan_;
  SoakDisplay* display_ = nullptr;      // rank 0; the session's
  std::unique_ptr<SoakLeader> leader_;  // rank 0
};

}  // namespace

std::unique_ptr<Experiment> soak_experiment() {
  return std::make_unique<SoakExperiment>();
}

}  // namespace railgauge::runner
