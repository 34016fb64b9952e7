#pragma once

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

// All-to-all by pairwise rotation: in round k every rank sends to rank + k and takes from rank - k,
// what the one has for the other and nothing else. In every round the pattern is a permutation, so
// that no link is asked for by two.
//
// Bruck, Ho, Kipnis, Upfal and Weathersby, "Efficient algorithms for all-to-all communications in
// multiport message-passing systems", IEEE Transactions on Parallel and Distributed Systems 8(11),
// 1997, the index operation with radix n; Thakur, Rabenseifner and Gropp 2005, section 6.
//
//   n-1 rounds, n-1 messages, n-1 blocks of n sent per rank (lower bound n-1 blocks); depth 1:
//   nothing waits for anything, but in the queue of its rank.
//
// Both throw std::invalid_argument for no ranks.

[[nodiscard]] Schedule pairwise_all_to_all(Rank ranks);

// The same for blocks of different sizes. Of all all-to-alls this alone serves them: what is passed
// on by others would need room that nobody knows the size of.

[[nodiscard]] Schedule pairwise_all_to_all_v(Rank ranks);

}  // namespace railgauge::schedule
