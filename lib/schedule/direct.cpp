#include "schedule/direct.hpp"

#include "schedule/root.hpp"

namespace railgauge::schedule {
namespace {

/// The root has one op for every other rank, each of them one for the root.
void talk(const FromRoot& line, Rank rank, Action root_does, Action others_do, Ops& ops) {
  if (rank != line.root()) return ops.push_back({others_do, line.root(), {rank, 1}});
  ops.push_back(keep(rank, {rank, 1}));
  for (Rank place = 1; place < line.ranks(); ++place) {
    const Rank peer = line.rank(place);
    ops.push_back({root_does, peer, {peer, 1}});
  }
}

}  // namespace

Schedule direct_gather(Rank ranks, Rank root) {
  const FromRoot line(ranks, root);
  const std::uint64_t any = ranks > 1 ? 1 : 0;
  const Cost cost{any, any, any, ranks - 1, 0, any};
  Schedule schedule{"direct", Collective::gather, ranks, ranks, 1, cost, {}, root};
  schedule.rule = [line](Rank rank, Step, Ops& ops) {
    talk(line, rank, Action::receive, Action::send, ops);
  };
  return schedule;
}

Schedule direct_scatter(Rank ranks, Rank root) {
  const FromRoot line(ranks, root);
  const std::uint64_t any = ranks > 1 ? 1 : 0;
  const Cost cost{any, ranks - 1, ranks - 1, any, 0, any};
  Schedule schedule{"direct", Collective::scatter, ranks, ranks, 1, cost, {}, root};
  schedule.rule = [line](Rank rank, Step, Ops& ops) {
    talk(line, rank, Action::send, Action::receive, ops);
  };
  return schedule;
}

}  // namespace railgauge::schedule
