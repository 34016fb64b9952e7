#include "experiments/soak/soak_experiment.hpp"

#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "experiments/collective/thread_binding.hpp"
#include "experiments/soak/soak_loop.hpp"
#include "job/start_up.hpp"
#include "results/document_codec.hpp"
#include "results/utc.hpp"
#include "runner/session.hpp"

namespace railgauge::runner {
namespace {

using results::Failure;
using results::Json;

constexpr double kWhole = 100;  // percent

[[noreturn]] void refuse(const std::string& why) {
  throw job::RunFailure(Failure::Kind::usage, why);
}

/// Whether there can be a new record.
void check_place(const std::filesystem::path& path, bool overwrite) {
  if (!overwrite && std::filesystem::exists(path)) {
    refuse("the record " + path.string() +
           " exists: --resume continues it, --force replaces it, --record selects another file");
  }
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  if (std::filesystem::is_directory(folder)) return;
  throw job::RunFailure(
      Failure::Kind::environment,
      "cannot write the record " + path.string() + ": there is no directory " + folder.string());
}

/// What rank 0 has, on all ranks.
template <class T>
T sent_by_leader(job::Communicator& communicator, const T& own) {
  const std::string text = communicator.is_leader() ? results::encode(own).dump() : "";
  T received;
  results::decode(Json::parse(communicator.all_gather_text(text).front()), received);
  return received;
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
    refuse(std::string("--resume: ") + error.what());
  }
  if (!found) refuse("--resume: " + path + " is empty");
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
    refuse(error.what());
  } catch (const std::runtime_error& error) {
    refuse(std::string("--plan: ") + error.what());
  }
}

}  // namespace

Experiment::Description SoakExperiment::description() const {
  const std::string mpirun = job::launcher("mpirun");
  return {.program = "soak_perf",
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

void SoakExperiment::add_options(options::OptionTable& table, RunOptions& run) {
  run.has_own_files = true;
  add_soak_options(table, options_);
}

void SoakExperiment::check_options(const options::OptionTable& table, const RunOptions& run) {
  check_soak_options(table, run, options_);
  record_path_ = record_path(options_, run);
  for (const char* name : {"duration", "window", "load", "plan", "collectives", "sizes", "rails"}) {
    if (table.given(name)) given_.insert(name);
  }
}

/// Before a device is touched: can there be a record?
void SoakExperiment::prepare(Session& session) {
  if (options_.resume_file.empty()) {
    if (session.communicator().is_leader()) check_place(record_path_, session.options().overwrite);
    return;
  }
  soak::Header own;
  if (session.communicator().is_leader()) own = header_in(record_path_);
  recorded_ = sent_by_leader(session.communicator(), own);
  adopt(*recorded_);
}

/// What was not given is as it was.
void SoakExperiment::adopt(const soak::Header& recorded) {
  using Seconds = std::chrono::seconds;
  const auto whole = [](double seconds) { return Seconds(static_cast<Seconds::rep>(seconds)); };
  if (!given_.contains("duration")) options_.duration = whole(recorded.duration_s);
  if (!given_.contains("window")) options_.window = whole(recorded.window_s);
  if (!given_.contains("load")) options_.load = recorded.load_percent / kWhole;
}

void SoakExperiment::begin(Session& session) {
  options_.progress_threads =
      settle_progress_threads(session, options_.progress_threads, options_.same_host);
  const bool planned = given_.contains("plan") || given_.contains("collectives") ||
                       given_.contains("sizes") || given_.contains("rails");
  if (recorded_ && !planned) {
    plan_ = recorded_->plan;
    return;
  }
  std::vector<soak::Phase> own;
  if (session.communicator().is_leader()) own = plan_of(session, options_);
  plan_ = sent_by_leader(session.communicator(), own);
}

std::unique_ptr<Display> SoakExperiment::display(Session& session) {
  if (session.options().table == "none") return nullptr;
  auto made = std::make_unique<SoakDisplay>(options_.progress_threads);
  display_ = made.get();
  return made;
}

soak::Header SoakExperiment::header(const Session& session,
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

void SoakExperiment::open_record(Session& session, soak::Header header) {
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

void SoakExperiment::run(Session& session) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is a disk that is full
  soak::Header now = header(session, boots_of_hosts(session));
  // Another fabric is said before anything is connected.
  if (recorded_ && session.communicator().is_leader()) {
    open_record(session, now);
    session.take_over_files();
  }
  SoakLoop loop(session, options_, plan_);
  const std::vector<double> unpaced_us = recorded_ ? recorded_->unpaced_us : loop.measure_unpaced();
  if (!recorded_ && session.communicator().is_leader()) {
    now.unpaced_us = unpaced_us;
    open_record(session, std::move(now));
  }
  loop.run(unpaced_us, leader_.get());
}

void SoakExperiment::finish(const results::Document& document) {
  if (leader_) leader_->end(document);
}

}  // namespace railgauge::runner
