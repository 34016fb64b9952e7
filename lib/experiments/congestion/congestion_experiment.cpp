#include "experiments/congestion/congestion_experiment.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "congestion/clock_offset.hpp"
#include "congestion/findings.hpp"
#include "experiments/congestion/congestion_display.hpp"
#include "experiments/congestion/congestion_options.hpp"
#include "experiments/congestion/congestion_rows.hpp"
#include "experiments/congestion/congestion_sampler.hpp"
#include "experiments/congestion/flow_group.hpp"
#include "experiments/congestion/switch_counters.hpp"
#include "experiments/pairs/all_nics.hpp"
#include "experiments/pairs/pairs_plan.hpp"
#include "job/exchanged_values.hpp"
#include "job/failure.hpp"
#include "job/start_up.hpp"
#include "runner/session.hpp"

namespace railgauge::runner {
namespace {

using congestion::Step;
using results::CongestionBody;
using Clock = std::chrono::steady_clock;

[[noreturn]] void refuse_use(const std::string& why) {
  throw job::RunFailure(results::Failure::Kind::usage, why);
}

/// One time line for all hosts: this rank's moment 0, by its own clock.
struct TimeLine {
  Clock::time_point origin{};
  double uncertainty_s = 0;  // of the rank with the largest
  bool known = true;         // on all ranks
};

/// Collective. `base`: of each rank the same in all calls, and of rank 0 the moment 0.
TimeLine common_time_line(job::Communicator& communicator, Clock::time_point base) {
  constexpr int kMeetings = 20;
  const auto seconds = [base] {
    return std::chrono::duration<double>(Clock::now() - base).count();
  };
  std::vector<congestion::Meeting> own;
  for (int at = 0; at < kMeetings; ++at) {
    const double entered = seconds();
    communicator.barrier();
    own.push_back({entered, seconds()});
  }
  const auto first = transport::all_gather(communicator, own).front();
  const auto offset = congestion::clock_offset(first, own);
  const double added = offset ? offset->seconds : 0;
  TimeLine line{.origin = base - std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(added))};
  const auto uncertain = communicator.all_gather(offset ? offset->uncertainty_s : -1.0);
  line.uncertainty_s = *std::ranges::max_element(uncertain);
  line.known = *std::ranges::min_element(uncertain) >= 0;
  return line;
}

/// Drivers read their counters every 10 ms (hw_counters/lifespan): what they say is as old.
constexpr std::chrono::milliseconds kCountersAge{15};

/// What a rank's sampler says of its port.
struct PortHead {
  std::size_t nic = 0;
  unsigned long counted = 0;
  double read_us = 0;
};

/// Hardware, and links that are slower by a thousand.
constexpr std::uint32_t kHardwareBytes = 64 * 1024;
constexpr int kHardwareWindow = 16;
constexpr std::uint32_t kSoftwareBytes = 16 * 1024;
constexpr int kSoftwareWindow = 8;

/// Collective: the steps, one after the other. All ranks have the same record.
class CongestionRun {
 public:
  /// All have to outlive it.
  CongestionRun(Session& session, const CongestionOptions& options, const AllNics& all,
                const std::vector<std::size_t>& under_test)
      : session_(session),
        options_(options),
        all_(all),
        under_test_(under_test),
        flows_(session, all) {}

  results::CongestionRow measure(const PlannedStep& planned) {
    line_ = common_time_line(session_.communicator(), base_);  // clocks drift
    CongestionSampler sampler(own_rail(), options_.interval, line_.origin);
    const std::unique_ptr<SwitchSampler> switches = switch_sampler();
    session_.communicator().barrier();
    const std::vector<FlowResult> results = flows_.run(plan(), planned.flows);
    if (!session_.on_software()) std::this_thread::sleep_for(kCountersAge);
    sampler.stop();
    if (switches) switches->stop();
    Step step = step_of(planned, results);
    const results::CongestionSampling sampling = add_ports(step, sampler);
    add_switches(step, switches.get());
    std::vector<results::CongestionFlow> flows;
    flows.reserve(results.size());
    for (const FlowResult& result : results) flows.push_back(result.flow);
    results::CongestionRow row = row_of(step, planned.scenario, std::move(flows), sampling);
    steps_.push_back(std::move(step));
    return row;
  }

  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }

 private:
  [[nodiscard]] flow::Plan plan() const {
    const bool software = session_.on_software();
    flow::Plan plan{.message_bytes = software ? kSoftwareBytes : kHardwareBytes,
                    .queue_pairs = static_cast<int>(options_.queue_pairs),
                    .window = software ? kSoftwareWindow : kHardwareWindow,
                    .time = options_.time,
                    .traffic_class = options_.traffic_class};
    plan.directions = flow::Directions::forward;
    if (options_.message_bytes > 0)
      plan.message_bytes = static_cast<std::uint32_t>(options_.message_bytes);
    if (options_.window > 0) plan.window = options_.window;
    plan.longest += 2 * options_.time;
    return plan;
  }

