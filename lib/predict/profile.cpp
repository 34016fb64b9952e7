#include "predict/profile.hpp"

#include <algorithm>
#include <numeric>

#include "predict/loads.hpp"
#include "predict/steps.hpp"

namespace railgauge::predict {
namespace {

using schedule::Schedule;

// What is looked at within a second or so.
constexpr double kMostFlows = 3e6;  // paths of all steps and seeds
constexpr double kMostFlowsOfFew =
    60e6;  // paths of kFewSteps, all of which are looked at if possible
constexpr double kFewSteps = 64;
constexpr double kMostFlowsOfStep = 64e6;  // of a single step
constexpr unsigned kMostSeeds = 20;
constexpr double kMostOpsOfPipeline = 100e6;

std::string why(const Network& network, const StepLoad& load, const Round& round) {
  std::string text =
      network.name_of(load.worst) + " carries " + std::to_string(load.flows_on_worst) +
      " flow(s) in " +
      (round.steps.size() > 1 ? "all steps, which overlap, "
                              : "step " + std::to_string(round.steps.front().step) + ", ");
  return text + fabric::number(load.us_per_byte / load.ideal_us_per_byte, 3) +
         " times what the busiest NIC or NVLink port needs";
}

/// Rounds that wait for each other are steps in sequence; further messages only have to be posted.
void wait_in_sequence(const Schedule& schedule, Waits& waits) {
  const auto depth = static_cast<double>(schedule.cost.depth);
  const auto rounds = static_cast<double>(std::max<std::uint64_t>(1, schedule.cost.rounds));
  const double share = std::min(1.0, depth / rounds);
  waits.between_hosts *= share;
  waits.inside *= share;
  waits.wan_us *= share;
}

/// Of steps that overlap only the longest chain of messages waits; in a pipeline one of them is
/// between pods.
void wait_in_chain(const Schedule& schedule, bool pipelined, double wan_us, Waits& waits) {
  const auto depth = static_cast<double>(schedule.cost.depth);
  (waits.between_hosts > 0 ? waits.between_hosts : waits.inside) = depth;
  if (waits.wan_us > 0) waits.wan_us = pipelined ? wan_us : depth * wan_us;
}

double posts_of(const Schedule& schedule) {
  return std::max(
      0.0, static_cast<double>(schedule.cost.messages) - static_cast<double>(schedule.cost.depth));
}

double reduced_by(const Schedule& schedule) {
  return static_cast<double>(schedule.cost.blocks_reduced) / schedule.blocks;
}

/// The schedule's cost and a fabric that is used as by scattered ranks.
Profile counted(const Schedule& schedule, const fabric::Fabric& fabric, const Ranks& ranks,
                const Routing& routing) {
  Profile profile;
  const double sent =
      static_cast<double>(std::max(schedule.cost.blocks_sent, schedule.cost.blocks_received));
  const double payload = nic_bytes_per_us(fabric, routing.mtu_bytes);
  const double slower = std::max(1.0, oversubscription(fabric) * crossing_fraction(fabric));
  profile.steps = schedule.steps;
  profile.reduced = reduced_by(schedule);
  profile.waits.between_hosts = static_cast<double>(schedule.cost.rounds);
  wait_in_sequence(schedule, profile.waits);
  profile.waits.posts = posts_of(schedule);
  profile.ideal_us_per_byte = sent / schedule.blocks / payload / fabric::real(ranks.nics_each);
  profile.us_per_byte = profile.worst_us_per_byte = profile.ideal_us_per_byte * slower;
  profile.aggregate = 1 / slower;
  profile.of_kind[static_cast<std::size_t>(slower > 1 ? LinkKind::leaf : LinkKind::nic)] =
      profile.us_per_byte;
  profile.worst = "links were not added up: a step has too many messages";
  profile.counted_only = true;
  return profile;
}

/// A round, with all hash seeds.
void add_round(const Round& one, Loads& loads, Network& network, std::vector<double>& of_seeds,
               Profile& profile, StepLoad& first) {
  for (std::size_t seed = 0; seed < of_seeds.size(); ++seed) {
    network.reseed(seed);
    const StepLoad load = loads.load();
    if (!load.any) return;
    of_seeds[seed] += one.times * load.us_per_byte;
    if (seed > 0) continue;
    first = load;
    Waits& waits = profile.waits;
    (load.between_hosts ? waits.between_hosts : waits.inside) += one.rounds;
    if (load.between_pods) waits.wan_us += one.rounds * network.fabric().core_delay_us;
    profile.ideal_us_per_byte += one.times * load.ideal_us_per_byte;
    profile.of_kind[static_cast<std::size_t>(network.kind_of(load.worst))] +=
        one.times * load.us_per_byte;
  }
}

}  // namespace

double latency_us(const Waits& waits, const Latencies& latencies) {
  return waits.between_hosts * latencies.network_us + waits.inside * latencies.inside_us +
         waits.posts * latencies.post_us + waits.wan_us;
}

Profile profile_of(const Schedule& schedule, const fabric::Fabric& fabric, const Ranks& ranks,
                   const Routing& routing) {
  Classes classes = classes_of(schedule);
  // A pipeline: its busiest rank has fewer messages than a chain of them is long.
  const bool pipelined = schedule.cost.depth > schedule.cost.messages;
  // Even the busiest rank has nothing to send in some rounds: chunks of the next ones fill them.
  const bool overlapped = schedule.cost.rounds > schedule.cost.messages || schedule.cost.depth == 1;
  Network network(fabric, ranks.per_host, routing);
  const bool hashed = hashes(routing.balance) && fabric.spines > 0;
  const double ops = static_cast<double>(schedule.steps) * schedule.ranks;
  if (pipelined && ops > kMostOpsOfPipeline) return counted(schedule, fabric, ranks, routing);
  const double flows = std::max(1.0, classes.messages_per_rank) * schedule.ranks *
                       network.flows_of_message() * fabric::real(ranks.nics_each);
  if (flows > kMostFlowsOfStep) return counted(schedule, fabric, ranks, routing);
  Profile profile;
  profile.steps = schedule.steps;
  profile.reduced = reduced_by(schedule);
  profile.classes = pipelined ? schedule.steps : classes.all.size();
  const double most = std::max(kMostFlows / flows, std::min(kFewSteps, kMostFlowsOfFew / flows));
  const auto steps = pipelined ? all_steps(schedule) : affordable(std::move(classes.all), most);
  profile.looked_at = steps.size();
  const double seeds =
      kMostFlows / flows / static_cast<double>(std::max<std::size_t>(1, steps.size()));
  profile.seeds = hashed ? static_cast<unsigned>(std::clamp<double>(seeds, 1, kMostSeeds)) : 1;
  std::vector<double> of_seeds(profile.seeds);
  Loads loads(schedule, ranks, network);
  double longest = 0;
  StepLoad worst_load;
  Round worst;
  for (Round& one : rounds_of(steps, overlapped)) {
    loads.look_at(one);
    StepLoad load;
    add_round(one, loads, network, of_seeds, profile, load);
    if (one.times * load.us_per_byte <= longest) continue;
    longest = one.times * load.us_per_byte;
    worst = std::move(one);
    worst_load = load;
  }
  if (longest > 0) {
    loads.look_at(worst);
    network.reseed(0);
    profile.worst = why(network, worst_load, worst);
    profile.aggregate = loads.aggregate();
    if (hashed) profile.hash_step = loads.hash_step(worst_load.ideal_us_per_byte);
  }
  profile.us_per_byte = std::accumulate(of_seeds.begin(), of_seeds.end(), 0.0) / profile.seeds;
  profile.worst_us_per_byte = *std::ranges::max_element(of_seeds);
  profile.waits.posts = posts_of(schedule);
  if (overlapped) {
    wait_in_chain(schedule, pipelined, fabric.core_delay_us, profile.waits);
  } else {
    wait_in_sequence(schedule, profile.waits);
  }
  if (pipelined) {
    profile.fill_links = static_cast<double>(schedule.cost.depth - schedule.cost.messages);
  }
  return profile;
}

}  // namespace railgauge::predict
