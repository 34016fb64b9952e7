#include "predict/profile.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <unordered_map>

#include "predict/collisions.hpp"
#include "predict/fair_rates.hpp"

namespace railgauge::predict {
namespace {

using fabric::Count;
using schedule::Rank;
using schedule::Schedule;
using schedule::Step;

// What is looked at within a second or so.
constexpr double kMostFlows = 3e6;  // paths of all steps and seeds
constexpr double kMostFlowsOfFew =
    60e6;  // paths of kFewSteps, all of which are looked at if possible
constexpr double kFewSteps = 64;
constexpr double kMostFlowsOfStep = 64e6;  // of a single step
constexpr double kMostSamples = 1e6;       // ops of ranks that steps are told apart by
constexpr unsigned kMostSeeds = 20;
constexpr std::size_t kMostFairFlows = 1'000'000;
constexpr double kMostOpsOfPipeline = 100e6;
constexpr std::uint64_t kPrime = 1099511628211ULL;  // FNV-1a

struct StepClass {
  Step step = 0;
  double rounds = 0;  // steps like it
  double times = 0;   // that its load counts: more than that if it stands for larger steps
  double volume = 0;  // of the sampled ranks
};

/// Steps that are looked at as one, because nothing in them waits for each other; or a single one.
struct Round {
  std::vector<StepClass> steps{};
  double rounds = 0;
  double times = 1;
};

/// What one rank sends to one peer in a step.
struct Message {
  Rank peer = 0;
  double part = 0;  // of a rank's data
};

/// The messages of one step of one rank: sends of several ranges to a peer are one.
class Sends {
 public:
  explicit Sends(const Schedule& schedule) : schedule_(schedule) {}

  const std::vector<Message>& of(Rank rank, Step step) {
    ops_.clear();
    messages_.clear();
    schedule_.rule(rank, step, ops_);
    received_ = 0;
    for (const schedule::Op& op : ops_) {
      if (schedule::arrives(op.action)) received_ = (received_ ^ op.peer) * kPrime + 1;
      if (op.action != schedule::Action::send) continue;
      const double part = static_cast<double>(op.blocks.count) / schedule_.blocks;
      if (!messages_.empty() && messages_.back().peer == op.peer) {
        messages_.back().part += part;
      } else {
        messages_.push_back({op.peer, part});
      }
    }
    return messages_;
  }

  /// A hash of whom the rank looked at last receives from; 0: from nobody.
  [[nodiscard]] std::uint64_t received() const { return received_; }