  [[nodiscard]] std::size_t own_nic() const {
    return *std::ranges::find_if(
        under_test_, [&](std::size_t nic) { return all_.rank_of[nic] == session_.rank(); });
  }

  [[nodiscard]] const results::RankRail& own_rail() const {
    const pairs::Nic& nic = all_.nics[own_nic()];
    const auto& rails = session_.document().ranks[session_.rank()].rails;
    return *std::ranges::find_if(rails, [&](const results::RankRail& rail) {
      return rail.device == nic.device && rail.port == nic.port;
    });
  }

  /// On rank 0, if there is one to ask.
  std::unique_ptr<SwitchSampler> switch_sampler() {
    if (options_.switch_counters.empty() || !session_.communicator().is_leader()) return nullptr;
    try {
      return std::make_unique<SwitchSampler>(options_.switch_counters, line_.origin);
    } catch (const std::exception& error) {
      refuse_use("--switch-counters: " + options_.switch_counters + ": " + error.what());
    }
  }

  Step step_of(const PlannedStep& planned, const std::vector<FlowResult>& results) const {
    Step step{.name = planned.name, .load = planned.load, .software = session_.on_software()};
    constexpr double kMicroseconds = 1e6;
    for (const FlowResult& result : results) {
      const results::CongestionFlow& flow = result.flow;
      step.flows.push_back({.from = results::place_of(flow.from),
                            .to = results::place_of(flow.to),
                            .victim = flow.victim,
                            .offered_gbps = flow.offered_gigabytes_per_second,
                            .gbps = flow.gigabytes_per_second,
                            .longest_message_s = flow.time ? flow.time->max_us / kMicroseconds : 0,
                            .cpu_share = flow.cpu_share.value_or(1),
                            .reason = flow.reason});
      if (step.void_because.empty()) step.void_because = result.descheduled;
    }
    if (!line_.known) step.void_because = "the clocks of the hosts could not be compared";
    return step;
  }

  /// Of all ranks. The uncertainty of clocks and the age of counters widen the time of each sample.
  results::CongestionSampling add_ports(Step& step, const CongestionSampler& sampler) {
    job::Communicator& communicator = session_.communicator();
    const std::vector<PortHead> own{{own_nic(), sampler.counted().to_ulong(), sampler.read_us()}};
    const auto heads = transport::all_gather(communicator, own);
    auto samples = transport::all_gather(communicator, sampler.samples());
    constexpr double kMilliseconds = 1e3;
    results::CongestionSampling sampling{
        .interval_ms = static_cast<double>(options_.interval.count()),
        .clock_uncertainty_ms = kMilliseconds * line_.uncertainty_s};
    const std::chrono::duration<double> age = kCountersAge;
    const double age_s = session_.on_software() ? 0 : age.count();
    for (std::size_t rank = 0; rank < heads.size(); ++rank) {
      const PortHead& head = heads[rank].front();
      for (congestion::Sample& sample : samples[rank]) {
        sampling.longest_ms =
            std::max(sampling.longest_ms, kMilliseconds * (sample.end_s - sample.begin_s));
        sample.begin_s -= line_.uncertainty_s + age_s;
        sample.end_s += line_.uncertainty_s;
      }
      sampling.read_us = std::max(sampling.read_us, head.read_us);
      step.ports.push_back({.port = results::place_of(endpoint_of(all_.nics[head.nic])),
                            .counted = head.counted,
                            .samples = std::move(samples[rank])});
    }
    return sampling;
  }

  /// Rank 0's, for its verdict; void on all ranks alike.
  void add_switches(Step& step, const SwitchSampler* switches) {
    std::string why;
    if (switches != nullptr && !switches->failure().empty()) {
      why = "the switches did not answer: " + switches->failure();
    } else if (switches != nullptr) {
      const auto& readings = switches->readings();
      step.links = series_of(readings, host_names());
      why = late_text(readings.front().reading, readings.back().reading);
    }
    why = session_.communicator().all_gather_text(why).front();
    if (!why.empty()) step.void_because = why;
  }

  [[nodiscard]] std::vector<std::string> host_names() const {
    std::vector<std::string> names;
    for (const std::size_t nic : under_test_) names.push_back(all_.nics[nic].host);
    return names;
  }

  Session& session_;
  const CongestionOptions& options_;
  const AllNics& all_;
  const std::vector<std::size_t>& under_test_;
  const Clock::time_point base_ = Clock::now();
  TimeLine line_;
  FlowGroup flows_;
  std::vector<Step> steps_;
};

