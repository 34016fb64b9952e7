#include "schedule/algorithms.hpp"

#include <stdexcept>
#include <string>

#include "schedule/composition.hpp"

namespace railgauge::schedule {

// Inside the hosts, then along each rail between them, then inside the hosts again: rank l of every
// host is on rail l, and talks to other hosts over that rail alone. With g ranks on each of N
// hosts, n = gN:
//
//   all-reduce      circulant reduce-scatter inside; `along` on 1/g of the data; circulant
//                   all-gather inside. Over a rail 2(N-1)/N of 1/g of the data (ring, circulant)
//   reduce-scatter  inside, of N blocks for every rank; then `along`: N-1 blocks over a rail
//   all-gather      `along`: N-1 blocks over a rail; then inside, N blocks from every rank
//   all-to-all      inside, to the rank that is on the destination's rail; then along the rail,
//                   straight to where it belongs: g(N-1) blocks in N-1 messages over a rail, as few
//                   bytes as pairwise, in messages g times as long. Depth 2.
//
// The first three are composed of the algorithms for one level: all that is written here is who is
// in which group with which blocks. Rounds and blocks are the sums of theirs (circulant.cpp,
// ring.cpp); messages and depth are at most the sums. Cho, Finkler, Kung and Hunter,
// "BlueConnect: decomposing all-reduce for deep learning on heterogeneous network hierarchy",
// MLSys 2019.
//
// The all-to-all has blocks that only pass through, and is written out: g+N-2 rounds of rotation,
// N(g-1) messages of a block inside and N-1 of g blocks outside. It is what NCCL calls PXN:
// https://developer.nvidia.com/blog/
// doubling-all2all-performance-with-nvidia-collective-communication-library-2-12/, 2022.

namespace {

/// The ranks as a grid: a row is a host, a column a rail.
struct Grid {
  Rank hosts;
  Rank per_host;

  explicit Grid(const Team& team)
      : hosts(team.per_host == 0 ? 0 : team.ranks / team.per_host), per_host(team.per_host) {
    if (hosts > 0 && hosts * per_host == team.ranks) return;
    throw std::invalid_argument(
        per_host == 0
            ? "hierarchical algorithms need the same number of ranks on every host, numbered "
              "host by host"
            : "hierarchical algorithms need the same number of ranks on every host: " +
                  std::to_string(team.ranks) + " ranks cannot be split into hosts of " +
                  std::to_string(per_host));
  }

  [[nodiscard]] Rank host(Rank rank) const { return rank / per_host; }
  [[nodiscard]] Rank rail(Rank rank) const { return rank % per_host; }
  [[nodiscard]] Rank rank(Rank host, Rank rail) const { return host * per_host + rail; }
};

Part inside(const Grid& grid, Schedule schedule, const Spread& spread) {
  return {std::move(schedule), [grid, spread](Rank rank) {
            const Group host{grid.rank(grid.host(rank), 0), 1};
            return SubgroupRank{host, grid.rail(rank), spread};
          }};
}

/// `each_rail`: the spread of rail 0; how much further on that of the next begins.
Part along_rails(const Grid& grid, Schedule schedule, const Spread& each_rail, Block further) {
  return {std::move(schedule), [grid, each_rail, further](Rank rank) {
            const Group rail{grid.rail(rank), grid.per_host};
            Spread spread = each_rail;
            spread.first += grid.rail(rank) * further;
            return SubgroupRank{rail, grid.host(rank), spread};
          }};
}

std::string named(Along along) {
  return along == Along::ring ? "hierarchical-ring" : "hierarchical";
}

Schedule whole(const Team& team, Collective collective, Block blocks, Along along) {
  return {named(along), collective, team.ranks, blocks, 0, {}, {}};
}

/// All-to-all: what a rank holds for the hosts of one rail, block for block, is for one of its own
/// host to take there. Scratch, in order of destination hosts and of ranks of this host: what this
/// rank has to take along its rail.
class Relay {
 public:
  explicit Relay(const Grid& grid) : grid_(grid) {}

  void step(Rank rank, Step step, Ops& ops) const {
    if (step == 0) return bring_own(rank, ops);
    if (step < grid_.per_host) return hand_over(rank, step, ops);
    take_along(rank, step - grid_.per_host + 1, ops);
  }

 private:
  [[nodiscard]] Rank ranks() const { return grid_.hosts * grid_.per_host; }
  [[nodiscard]] Block input(Rank destination) const { return ranks() + destination; }
  [[nodiscard]] Block relayed(Rank host, Rank from) const {
    return 2 * ranks() + grid_.rank(host, from);
  }

