#include "experiments/collective/near_rails.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace railgauge::runner {
namespace {

using schedule::Rank;
using PlaneNumbers = std::vector<unsigned>;

PlaneNumbers near_planes(const RankNodes& rank) {
  PlaneNumbers near;
  for (unsigned plane = 0; plane < rank.planes.size(); ++plane) {
    if (rank.is_near(plane)) near.push_back(plane);
  }
  return near;
}

/// Whether a rank near so many planes can have stripes on these only.
bool divides(std::size_t near, std::size_t all) {
  return near > 0 && near < all && all % near == 0;
}

/// Whether the i-th is of share i of so many.
bool shared_by(const PlaneNumbers& near, unsigned shares) {
  for (unsigned i = 0; i < near.size(); ++i) {
    if (near[i] % shares != i % shares) return false;
  }
  return near.size() % shares == 0;
}

}  // namespace

std::vector<RankNodes> nodes_of(std::span<const results::Rank> ranks,
                                std::span<const RailSet> driven) {
  std::vector<RankNodes> nodes;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const results::Rank& rank = ranks[i];
    RankNodes& of_rank = nodes.emplace_back();
    of_rank.host = rank.host;
    of_rank.node = rank.numa_node;
    of_rank.bound = rank.numa_node >= 0 && rank.placement.memory_node == rank.numa_node;
    for (const results::RankRail& nic : rank.rails) {
      if (std::ranges::count(driven[i], static_cast<unsigned>(nic.rail)) > 0)
        of_rank.planes.push_back(nic.numa_node);
    }
  }
  return nodes;
}

bool every_nic_has_a_rank_near(std::span<const RankNodes> nodes) {
  std::map<std::string, std::set<int>> with_ranks;  // by host
  for (const RankNodes& rank : nodes) with_ranks[rank.host].insert(rank.node);
  return std::ranges::all_of(nodes, [&](const RankNodes& rank) {
    return std::ranges::all_of(rank.planes,
                               [&](int node) { return with_ranks.at(rank.host).contains(node); });
  });
}

NearRails::NearRails(std::vector<RankNodes> nodes) : nodes_(std::move(nodes)) {
  const bool bound = std::ranges::all_of(nodes_, &RankNodes::bound);
  if (nodes_.empty() || !bound || !every_nic_has_a_rank_near(nodes_)) return;
  const std::size_t least = near_planes(nodes_.front()).size();
  std::vector<PlaneNumbers> near;
  for (const RankNodes& rank : nodes_) {
    near.push_back(near_planes(rank));
    if (near.back().size() != least || !divides(least, rank.planes.size())) return;
  }
  near_ = std::move(near);
}

executor::FewerRails NearRails::of(Rank rank) const {
  executor::FewerRails fewer{.rails = near_[rank]};
  fewer.peers.reserve(near_.size());
  for (const PlaneNumbers& planes : near_) fewer.peers.push_back(planes == near_[rank]);
  return fewer;
}

unsigned NearRails::threads(unsigned wished) const {
  const auto serve = [this](unsigned shares) {
    return std::ranges::all_of(near_,
                               [&](const PlaneNumbers& near) { return shared_by(near, shares); });
  };
  while (wished > 1 && !serve(wished)) --wished;
  return wished;
}

/// Of a host's NICs in one step. Of a block, a plane of all has one unit.
class NearRails::Load {
 public:
  Load(const NearRails& rails, std::size_t planes) : rails_(rails), units_(planes) {}

  void add(Rank rank, Rank peer, std::uint64_t blocks) {
    const PlaneNumbers& near = rails_.near_[rank];
    if (near != rails_.near_[peer]) {
      for (std::uint64_t& units : units_) units += blocks;
      return;
    }
    for (const unsigned plane : near) units_[plane] += blocks * (units_.size() / near.size());
  }

  [[nodiscard]] bool is_equal() const {
    return std::ranges::adjacent_find(units_, std::ranges::not_equal_to{}) == units_.end();
  }

 private:
  const NearRails& rails_;
  std::vector<std::uint64_t> units_;
};

bool NearRails::load_equally(const schedule::Schedule& schedule, Rank of_host,
                             bool by_memory) const {
  const std::string& host = nodes_[of_host].host;
  std::vector<Rank> ranks;
  for (Rank rank = 0; rank < nodes_.size(); ++rank) {
    if (nodes_[rank].host == host) ranks.push_back(rank);
  }
  for (schedule::Step step = 0; step < schedule.steps; ++step) {
    Load out(*this, nodes_[of_host].planes.size());
    Load in = out;
    for (const Rank rank : ranks) {
      for (const schedule::Op& op : schedule.ops(rank, step)) {
        if (op.action == schedule::Action::copy) continue;
        if (by_memory && nodes_[op.peer].host == host) continue;
        (op.action == schedule::Action::send ? out : in).add(rank, op.peer, op.blocks.count);
      }
    }
    if (!out.is_equal() || !in.is_equal()) return false;
  }
  return true;
}

}  // namespace railgauge::runner
