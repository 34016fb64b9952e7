#include "experiments/congestion/congestion_experiment.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cluster/port_counters.hpp"
#include "congestion/findings.hpp"
#include "experiments/congestion/congestion_display.hpp"
#include "experiments/congestion/congestion_options.hpp"
#include "experiments/congestion/congestion_rows.hpp"
#include "experiments/congestion/congestion_sampler.hpp"
#include "experiments/congestion/flow_group.hpp"
#include "experiments/congestion/flow_paths.hpp"
#include "experiments/congestion/link_breaker.hpp"
#include "experiments/congestion/link_rates.hpp"
#include "experiments/congestion/scenario_file.hpp"
#include "experiments/congestion/switch_counters.hpp"
#include "experiments/congestion/telemetry_file.hpp"
#include "experiments/pairs/all_nics.hpp"
#include "experiments/pairs/clock_meetings.hpp"
#include "experiments/pairs/pairs_plan.hpp"
#include "finding/words.hpp"
#include "job/exchanged_values.hpp"
#include "job/failure.hpp"
#include "job/start_up.hpp"
#include "results/input_file.hpp"
#include "runner/session.hpp"

namespace railgauge::runner {
namespace {

using congestion::PlannedStep;
using congestion::Step;
using job::refuse_use;
using results::CongestionBody;
using Clock = std::chrono::steady_clock;

/// One time line for all hosts: this rank's moment 0, by its own clock.
struct TimeLine {
  Clock::time_point origin{};
  double uncertainty_s = 0;  // of the rank with the largest
  bool known = true;         // on all ranks
};

/// Collective. `base`: of each rank the same in all calls, and of rank 0 the moment 0.
TimeLine common_time_line(job::Communicator& communicator, Clock::time_point base) {
  const auto offset = offset_to_first(
      communicator, [base] { return std::chrono::duration<double>(Clock::now() - base).count(); });
  const double added = offset ? offset->seconds : 0;
  TimeLine line{.origin = base - std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(added))};
  const auto uncertain = communicator.all_gather(offset ? offset->uncertainty_s : -1.0);
  line.uncertainty_s = *std::ranges::max_element(uncertain);
  line.known = *std::ranges::min_element(uncertain) >= 0;
  return line;
}

/// What a rank's sampler says of its port.
struct PortHead {
  std::size_t nic = 0;
  unsigned long counted = 0;
  double processor_share = 0;
  double age_s = 0;  // of what the driver says, at most
};

/// Hardware, and links that are slower by a thousand.
constexpr std::uint32_t kHardwareBytes = 64 * 1024;
constexpr int kHardwareWindow = 16;
constexpr std::uint32_t kSoftwareBytes = 16 * 1024;
constexpr int kSoftwareWindow = 8;
/// Of a flow, where flows share links between switches, so that DCQCN shares these: with 8 a flow
/// whose acknowledgements wait in a queue, too, had two thirds of its share.
constexpr int kSoftwareWindowOfPaths = 32;
constexpr int kLeastWindow = 4;

int window_of(const PlannedStep& step, bool software) {
  if (!software) return kHardwareWindow;
  if (!fills_paths(step.scenario)) return kSoftwareWindow;
  return std::max(kLeastWindow, kSoftwareWindowOfPaths / step.queue_pairs);
}

std::uint32_t message_bytes_of(const CongestionOptions& options, bool software) {
  if (options.message_bytes > 0) return static_cast<std::uint32_t>(options.message_bytes);
  return software ? kSoftwareBytes : kHardwareBytes;
}

/// Collective: the steps, one after the other. All ranks have the same record.
class CongestionRun {
 public:
  /// All have to outlive it.
  CongestionRun(Session& session, const CongestionOptions& options, const AllNics& all,
                const std::vector<std::size_t>& under_test,
                const std::map<congestion::Link, double>& link_rates)
      : session_(session),
        options_(options),
        all_(all),
        under_test_(under_test),
        link_rates_(link_rates),
        flows_(session, all),
        paths_(session.communicator(), all,
               {.traffic_class = options.traffic_class,
                .probes_per_second = options.probes_per_second,
                .most_queue_pairs = options.scenario_files.empty()
                                        ? *std::ranges::max_element(options.queue_pairs)
                                        : flow::kMostQueuePairs}) {}

