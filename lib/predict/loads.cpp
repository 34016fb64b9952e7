#include "predict/loads.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "predict/collisions.hpp"
#include "predict/fair_rates.hpp"

namespace railgauge::predict {

using fabric::Count;
using schedule::Rank;

namespace {

constexpr std::size_t kMostFairFlows = 1'000'000;

}  // namespace

Loads::Loads(const schedule::Schedule& schedule, const Ranks& ranks, Network& network)
    : schedule_(schedule),
      stripes_(static_cast<std::uint32_t>(ranks.nics_each)),
      ends_(endpoints_of(network.fabric(), ranks, network.routing().seed)),
      network_(network),
      sends_(schedule),
      part_(network.bytes_per_us().size()),
      flows_(part_.size()) {}

void Loads::look_at(const Round& round) {
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

StepLoad Loads::load() {
  std::ranges::fill(part_, 0.0);
  std::ranges::fill(flows_, 0U);
  StepLoad load;
  load.any = !sent_.empty();
  each_flow([&](const std::vector<std::uint32_t>& links, double part, const Sent& one) {
    load.between_hosts = load.between_hosts || by_nics(one);
    for (const std::uint32_t link : links) {
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
