#include "schedule/pairwise.hpp"

#include <stdexcept>

namespace railgauge::schedule {

Schedule pairwise_all_to_all(Rank ranks) {
  if (ranks == 0) throw std::invalid_argument("an all-to-all needs at least one rank");
  const std::uint64_t others = ranks - 1;
  const Cost cost{others, others, others, others, 0, ranks > 1 ? 1U : 0U};
  return {"pairwise",
          Collective::all_to_all,
          ranks,
          ranks,
          ranks,
          cost,
          [ranks](Rank rank, Step step, Ops& ops) {
            const Rank distance = (step + 1) % ranks;
            if (distance == 0) {
              return ops.push_back({Action::copy, rank, {rank, 1}, ranks + rank});
            }
            const Rank to = (rank + distance) % ranks;
            const Rank from = (rank + ranks - distance) % ranks;
            ops.push_back({Action::send, to, {ranks + to, 1}});
            ops.push_back({Action::receive, from, {from, 1}});
          }};
}

Schedule pairwise_all_to_all_v(Rank ranks) {
  Schedule schedule = pairwise_all_to_all(ranks);
  schedule.collective = Collective::all_to_all_v;
  return schedule;
}

}  // namespace railgauge::schedule