  void bring_own(Rank rank, Ops& ops) const {
    const Rank rail = grid_.rail(rank);
    for (Rank host = 0; host < grid_.hosts; ++host) {
      const Block to = host == grid_.host(rank) ? rank : relayed(host, rail);
      ops.push_back({Action::copy, rank, {to, 1}, input(grid_.rank(host, rail))});
    }
  }

  void hand_over(Rank rank, Rank distance, Ops& ops) const {
    const Rank here = grid_.host(rank);
    const Rank rail = grid_.rail(rank);
    const Rank to = (rail + distance) % grid_.per_host;
    const Rank from = (rail + grid_.per_host - distance) % grid_.per_host;
    for (Rank host = 0; host < grid_.hosts; ++host) {
      const Block into = host == here ? grid_.rank(here, from) : relayed(host, from);
      ops.push_back({Action::send, grid_.rank(here, to), {input(grid_.rank(host, to)), 1}});
      ops.push_back({Action::receive, grid_.rank(here, from), {into, 1}});
    }
  }

  void take_along(Rank rank, Rank distance, Ops& ops) const {
    const Rank rail = grid_.rail(rank);
    const Rank to = (grid_.host(rank) + distance) % grid_.hosts;
    const Rank from = (grid_.host(rank) + grid_.hosts - distance) % grid_.hosts;
    const Block count = grid_.per_host;
    ops.push_back({Action::send, grid_.rank(to, rail), {relayed(to, 0), count}});
    ops.push_back({Action::receive, grid_.rank(from, rail), {grid_.rank(from, 0), count}});
  }

  Grid grid_;
};

Cost cost_of_relay(const Grid& grid) {
  const std::uint64_t inside = grid.per_host - 1;
  const std::uint64_t outside = grid.hosts - 1;
  const std::uint64_t blocks = inside * grid.hosts + outside * grid.per_host;
  return {inside + outside,
          inside * grid.hosts + outside,
          blocks,
          blocks,
          0,
          (inside > 0 ? 1U : 0U) + (outside > 0 ? 1U : 0U)};
}

}  // namespace

Schedule hierarchical_all_reduce(const Team& team, Along along) {
  const Grid grid(team);
  const bool ring = along == Along::ring;
  Schedule rails = ring ? ring_all_reduce(grid.hosts) : circulant_all_reduce(grid.hosts);
  const Block share = rails.blocks;
  const Spread shares{0, share, share};
  return compose(whole(team, Collective::all_reduce, grid.per_host * share, along),
                 {inside(grid, circulant_reduce_scatter(grid.per_host), shares),
                  along_rails(grid, std::move(rails), {}, share),
                  inside(grid, circulant_all_gather(grid.per_host), shares)});
}

Schedule hierarchical_reduce_scatter(const Team& team, Along along) {
  const Grid grid(team);
  const bool ring = along == Along::ring;
  Schedule rails = ring ? ring_reduce_scatter(grid.hosts) : circulant_reduce_scatter(grid.hosts);
  const Spread one_a_host{0, 1, 1, grid.hosts, grid.per_host};
  return compose(whole(team, Collective::reduce_scatter, team.ranks, along),
                 {inside(grid, circulant_reduce_scatter(grid.per_host), one_a_host),
                  along_rails(grid, std::move(rails), {0, grid.per_host}, 1)});
}

Schedule hierarchical_all_gather(const Team& team, Along along) {
  const Grid grid(team);
  const bool ring = along == Along::ring;
  Schedule rails = ring ? ring_all_gather(grid.hosts) : circulant_all_gather(grid.hosts);
  const Spread one_a_host{0, 1, 1, grid.hosts, grid.per_host};
  return compose(whole(team, Collective::all_gather, team.ranks, along),
                 {along_rails(grid, std::move(rails), {0, grid.per_host}, 1),
                  inside(grid, circulant_all_gather(grid.per_host), one_a_host)});
}

Schedule hierarchical_all_to_all(const Team& team) {
  const Grid grid(team);
  if (grid.per_host == 1) {
    Schedule schedule = pairwise_all_to_all(team.ranks);
    schedule.name = "hierarchical";
    return schedule;
  }
  Schedule schedule = whole(team, Collective::all_to_all, team.ranks, Along::circulant);
  schedule.steps = grid.per_host + grid.hosts - 1;
  schedule.cost = cost_of_relay(grid);
  schedule.scratch = team.ranks;
  schedule.rule = [relay = Relay(grid)](Rank rank, Step step, Ops& ops) {
    relay.step(rank, step, ops);
  };
  return schedule;
}

}  // namespace railgauge::schedule