 private:
  const Schedule& schedule_;
  std::uint64_t received_ = 0;
  schedule::Ops ops_{};
  std::vector<Message> messages_{};
};

/// Ranks by which steps are told apart: both ends, the root, and others in between.
std::vector<Rank> samples_of(const Schedule& schedule) {
  const double most = kMostSamples / std::max<double>(1, schedule.steps);
  const auto count = static_cast<Rank>(std::clamp(most, 3.0, 64.0));
  std::vector<Rank> samples{0, schedule.root, schedule.ranks - 1};
  for (Rank at = 1; at < count; ++at) {
    samples.push_back(static_cast<Rank>(std::uint64_t{schedule.ranks} * at / count));
  }
  std::ranges::sort(samples);
  samples.erase(std::unique(samples.begin(), samples.end()), samples.end());
  return samples;
}

struct Classes {
  std::vector<StepClass> all{};
  double messages_per_rank = 0;  // of a step, on average
};

/// Steps in which the sampled ranks send the same to the same peers, and receive from the same. One
/// in which they do neither is like no other.
Classes classes_of(const Schedule& schedule) {
  const std::vector<Rank> samples = samples_of(schedule);
  Sends sends(schedule);
  std::unordered_map<std::uint64_t, std::size_t> known;
  Classes classes;
  double messages = 0;
  for (Step step = 0; step < schedule.steps; ++step) {
    double volume = 0;
    bool active = false;
    std::uint64_t signature = 14695981039346656037ULL;
    for (const Rank rank : samples) {
      for (const Message& message : sends.of(rank, step)) {
        const auto part = static_cast<std::uint64_t>(std::llround(message.part * schedule.blocks));
        signature = (signature ^ (std::uint64_t{message.peer} << 32U | part)) * kPrime;
        volume += message.part;
        ++messages;
      }
      active = active || volume > 0 || sends.received() != 0;
      signature = ((signature ^ rank) * kPrime ^ sends.received()) * kPrime;
    }
    if (!active) signature = (signature ^ step) * kPrime;
    const auto [found, is_new] = known.try_emplace(signature, classes.all.size());
    if (is_new) classes.all.push_back({step, 0, 0, volume});
    ++classes.all[found->second].times;
    ++classes.all[found->second].rounds;
  }
  const auto looks = static_cast<double>(samples.size()) * std::max<double>(1, schedule.steps);
  classes.messages_per_rank = messages / looks;
  return classes;
}

/// Of a pipeline, where a rank may be active in a few steps that no sample sees.
std::vector<StepClass> all_steps(const Schedule& schedule) {
  std::vector<StepClass> steps(schedule.steps);
  for (Step step = 0; step < schedule.steps; ++step) steps[step] = {step, 1, 1, 0};
  return steps;
}

/// Evenly as many of them as there is time for, each for its share of all.
std::vector<StepClass> affordable(std::vector<StepClass> all, double most) {
  const auto keep = static_cast<std::size_t>(std::max(1.0, most));
  if (all.size() <= keep) return all;
  std::vector<StepClass> kept;
  kept.reserve(keep);
  std::size_t next = 0;
  for (std::size_t at = 0; at < keep; ++at) {
    StepClass merged = all[at * all.size() / keep];
    merged.rounds = merged.times = 0;
    for (; next < (at + 1) * all.size() / keep; ++next) {
      merged.rounds += all[next].rounds;
      merged.times += all[next].times * (merged.volume > 0 ? all[next].volume / merged.volume : 1);
    }
    kept.push_back(merged);
  }
  return kept;
}

std::vector<Round> rounds_of(const std::vector<StepClass>& steps, bool overlapped) {
  std::vector<Round> rounds;
  rounds.reserve(steps.size());
  for (const StepClass& one : steps) {
    if (rounds.empty() || !overlapped) rounds.emplace_back();
    rounds.back().rounds += one.rounds;
    rounds.back().steps.push_back(one);
    if (overlapped) continue;
    rounds.back().times = one.times;
    rounds.back().steps.back().times = rounds.back().steps.back().rounds = 1;
  }
  return rounds;
}

std::vector<Endpoint> endpoints_of(const fabric::Fabric& fabric, const Ranks& ranks,
                                   std::uint64_t seed) {
  std::vector<std::uint32_t> hosts(ranks.hosts);
  std::iota(hosts.begin(), hosts.end(), 0U);
  if (ranks.order == Order::random) {
    std::mt19937_64 random(seed);
    std::ranges::shuffle(hosts, random);
  }
  std::vector<Endpoint> ends;
  ends.reserve(ranks.hosts * ranks.per_host);
  for (Count rank = 0; rank < ranks.hosts * ranks.per_host; ++rank) {
    const bool rail = ranks.order == Order::rail;
    const std::uint32_t host = hosts[rail ? rank % ranks.hosts : rank / ranks.per_host];
    const Count local = rail ? rank / ranks.hosts : rank % ranks.per_host;
    ends.push_back({host, static_cast<std::uint32_t>(local % fabric.nics),
                    static_cast<std::uint32_t>(host * ranks.per_host + local)});
  }
  return ends;
}

/// What the links carry in one step, in parts of a rank's data.
struct StepLoad {
  double us_per_byte = 0;
  double ideal_us_per_byte = 0;
  std::uint32_t worst = 0;
  std::uint32_t flows_on_worst = 0;
  bool between_hosts = false;
  bool any = false;
};

/// One message of a step.
struct Sent {
  Rank from = 0;
  Rank to = 0;
  std::uint32_t copies = 1;  // steps that it stands for
  double part = 0;
};

/// The messages of some steps, which are listed once, and what they load a network with.
class Loads {
 public:
  Loads(const Schedule& schedule, const std::vector<Endpoint>& ends, Network& network)
      : schedule_(schedule),
        ends_(ends),
        network_(network),
        sends_(schedule),
        part_(network.bytes_per_us().size()),
        flows_(part_.size()) {}

  void look_at(const Round& round) {
    sent_.clear();
    for (const StepClass& one : round.steps) {
      const auto copies = static_cast<std::uint32_t>(std::max(1.0, one.rounds));
      for (Rank rank = 0; rank < schedule_.ranks; ++rank) {
        for (const Message& message : sends_.of(rank, one.step)) {
          if (message.peer == rank) continue;
          sent_.push_back({rank, message.peer, copies, message.part * one.times});
        }
      }
    }
  }

  StepLoad load() {
    std::ranges::fill(part_, 0.0);
    std::ranges::fill(flows_, 0U);
    StepLoad load;
    load.any = !sent_.empty();
    each_flow([&](const std::vector<std::uint32_t>& links, double part, const Sent& one) {
      const bool outside = ends_[one.from].host != ends_[one.to].host;
      load.between_hosts = load.between_hosts || outside;
      for (const std::uint32_t link : links) {
        part_[link] += part;
        flows_[link] += one.copies;
      }
    });
    find_worst(load);
    return load;
  }