class CongestionExperiment final : public Experiment {
 public:
  [[nodiscard]] Description description() const override {
    const std::string mpirun =
        job::launcher("mpirun") + " --ppn 1 --hostfile hosts congestion_perf";
    return {.program = "congestion_perf",
            .about =
                "Overload one receiver step by step, and find what acts: ECN marks, PFC pauses or "
                "drops. Start one rank per host: " +
                job::launcher("mpirun") + " --map-by node",
            .tables = {"steps"},
            .rails_have_to_match = false,
            .exit_status_1 =
                "PFC acts without ECN or before it, packets are dropped, a host does not react, or "
                "there was no congestion",
            .examples = {{mpirun + " -J congestion.json", "Test rail 0, with rank 0 as receiver"},
                         {mpirun + " --loads 1.5,4 --step-time 10s", "Other loads, for longer"},
                         {mpirun + " --expect pfc", "Test a fabric without ECN"}}};
  }

  void add_options(options::OptionTable& table, RunOptions& run) override {
    run.device.placement = "none";  // one thread drives all flows
    add_congestion_options(table, options_);
  }

  void check_options(const options::OptionTable& /*table*/, const RunOptions& run) override {
    check_congestion_options(run, options_);
  }

  [[nodiscard]] results::Body body() const override { return CongestionBody{}; }

  void begin(Session& session) override {
    nics_ = nics_of(session.document().ranks);
    choose_nics(session);
    plan_steps();
  }

  [[nodiscard]] std::unique_ptr<Display> display(Session& session) override {
    if (session.options().table == "none") return nullptr;
    const std::chrono::duration<double> each = options_.time;
    return std::make_unique<CongestionDisplay>(
        CongestionDisplay::Expected{.steps = steps_.size(),
                                    .seconds = each.count() * static_cast<double>(steps_.size()),
                                    .software = session.on_software(),
                                    .asks_switches = !options_.switch_counters.empty()});
  }

  void run(Session& session) override {
    CongestionRun run(session, options_, nics_, under_test_);
    for (const PlannedStep& step : steps_) session.report<CongestionBody>(run.measure(step));
    const congestion::Judged judged = congestion::judge(run.steps());
    auto& body = session.body<CongestionBody>();
    body.verdict = congestion::word(judged.verdict);
    body.verdict_reason = judged.reason;
    finding::Report report =
        congestion::report_of(run.steps(), {.expects_ecn = options_.expects_ecn});
    session.report(std::move(report.findings));
    for (finding::Coverage& one : report.coverage) session.cover(std::move(one));
  }

 private:
  /// One of each rank: those of the rail, of its first plane.
  void choose_nics(const Session& session) {
    for (std::size_t nic = 0; nic < nics_.nics.size(); ++nic) {
      const bool is_first =
          under_test_.empty() || nics_.rank_of[under_test_.back()] != nics_.rank_of[nic];
      if (nics_.nics[nic].rail == options_.rail && is_first) under_test_.push_back(nic);
    }
    if (under_test_.size() != session.ranks())
      refuse_use("--rail " + std::to_string(options_.rail) + ": " +
                 std::to_string(under_test_.size()) + " of " + std::to_string(session.ranks()) +
                 " ranks have a NIC on it");
    if (static_cast<std::size_t>(options_.receiver) >= under_test_.size())
      refuse_use("--receiver " + std::to_string(options_.receiver) + ": there are " +
                 std::to_string(under_test_.size()) + " ranks");
    constexpr std::size_t kLeast = 3;
    if (under_test_.size() < kLeast)
      refuse_use("an incast needs at least three hosts, and there are " +
                 std::to_string(under_test_.size()));
    for (const std::size_t nic : under_test_) {
      if (nics_.nics[nic].link_gigabits_per_second <= 0)
        refuse_use(nics_.nics[nic].host + " " + nics_.nics[nic].device +
                   ": the line rate is not known");
    }
  }

  void plan_steps() {
    const std::size_t receiver = under_test_[static_cast<std::size_t>(options_.receiver)];
    std::vector<std::size_t> senders = under_test_;
    std::erase(senders, receiver);
    for (const Scenario scenario : options_.scenarios) {
      std::vector<PlannedStep> steps = scenario == Scenario::incast
                                           ? incast(senders, receiver, options_.loads)
                                           : victim(senders, receiver);
      std::ranges::move(steps, std::back_inserter(steps_));
    }
  }

  CongestionOptions options_;
  AllNics nics_;
  std::vector<std::size_t> under_test_;  // of each rank one, in their order
  std::vector<PlannedStep> steps_;
};

}  // namespace

std::unique_ptr<Experiment> congestion_experiment() {
  return std::make_unique<CongestionExperiment>();
}

}  // namespace railgauge::runner