  /// Asks for the paths of steps that need them. Says what is not known.
  void trace(std::vector<PlannedStep> steps) {
    std::erase_if(steps, [](const PlannedStep& step) { return !takes_paths(step.scenario); });
    if (!steps.empty()) {
      paths_.trace(steps);
      session_.warn(paths_.notes());
    }
    if (!link_rates_.empty()) session_.warn(notes_on_rates(steps));
  }
  /// Whether it says more than the same step without spread paths.
  [[nodiscard]] bool is_worth(const PlannedStep& step) const {
    return !step.spread || paths_.known() || !fills_paths(step.scenario);
  }

  results::CongestionRow measure(const PlannedStep& planned) {
    line_ = common_time_line(session_.communicator(), base_);  // clocks drift
    CongestionSampler sampler(own_rail(), options_.interval, line_.origin);
    const PriorityMeter priorities(own_rail());
    const std::unique_ptr<SwitchSampler> switches = switch_sampler();
    session_.communicator().barrier();
    const Clock::time_point begin = Clock::now();
    const FlowGroup::SourcePorts ports = ports_of(planned);
    LinkBreaker breaker(breaking(planned));
    const std::vector<FlowResult> results =
        flows_.run(plan(planned), planned.flows, ports, options_.other_class);
    breaker.wait();
    std::this_thread::sleep_for(counters_age());
    sampler.stop();
    if (switches) switches->stop();
    const Clock::time_point end = Clock::now();
    Step step = step_of(planned, results, ports);
    const results::CongestionSampling sampling = add_ports(step, sampler, priorities);
    if (planned.scenario == congestion::Scenario::failure) add_failure(step, breaker);
    step.every_switch = !telemetry_;
    std::string why = telemetry_ ? add_telemetry(step, {line_.origin, begin, end})
                                 : add_switches(step, switches.get());
    why = session_.communicator().all_gather_text(why).front();
    if (!why.empty()) step.void_because = why;
    session_.warn(job::value_of_leader(session_.communicator(), std::exchange(notes_, {})));
    std::vector<results::CongestionFlow> flows;
    for (std::size_t at = 0; at < results.size(); ++at) {
      flows.push_back(results[at].flow);
      flows.back().paths = step.flows[at].paths;
    }
    steps_.push_back(std::move(step));
    return row_of(steps_, std::move(flows), sampling);
  }

  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }

 private:
  /// Switches may reply with other addresses than --topology has.
  [[nodiscard]] std::vector<std::string> notes_on_rates(
      const std::vector<PlannedStep>& steps) const {
    std::set<congestion::Link> links;
    for (const PlannedStep& step : steps) links.merge(paths_.links_of(step.flows));
    if (links.empty()) return {"--topology is not used: no flow has a known path between switches"};
    const auto missing = std::ranges::count_if(
        links, [this](const congestion::Link& link) { return !link_rates_.contains(link); });
    if (missing == 0) return {};
    return {"--topology lacks " + std::to_string(missing) + " of " +
            finding::counted(links.size(), "link") +
            " on paths: they count as fast as the NICs; compare its switches' addresses with "
            "railgauge paths"};
  }

  [[nodiscard]] FlowGroup::SourcePorts ports_of(const PlannedStep& step) const {
    if (!takes_paths(step.scenario) || !paths_.known()) return {};
    return paths_.ports_of(step);
  }

  [[nodiscard]] std::uint32_t message_bytes() const {
    return message_bytes_of(options_, session_.on_software());
  }

