#include "softfabric/balancer.hpp"

#include <algorithm>

#include "softfabric/flow_hash.hpp"

namespace railgauge::softfabric {
namespace {

constexpr std::size_t kFlowlets = 4096;

Index by_weight(const NextHops& hops, std::uint64_t hash) {
  const auto& sums = hops.cumulative_mbit_per_s;
  const auto found = std::ranges::upper_bound(sums, hash % sums.back());
  return hops.wires[static_cast<std::size_t>(found - sums.begin())];
}

}  // namespace

Balancer::Balancer(Balance balance, Time flowlet_gap, std::uint64_t seed)
    : balance_(balance),
      flowlet_gap_(flowlet_gap),
      seed_(seed),
      turn_(seed),
      random_(seed),
      flowlets_(balance == Balance::flowlet ? kFlowlets : 0) {}

Index Balancer::choose(const NextHops& hops, const Headers& headers, Time now,
                       std::span<const std::uint64_t> queued_bytes) {
  if (hops.wires.size() == 1) return hops.wires[0];
  switch (balance_) {
    case Balance::ecmp:
    case Balance::wcmp: return by_flow(hops, headers);
    case Balance::ecmp_queue_pair: return by_hash(hops, queue_pair_hash(headers, seed_));
    case Balance::flowlet: return by_flowlet(hops, headers, now);
    case Balance::spray: return in_turn(hops);
    case Balance::adaptive: return shortest(hops, queued_bytes);
  }
  return hops.wires[0];
}

void Balancer::set_seed(std::uint64_t seed) {
  seed_ = seed;
  std::ranges::fill(flowlets_, Flowlet{});
}

Index Balancer::by_flow(const NextHops& hops, const Headers& headers) const {
  const std::uint64_t hash = flow_hash(headers, seed_);
  return balance_ == Balance::wcmp ? by_weight(hops, hash) : by_hash(hops, hash);
}

Index Balancer::by_hash(const NextHops& hops, std::uint64_t hash) const {
  return hops.wires[hash % hops.wires.size()];
}

Index Balancer::by_flowlet(const NextHops& hops, const Headers& headers, Time now) {
  Flowlet& flowlet = flowlets_[flow_hash(headers, seed_) % kFlowlets];
  const bool known = std::ranges::find(hops.wires, flowlet.wire) != hops.wires.end();
  if (!known || now - flowlet.last > flowlet_gap_) {
    flowlet.wire = by_hash(hops, random_.number());
  }
  flowlet.last = now;
  return flowlet.wire;
}

/// In turn for the switch as a whole would be in step with whatever else takes turns, so every
/// round is in an order of its own.
Index Balancer::in_turn(const NextHops& hops) {
  const std::uint64_t count = hops.wires.size();
  const std::uint64_t turn = turn_++;
  return hops.wires[(turn + mixed(seed_ + turn / count)) % count];
}

/// Of several with the same queue, by turns, so that idle ports share.
Index Balancer::shortest(const NextHops& hops, std::span<const std::uint64_t> queued_bytes) {
  const std::size_t count = hops.wires.size();
  const std::size_t first = turn_++ % count;
  Index best = hops.wires[first];
  for (std::size_t step = 1; step < count; ++step) {
    const Index wire = hops.wires[(first + step) % count];
    if (queued_bytes[wire] < queued_bytes[best]) best = wire;
  }
  return best;
}

}  // namespace railgauge::softfabric