  /// Throughput when the step begins over what it would be with NICs and NVLink only.
  double aggregate() {
    Flows flows;
    Flows bare;
    each_flow([&](const std::vector<std::uint32_t>& links, double /*part*/, const Sent& one) {
      if (ends_[one.from].host == ends_[one.to].host || flows.size() >= kMostFairFlows) return;
      for (const std::uint32_t link : links) {
        flows.links.push_back(link);
        if (is_end(link)) bare.links.push_back(link);
      }
      flows.end_flow();
      bare.end_flow();
    });
    const auto sum = [&](const Flows& of) {
      const auto rates = fair_rates(of, network_.bytes_per_us());
      return std::accumulate(rates.begin(), rates.end(), 0.0);
    };
    return flows.size() == 0 ? 1 : sum(flows) / sum(bare);
  }

  /// The step's efficiency by E[max] of what the leaves send up.
  double hash_step(double ideal_us_per_byte) const {
    struct Leaf {
      Count flows = 0;
      Count to = 0;
    };
    std::unordered_map<Count, Leaf> leaves;
    bool coincide = true;
    double part = 0;  // of a flow: all alike
    for (const Sent& one : sent_) {
      const Endpoint& to = ends_[one.to];
      if (!network_.crosses(ends_[one.from], to)) continue;
      Leaf& leaf = leaves[network_.leaf_of(ends_[one.from])];
      if (leaf.flows > 0 && leaf.to != network_.leaf_of(to)) coincide = false;
      leaf.to = network_.leaf_of(to);
      leaf.flows += Count{one.copies} * network_.flows_of_message();
      part = one.part / one.copies / network_.flows_of_message();
    }
    Count most = 0;
    for (const auto& [number, leaf] : leaves) most = std::max(most, leaf.flows);
    if (most == 0) return 1;
    const double alive = network_.alive_uplinks();
    const double independent = static_cast<double>(leaves.size()) * alive * (coincide ? 1 : 2);
    const double took_us = expected_most(fabric::real(most), alive, independent) * part /
                           network_.uplink_bytes_per_us();
    return std::min(1.0, ideal_us_per_byte / took_us);
  }

 private:
  [[nodiscard]] bool is_end(std::uint32_t link) const {
    const LinkKind kind = network_.kind_of(link);
    return kind == LinkKind::nic || kind == LinkKind::nvlink;
  }

  template <class Take>
  void each_flow(const Take& take) {
    network_.begin_step();
    for (const Sent& one : sent_) {
      const bool outside = ends_[one.from].host != ends_[one.to].host;
      const std::uint32_t pairs = outside ? network_.flows_of_message() : 1;
      for (std::uint32_t pair = 0; pair < pairs; ++pair) {
        links_.clear();
        network_.path(ends_[one.from], ends_[one.to], pair, links_);
        take(links_, one.part / pairs, one);
      }
    }
  }

  void find_worst(StepLoad& load) const {
    for (std::uint32_t link = 0; link < part_.size(); ++link) {
      const double took = part_[link] / network_.bytes_per_us()[link];
      if (is_end(link)) load.ideal_us_per_byte = std::max(load.ideal_us_per_byte, took);
      if (took <= load.us_per_byte * (1 + 1e-9)) continue;
      load.us_per_byte = took;
      load.worst = link;
      load.flows_on_worst = flows_[link];
    }
  }