  [[nodiscard]] flow::Plan plan(const PlannedStep& step) const {
    flow::Plan plan{.message_bytes = message_bytes(),
                    .queue_pairs = step.queue_pairs,
                    .window = window_of(step, session_.on_software()),
                    .time = options_.time,
                    .traffic_class = options_.traffic_class};
    plan.directions = flow::Directions::forward;
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

  [[nodiscard]] std::chrono::milliseconds counters_age() const {
    return cluster::counters_age(own_rail());
  }

  /// On rank 0, if there is one to ask. A file is opened instead, and read after each step.
  std::unique_ptr<SwitchSampler> switch_sampler() {
    const std::string& asked = options_.switch_counters;
    if (telemetry_ || asked.empty() || !session_.communicator().is_leader()) return nullptr;
    const bool is_file = is_telemetry_file(asked);
    try {
      if (!is_file) return std::make_unique<SwitchSampler>(asked, options_.interval, line_.origin);
      telemetry_ = std::make_unique<TelemetryFile>(asked);
      return nullptr;
    } catch (const std::exception& error) {
      refuse_use("--switch-counters: " + (is_file ? "" : asked + ": ") + error.what());
    }
  }

  [[nodiscard]] double least_payload_rate() const {
    double least = payload_rate(all_.nics[under_test_.front()]);
    for (const std::size_t nic : under_test_) least = std::min(least, payload_rate(all_.nics[nic]));
    return least;
  }

  Step step_of(const PlannedStep& planned, const std::vector<FlowResult>& results,
               const FlowGroup::SourcePorts& ports) const {
    Step step{.name = planned.name,
              .scenario = planned.scenario,
              .load = planned.load,
              .line_gbps = least_payload_rate(),
              .spread = planned.spread,
              .queue_pairs = planned.queue_pairs,
              .software = session_.on_software()};
    if (!ports.empty()) {
      step.known_links = paths_.links_of(planned.flows);
      step.link_rates = link_rates_;
    }
    if (planned.scenario == congestion::Scenario::burst)
      step.burst_bytes =
          static_cast<double>(planned.flows.front().burst) * static_cast<double>(message_bytes());
    constexpr double kMicroseconds = 1e6;
    for (std::size_t at = 0; at < results.size(); ++at) {
      const FlowResult& result = results[at];
      const results::CongestionFlow& flow = result.flow;
      step.flows.push_back({.from = results::place_of(flow.from),
                            .to = results::place_of(flow.to),
                            .victim = flow.victim,
                            .offered_gbps = flow.offered_gigabytes_per_second,
                            .gbps = flow.gigabytes_per_second,
                            .late = planned.flows[at].begin > 0,
                            .other_class = planned.flows[at].other_class,
                            .longest_message_s = flow.time ? flow.time->max_us / kMicroseconds : 0,
                            .median_message_s = flow.time ? flow.time->p50_us / kMicroseconds : 0,
                            .cpu_share = flow.cpu_share.value_or(1),
                            .reason = flow.reason});
      if (at < ports.size()) add_paths(step.flows.back(), planned.flows[at], ports[at]);
      if (step.void_because.empty()) step.void_because = result.descheduled;
    }
    if (!line_.known) step.void_because = "the clocks of the hosts could not be compared";
    return step;
  }

  /// Both ends send from the same source ports.
  void add_paths(congestion::Flow& flow, const congestion::PlannedFlow& planned,
                 const std::vector<std::uint16_t>& ports) const {
    for (const std::uint16_t port : ports) {
      flow.paths.push_back(paths_.path_of(planned, port));
      flow.back_paths.push_back(paths_.path_of({.from = planned.to, .to = planned.from}, port));
    }
  }

  /// Of all ranks. The uncertainty of clocks and the age of counters widen the time of each sample.
  results::CongestionSampling add_ports(Step& step, const CongestionSampler& sampler,
                                        const PriorityMeter& priorities) {
    job::Communicator& communicator = session_.communicator();
    const std::chrono::duration<double> age = counters_age();
    auto sent = transport::all_gather(communicator, priorities.sent());
    auto received = transport::all_gather(communicator, priorities.received());
    const std::vector<PortHead> own{{.nic = own_nic(),
                                     .counted = sampler.counted().to_ulong(),
                                     .processor_share = sampler.processor_share(),
                                     .age_s = age.count()}};
    const auto heads = transport::all_gather(communicator, own);
    auto samples = transport::all_gather(communicator, sampler.samples());
    constexpr double kMilliseconds = 1e3;
    results::CongestionSampling sampling{
        .interval_ms = static_cast<double>(options_.interval.count()),
        .clock_uncertainty_ms = kMilliseconds * line_.uncertainty_s};
    for (std::size_t rank = 0; rank < heads.size(); ++rank) {
      const PortHead& head = heads[rank].front();
      for (congestion::Sample& sample : samples[rank]) {
        sampling.longest_ms =
            std::max(sampling.longest_ms, kMilliseconds * (sample.end_s - sample.begin_s));
        sample.begin_s -= line_.uncertainty_s + head.age_s;
        sample.end_s += line_.uncertainty_s;
      }
      sampling.processor_share = std::max(sampling.processor_share, head.processor_share);
      step.ports.push_back({.port = results::place_of(endpoint_of(all_.nics[head.nic])),
                            .counted = head.counted,
                            .samples = std::move(samples[rank]),
                            .sent_by_priority = std::move(sent[rank]),
                            .received_by_priority = std::move(received[rank])});
    }
    return sampling;
  }

  /// By rank 0. The others wait for it meanwhile: half of their limit.
  [[nodiscard]] LinkBreaker::Plan breaking(const PlannedStep& planned) {
    if (planned.scenario != congestion::Scenario::failure || !session_.communicator().is_leader())
      return {};
    return {.command = options_.break_command,
            .after = options_.time / 3,
            .limit = options_.time + session_.options().limit / 2,
            .origin = line_.origin};
  }

  /// Rank 0 knows when a link was broken.
  void add_failure(Step& step, const LinkBreaker& breaker) {
    const double broken_s = session_.communicator().all_gather(breaker.broken_s()).front();
    step.broken_at_s = broken_s;
    const std::string why = session_.communicator().all_gather_text(breaker.failure()).front();
    if (!why.empty()) step.void_because = why;
  }

  /// Rank 0's, for its verdict. Why the step is void; empty: it is not.
  std::string add_switches(Step& step, const SwitchSampler* switches) {
    if (switches == nullptr) return "";
    if (!switches->failure().empty()) return "the switches did not answer: " + switches->failure();
    const auto& readings = switches->readings();
    step.links = series_of(readings, host_names());
    return late_text(readings.front().reading, readings.back().reading);
  }

  /// Likewise. The other ranks wait meanwhile: half of their limit.
  std::string add_telemetry(Step& step, const TelemetryFile::Span& span) {
    try {
      TelemetryFile::OfStep counted =
          telemetry_->of_step(span, host_names(), session_.options().limit / 2);
      step.links = std::move(counted.links);
      notes_ = std::move(counted.notes);
    } catch (const std::runtime_error& error) {
      return std::string("--switch-counters: ") + error.what();
    }
    return "";
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
  const std::map<congestion::Link, double>& link_rates_;
  const Clock::time_point base_ = Clock::now();
  TimeLine line_;
  FlowGroup flows_;
  FlowPaths paths_;
  std::vector<Step> steps_;
  std::unique_ptr<TelemetryFile> telemetry_;  // of rank 0, if it was given a file
  std::vector<std::string> notes_;            // of rank 0, of the step
};

class CongestionExperiment final : public Experiment {
 public:
  [[nodiscard]] Description description() const override {
    const std::string mpirun =
        job::launcher("mpirun") + " --ppn 1 --hostfile hosts congestion_perf";
    return {.program = "congestion_perf",
            .about =
                "Overload one receiver or the links between switches step by step, and find what "
                "acts: ECN marks, PFC pauses or drops. Start one rank per host: " +
                job::launcher("mpirun") + " --map-by node",
            .tables = {"steps"},
            .rails_have_to_match = false,
            .exit_status_1 =
                "PFC acts without ECN or before it, packets are dropped, a host does not react, a "
                "link is slow, or there was no congestion",
            .examples = {{mpirun + " -J congestion.json", "Test rail 0, with rank 0 as receiver"},
                         {mpirun + " --loads 1.5,4 --step-time 10s", "Other loads, for longer"},
                         {mpirun + " --scenario permutation --qps 1,4",
                          "Find flows that share links by the fabric's hash"},
                         {mpirun + " --profile bmwg-training -J bmwg.json",
                          "Run the sweeps of the IETF draft"},
                         {mpirun + " --expect pfc", "Test a fabric without ECN"}}};
  }

  void add_options(options::OptionTable& table, RunOptions& run) override {
    run.device.placement = "none";  // one thread drives all flows
    add_congestion_options(table, options_);
  }

  void check_options(const options::OptionTable& table, const RunOptions& run) override {
    settle_scenarios(table, options_);
    check_congestion_options(run, options_);
  }

  [[nodiscard]] results::Body body() const override { return CongestionBody{}; }

  /// All ranks have the files of rank 0.
  void prepare(Session& session) override {
    files_ = texts(session, "--scenario-file", options_.scenario_files);
    if (!options_.topology.empty())
      topology_ = texts(session, "--topology", {options_.topology}).front();
  }

  void begin(Session& session) override {
    nics_ = nics_of(session.document().ranks);
    choose_nics(session);
    if (!options_.topology.empty()) read_topology();
    plan_steps(message_bytes_of(options_, session.on_software()));
  }

  [[nodiscard]] std::unique_ptr<Display> display(Session& session) override {
    if (session.options().table == "none") return nullptr;
    const std::chrono::duration<double> each = options_.time;
    return std::make_unique<CongestionDisplay>(
        CongestionDisplay::Expected{.steps = steps_.size(),
                                    .seconds = each.count() * static_cast<double>(steps_.size()),
                                    .software = session.on_software(),
                                    .counted_by = counted_by()});
  }

  void run(Session& session) override {
    CongestionRun run(session, options_, nics_, under_test_, link_rates_);
    run.trace(steps_);
    for (const PlannedStep& step : steps_) {
      if (run.is_worth(step)) session.report<CongestionBody>(run.measure(step));
    }
    const congestion::Judged judged = congestion::judge(run.steps());
    auto& body = session.body<CongestionBody>();
    body.verdict = congestion::word(judged.verdict);
    body.verdict_reason = judged.reason;
    session.report(congestion::report_of(
        run.steps(),
        {.expects_ecn = options_.expects_ecn, .oversubscription = options_.oversubscription}));
  }

 private:
  /// Collective: what rank 0 reads in these files.
  static std::vector<std::string> texts(Session& session, const std::string& option,
                                        const std::vector<std::string>& files) {
    std::vector<std::string> own;
    std::string why;
    if (session.communicator().is_leader()) try {
        for (const std::string& file : files) own.push_back(results::read_input(file));
      } catch (const std::runtime_error& error) {
        why = error.what();
      }
    why = session.communicator().all_gather_text(why).front();
    if (!why.empty()) refuse_use(option + ": " + why);
    return job::value_of_leader(session.communicator(), own);
  }

  void read_topology() {
    double least = nics_.nics[under_test_.front()].link_gigabits_per_second;
    for (const std::size_t nic : under_test_)
      least = std::min(least, nics_.nics[nic].link_gigabits_per_second);
    try {
      link_rates_ = link_rates(topology_, least);
    } catch (const std::runtime_error& error) {
      refuse_use("--topology " + options_.topology + ": " + error.what());
    }
    if (link_rates_.empty())
      refuse_use("--topology " + options_.topology + ": it has no link between switches");
  }

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
    for (const std::size_t nic : under_test_) {
      if (nics_.nics[nic].link_gigabits_per_second <= 0)
        refuse_use(nics_.nics[nic].host + " " + nics_.nics[nic].device +
                   ": the line rate is not known");
    }
  }

  /// A file may lack switches, and its samples are seldom.
  [[nodiscard]] std::string counted_by() const {
    if (options_.switch_counters.empty()) return "NICs";
    return is_telemetry_file(options_.switch_counters) ? "NICs, else by switches" : "switches";
  }

  /// Messages of each sender that the receiver's link carries in a step.
  [[nodiscard]] double step_messages(std::uint32_t bytes, std::size_t receiver) const {
    constexpr double kBytesPerGigabyte = 1e9;
    const double seconds = std::chrono::duration<double>(options_.time).count();
    const double all = seconds * payload_rate(nics_.nics[receiver]) * kBytesPerGigabyte / bytes;
    return all / static_cast<double>(under_test_.size());
  }

  void plan_steps(std::uint32_t message_bytes) {
    const std::size_t receiver = under_test_[static_cast<std::size_t>(options_.receiver)];
    const double messages = step_messages(message_bytes, receiver);
    const congestion::Ground ground{.nics = under_test_,
                                    .receiver = receiver,
                                    .loads = options_.loads,
                                    .queue_pairs = options_.queue_pairs,
                                    .most_burst = static_cast<std::uint64_t>(
                                        std::clamp<double>(messages, 1, flow::kMostWindow)),
                                    .step_messages = messages};
    for (const congestion::Scenario scenario : options_.scenarios) {
      const congestion::ScenarioFacts& facts = facts_of(scenario);
      if (under_test_.size() < facts.least_ranks)
        refuse_use("--scenario " + std::string(facts.word) + ": it needs at least " +
                   finding::counted(facts.least_ranks, "host") + ", and there are " +
                   std::to_string(under_test_.size()));
      std::ranges::move(facts.steps(ground), std::back_inserter(steps_));
    }
    for (std::size_t at = 0; at < files_.size(); ++at) try {
        std::ranges::move(steps_of_file(files_[at], options_.scenario_files[at], under_test_),
                          std::back_inserter(steps_));
      } catch (const std::invalid_argument& error) {
        refuse_use(error.what());
      }
  }

  CongestionOptions options_;
  AllNics nics_;
  std::vector<std::size_t> under_test_;  // of each rank one, in their order
  std::vector<PlannedStep> steps_;
  std::vector<std::string> files_;  // their text
  std::string topology_;            // its text
  std::map<congestion::Link, double> link_rates_;
};

}  // namespace

std::unique_ptr<Experiment> congestion_experiment() {
  return std::make_unique<CongestionExperiment>();
}

}  // namespace railgauge::runner
