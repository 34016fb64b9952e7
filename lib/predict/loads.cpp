#include "predict/loads.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "predict/collisions.hpp"
#include "predict/fair_rates.hpp"

namespace railgauge::predict {

using fabric::Count;
using schedule::Rank;

namespace {

constexpr std::size_t kMostFairFlows = 1'000'000;
constexpr double kManyOps = 2e6;  // of a step

}  // namespace

Loads::Loads(const schedule::Schedule& schedule, const Ranks& ranks, Network& network)
    : schedule_(schedule),
      per_host_(static_cast<Rank>(ranks.per_host)),
      stripes_(static_cast<std::uint32_t>(ranks.nics_each)),
      ends_(endpoints_of(network.fabric(), ranks, network.routing().seed)),
      network_(network),
      sends_(schedule),
      part_(network.bytes_per_us().size()),
      flows_(part_.size()) {}

void Loads::look_at(const Round& round) {
  sent_.clear();
  for (const StepClass& one : round.steps) {
    const bool many = one.ops * schedule_.ranks > kManyOps;
    const bool powers = std::has_single_bit(schedule_.ranks);
    if (many && (look_at_some(one, false) || (powers && look_at_some(one, true)))) continue;
    look_at_all(one);
  }
}

void Loads::look_at_all(const StepClass& one) {
  for (Rank rank = 0; rank < schedule_.ranks; ++rank) {
    for (const Message& message : sends_.of(rank, one.step)) {
      add(rank, message.peer, one, message.part);
    }
  }
}

/// Hierarchical steps may have thousands of ranges in a message. Where the ranks of a few hosts
/// send the same, as seen from each of them, all do; false: they do not, and nothing is added.
/// Peers are some ranks further on, or across a hypercube.
bool Loads::look_at_some(const StepClass& one, bool across) {
  const Rank ranks = schedule_.ranks;
  const Rank hosts = per_host_ == 0 ? 0 : ranks / per_host_;
  if (hosts == 0 || hosts * per_host_ != ranks) return false;
  const std::size_t before = sent_.size();
  for (Rank local = 0; local < per_host_; ++local) {
    std::vector<Message> pattern;  // peers from the rank on
    for (const Rank host : {Rank{0}, Rank{1}, hosts / 3, hosts / 2, hosts - 1}) {
      const Rank rank = host % hosts * per_host_ + local;
      std::vector<Message> seen = sends_.of(rank, one.step);
      for (Message& message : seen)
        message.peer = across ? message.peer ^ rank : (message.peer + ranks - rank) % ranks;
      std::ranges::sort(seen, {}, &Message::peer);
      if (host == 0) pattern = seen;
      const auto same = [](const Message& a, const Message& b) {
        return a.peer == b.peer && std::abs(a.part - b.part) <= 1e-9 * b.part;
      };
      if (!std::ranges::equal(pattern, seen, same)) {
        sent_.resize(before);
        return false;
      }
    }
    for (Rank rank = local; rank < ranks; rank += per_host_) {
      for (const auto& [away, part] : pattern)
        add(rank, across ? rank ^ away : (rank + away) % ranks, one, part);
    }
  }
  return true;
}

void Loads::add(Rank from, Rank to, const StepClass& one, double part) {
  if (from == to) return;
  const auto copies = static_cast<std::uint32_t>(std::max(1.0, one.rounds));
  sent_.push_back({from, to, copies, part * one.times});
}

StepLoad Loads::load() {
  std::ranges::fill(part_, 0.0);
  std::ranges::fill(flows_, 0U);
  StepLoad load;
  load.any = !sent_.empty();
  each_flow([&](const std::vector<std::uint32_t>& links, double part, const Sent& one) {
    load.between_hosts = load.between_hosts || by_nics(one);
    for (const std::uint32_t link : links) {
      load.between_pods = load.between_pods || network_.kind_of(link) == LinkKind::core;
      part_[link] += part;
      flows_[link] += one.copies;
    }
  });
  find_worst(load);
  return load;
}

double Loads::aggregate() {
  Flows flows;
  Flows bare;
  each_flow([&](const std::vector<std::uint32_t>& links, double /*part*/, const Sent& one) {
    if (!by_nics(one) || flows.size() >= kMostFairFlows) return;
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

double Loads::hash_step(double ideal_us_per_byte) const {
  struct Leaf {
    Count flows = 0;
    Count to = 0;
  };
  std::unordered_map<Count, Leaf> leaves;
  bool coincide = true;
  double part = 0;  // of a flow: all alike
  for (const Sent& one : sent_) {
    for (std::uint32_t stripe = 0; stripe < stripes_; ++stripe) {
      const Endpoint from = end_of(one.from, stripe);
      const Endpoint to = end_of(one.to, stripe);
      if (!network_.crosses(from, to)) continue;
      Leaf& leaf = leaves[network_.leaf_of(from)];
      if (leaf.flows > 0 && leaf.to != network_.leaf_of(to)) coincide = false;
      leaf.to = network_.leaf_of(to);
      leaf.flows += Count{one.copies} * network_.flows_of_message();
      part = one.part / one.copies / flows_of(one);
    }
  }
  Count most = 0;
  for (const auto& [number, leaf] : leaves) most = std::max(most, leaf.flows);
  if (most == 0) return 1;
  const double alive = network_.alive_uplinks();
  const double independent = static_cast<double>(leaves.size()) * alive * (coincide ? 1 : 2);
  const double took_us =
      expected_most(fabric::real(most), alive, independent) * part / network_.uplink_bytes_per_us();
  return std::min(1.0, ideal_us_per_byte / took_us);
}

bool Loads::is_end(std::uint32_t link) const {
  const LinkKind kind = network_.kind_of(link);
  return kind == LinkKind::nic || kind == LinkKind::nvlink;
}

bool Loads::by_nics(const Sent& one) const {
  return network_.routing().inside_by_nics || ends_[one.from].host != ends_[one.to].host;
}

Endpoint Loads::end_of(Rank rank, std::uint32_t stripe) const {
  Endpoint end = ends_[rank];
  end.nic = (end.nic + stripe) % static_cast<std::uint32_t>(network_.fabric().nics);
  return end;
}

std::uint32_t Loads::flows_of(const Sent& one) const {
  return by_nics(one) ? network_.flows_of_message() * stripes_ : 1;
}

template <class Take>
void Loads::each_flow(const Take& take) {
  network_.begin_step();
  for (const Sent& one : sent_) {
    const std::uint32_t flows = flows_of(one);
    for (std::uint32_t flow = 0; flow < flows; ++flow) {
      links_.clear();
      const std::uint32_t stripe = flow % stripes_;
      network_.path(end_of(one.from, stripe), end_of(one.to, stripe), flow, links_);
      take(links_, one.part / flows, one);
    }
  }
}

void Loads::find_worst(StepLoad& load) const {
  for (std::uint32_t link = 0; link < part_.size(); ++link) {
    const double took = part_[link] / network_.bytes_per_us()[link];
    if (is_end(link)) load.ideal_us_per_byte = std::max(load.ideal_us_per_byte, took);
    if (took <= load.us_per_byte * (1 + 1e-9)) continue;
    load.us_per_byte = took;
    load.worst = link;
    load.flows_on_worst = flows_[link];
  }
}

}  // namespace railgauge::predict