  const Schedule& schedule_;
  const std::vector<Endpoint>& ends_;
  Network& network_;
  Sends sends_;
  std::vector<Sent> sent_{};
  std::vector<double> part_;
  std::vector<std::uint32_t> flows_;
  std::vector<std::uint32_t> links_{};
};

std::string why(const Network& network, const StepLoad& load, const Round& round) {
  std::string text =
      network.name_of(load.worst) + " carries " + std::to_string(load.flows_on_worst) +
      " flow(s) in " +
      (round.steps.size() > 1 ? "all steps, which overlap, "
                              : "step " + std::to_string(round.steps.front().step) + ", ");
  return text + fabric::number(load.us_per_byte / load.ideal_us_per_byte, 3) +
         " times what the busiest NIC or NVLink port needs";
}

/// Rounds that wait for each other take a latency each; further messages only have to be posted.
double latency_of(const Schedule& schedule, double of_all_rounds, const Latencies& latencies) {
  const auto depth = static_cast<double>(schedule.cost.depth);
  const auto rounds = static_cast<double>(std::max<std::uint64_t>(1, schedule.cost.rounds));
  const double posted = static_cast<double>(schedule.cost.messages) - depth;
  return of_all_rounds * std::min(1.0, depth / rounds) + std::max(0.0, posted) * latencies.post_us;
}

/// The schedule's cost and a fabric that is used as by scattered ranks.
Profile counted(const Schedule& schedule, const fabric::Fabric& fabric, const Latencies& latencies,
                const Routing& routing) {
  Profile profile;
  const double sent =
      static_cast<double>(std::max(schedule.cost.blocks_sent, schedule.cost.blocks_received));
  const double payload = nic_gbps(fabric) * 125 * fabric::payload_fraction(routing.mtu_bytes);
  const double slower = std::max(1.0, oversubscription(fabric) * crossing_fraction(fabric));
  profile.steps = schedule.steps;
  profile.latency_us = latency_of(
      schedule, static_cast<double>(schedule.cost.rounds) * latencies.network_us, latencies);
  profile.ideal_us_per_byte = sent / schedule.blocks / payload;
  profile.us_per_byte = profile.worst_us_per_byte = profile.ideal_us_per_byte * slower;
  profile.aggregate = 1 / slower;
  profile.of_kind[static_cast<std::size_t>(slower > 1 ? LinkKind::leaf : LinkKind::nic)] =
      profile.us_per_byte;
  profile.worst = "links were not added up: a step has too many messages";
  profile.counted_only = true;
  return profile;
}

/// A round, with all hash seeds.
void add_round(const Round& one, Loads& loads, Network& network, const Latencies& latencies,
               std::vector<double>& of_seeds, Profile& profile, StepLoad& first) {
  for (std::size_t seed = 0; seed < of_seeds.size(); ++seed) {
    network.reseed(seed);
    const StepLoad load = loads.load();
    if (!load.any) return;
    of_seeds[seed] += one.times * load.us_per_byte;
    if (seed > 0) continue;
    first = load;
    profile.latency_us +=
        one.rounds * (load.between_hosts ? latencies.network_us : latencies.inside_us);
    profile.ideal_us_per_byte += one.times * load.ideal_us_per_byte;
    profile.of_kind[static_cast<std::size_t>(network.kind_of(load.worst))] +=
        one.times * load.us_per_byte;
  }
}

}  // namespace

Profile profile_of(const Schedule& schedule, const fabric::Fabric& fabric, const Ranks& ranks,
                   const Routing& routing, const Latencies& latencies) {
  Classes classes = classes_of(schedule);
  // A pipeline: its busiest rank has fewer messages than a chain of them is long.
  const bool pipelined = schedule.cost.depth > schedule.cost.messages;
  const bool overlapped = pipelined || schedule.cost.depth == 1;
  Network network(fabric, ranks.per_host, routing);
  const bool hashed = routing.balance == Balance::ecmp && fabric.spines > 0;
  const double ops = static_cast<double>(schedule.steps) * schedule.ranks;
  if (pipelined && ops > kMostOpsOfPipeline) return counted(schedule, fabric, latencies, routing);
  const double flows =
      std::max(1.0, classes.messages_per_rank) * schedule.ranks * network.flows_of_message();
  if (flows > kMostFlowsOfStep) return counted(schedule, fabric, latencies, routing);
  Profile profile;
  profile.steps = schedule.steps;
  profile.classes = pipelined ? schedule.steps : classes.all.size();
  const double most = std::max(kMostFlows / flows, std::min(kFewSteps, kMostFlowsOfFew / flows));
  const auto steps = pipelined ? all_steps(schedule) : affordable(std::move(classes.all), most);
  profile.looked_at = steps.size();
  const double seeds =
      kMostFlows / flows / static_cast<double>(std::max<std::size_t>(1, steps.size()));
  profile.seeds = hashed ? static_cast<unsigned>(std::clamp<double>(seeds, 1, kMostSeeds)) : 1;
  std::vector<double> of_seeds(profile.seeds);
  const auto ends = endpoints_of(fabric, ranks, routing.seed);
  Loads loads(schedule, ends, network);
  double longest = 0;
  StepLoad worst_load;
  Round worst;
  for (Round& one : rounds_of(steps, overlapped)) {
    loads.look_at(one);
    StepLoad load;
    add_round(one, loads, network, latencies, of_seeds, profile, load);
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
  profile.latency_us = latency_of(schedule, profile.latency_us, latencies);
  if (!pipelined) return profile;
  profile.latency_us = static_cast<double>(schedule.cost.depth) * latencies.network_us;
  profile.fill_links = static_cast<double>(schedule.cost.depth - schedule.cost.messages);
  return profile;
}

}  // namespace railgauge::predict
