#include "schedule/algorithms.hpp"

#include "schedule/numbering.hpp"

namespace railgauge::schedule {

// All-to-all by pairwise rotation: in round k every rank sends to rank + k and takes from rank - k,
// what the one has for the other and nothing else. Every round is a permutation, so no two messages
// compete for a link.
//
// Bruck, Ho, Kipnis, Upfal and Weathersby, "Efficient algorithms for all-to-all communications in
// multiport message-passing systems", IEEE Transactions on Parallel and Distributed Systems 8(11),
// 1997, the index operation with radix n; Thakur, Rabenseifner and Gropp 2005, section 6.
//
//   n-1 rounds, n-1 messages, n-1 blocks of n sent per rank (lower bound n-1 blocks); depth 1:
//   no message waits for another, except in its rank's queue.
//
// It also serves blocks of different sizes, as the only all-to-all: to forward them, others would
// need room whose size they cannot know.

Schedule pairwise_all_to_all(Rank ranks) {
  at_least_one(ranks);
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
