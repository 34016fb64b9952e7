#include "experiments/congestion/congestion_options.hpp"

#include <algorithm>
#include <stdexcept>

#include "flow/plan.hpp"
#include "options/shared.hpp"

namespace railgauge::runner {
namespace {

using congestion::Scenario;
using options::chosen_by_run;
using options::OptionTable;
using options::whole;

std::vector<Scenario> all_scenarios() {
  std::vector<Scenario> all;
  for (std::size_t at = 0; at < congestion::scenarios().size(); ++at)
    all.push_back(static_cast<Scenario>(at));
  return all;
}

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30U;

/// Those that need nobody to break anything.
std::vector<Scenario> without_failure() {
  std::vector<Scenario> all = all_scenarios();
  std::erase(all, Scenario::failure);
  return all;
}

options::Syntax<Scenario> scenario() {
  std::vector<std::pair<std::string, Scenario>> words;
  for (const Scenario one : all_scenarios()) words.emplace_back(word(one), one);
  options::Syntax<Scenario> syntax = options::choice<Scenario>(std::move(words));
  syntax.unit = "NAME";  // there are too many for a line
  return syntax;
}

std::string about_scenarios() {
  std::string about = "Scenarios, in this order; all: each but failure";
  for (const Scenario one : all_scenarios())
    about += "; " + std::string(word(one)) + ": " + std::string(facts_of(one).about);
  return about;
}

void add_load(OptionTable& table, CongestionOptions& options) {
  table.group("Load");
  table.scalar("--profile", options.profile,
               options::choice<Profile>(
                   {{"none", Profile::none}, {"bmwg-training", Profile::bmwg_training}}),
               "Scenarios and queue pairs of draft-calabria-bmwg-ai-fabric-training-bench, in its "
               "order, in place of --scenario; railgauge report --profile reads the result");
  table.axis("--scenario", options.scenarios, scenario(), about_scenarios(), without_failure());
  table.axis("--scenario-file", options.scenario_files, options::text("PATH"),
             "Scenarios of your own (railgauge/scenario/1), after those of --scenario if that is "
             "given, too");
  table.axis("--loads", options.loads, options::positive_number(),
             "Loads on the receiver, in parts of its line rate; a load of the number of senders or "
             "more is as fast as they can");
  table.scalar("--receiver", options.receiver, whole<int>(0, 1'000'000), "Rank whose NIC receives");
  table.scalar("--rail", options.rail, whole<int>(0, 1'000'000), "Rail under test");
  table.scalar("--step-time", options.time, options::milliseconds(100, 600'000),
               "Duration of each step; a number without a unit is in milliseconds");
  table.scalar("-s,--size", options.message_bytes, chosen_by_run(options::size()),
               "Message size (default: 64K; 16K on software devices)");
  table.scalar(
      "--window", options.window, chosen_by_run(whole<int>(1, flow::kMostWindow)),
      "Outstanding messages per queue pair (default: 16; on software devices 8, and 4 to 32 "
      "where flows share links between switches)");
  table.axis(
      "--qps", options.queue_pairs, whole<int>(1, flow::kMostQueuePairs),
      "Queue pairs of each flow; permutation, shift, bisection and alltoall are repeated with each "
      "number, others have the first");
  table.scalar(options::traffic_class(), options.traffic_class);
  table.scalar("--other-class", options.other_class, whole<std::uint8_t>(0, 255),
               "IP traffic class byte of bulk that is to leave --traffic-class alone (classes)");
  table.scalar(
      "--break-command", options.break_command, options::text("COMMAND"),
      "Shell command that breaks a link, on rank 0, after a third of the step (failure). It "
      "is killed if it takes longer than a step and half of --timeout");
}

void add_observation(OptionTable& table, CongestionOptions& options) {
  table.group("Observation and verdict");
  table.scalar("--interval", options.interval, options::milliseconds(1, 1000),
               "Sampling interval of counters; it grows if reading a NIC takes more than 1 % of a "
               "processor's time");
  table.scalar(options::probe_rate(), options.probes_per_second);
  table.scalar(
      "--switch-counters", options.switch_counters, options::text("PATH"),
      "Counters of switches: a file to which gnmic appends events, or the control socket of "
      "softswitch; in a fabric of launchers/fabric: $SOFTFABRIC/switch.sock");
  table.scalar("--topology", options.topology, options::text("PATH"),
               "Description of the fabric (railgauge/fabric/1) with the rates of the links between "
               "switches (default: the NICs' line rate); in a fabric of launchers/fabric: "
               "$SOFTFABRIC/share/fabric.json");
  table.scalar(
      "--oversubscription", options.oversubscription, chosen_by_run(options::positive_number()),
      "Ratio that the fabric was designed with; a measured one that is a quarter larger is "
      "an error (default: not known)");
  table.scalar("--expect", options.expects_ecn,
               options::choice<bool>({{"ecn", true}, {"pfc", false}}),
               "What has to act first: ecn; or pfc, for fabrics that rely on PFC alone");
}

}  // namespace

void add_congestion_options(OptionTable& table, CongestionOptions& options) {
  add_load(table, options);
  add_observation(table, options);
}

void settle_scenarios(const OptionTable& table, CongestionOptions& options) {
  if (!options.scenario_files.empty() && !table.given("scenario")) options.scenarios.clear();
  if (options.profile == Profile::none) return;
  if (table.given("scenario"))
    throw std::invalid_argument("--profile and --scenario: give one of them");
  options.scenarios = {Scenario::burst,           Scenario::incast, Scenario::convergence,
                       Scenario::permutation,     Scenario::victim, Scenario::classes,
                       Scenario::oversubscription};
  if (!options.break_command.empty()) options.scenarios.push_back(Scenario::failure);
  if (!table.given("qps")) options.queue_pairs = {1, 4, 8, 16, 32};
}

void check_congestion_options(const RunOptions& run, const CongestionOptions& options) {
  if (options.message_bytes > kMostBytes)
    throw std::invalid_argument("--size: expected 1 byte to 1 GiB");
  if (options.time > run.limit / 4)
    throw std::invalid_argument("--step-time may be at most a quarter of -T");
  const bool breaks = std::ranges::count(options.scenarios, Scenario::failure) > 0;
  if (breaks && options.break_command.empty())
    throw std::invalid_argument("--scenario failure: give --break-command");
  if (run.allow_single)
    throw std::invalid_argument("--allow-single: at least two hosts are required");
}

}  // namespace railgauge::runner
