#pragma once

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

// All-to-all in as few rounds as there can be: a block that has to go j ranks on goes 2^k on in
// every round k whose bit is set in j, together with all others that do, in one message. It is
// packed before, because such blocks lie apart.
//
// Bruck, Ho, Kipnis, Upfal and Weathersby, "Efficient algorithms for all-to-all communications in
// multiport message-passing systems", IEEE Transactions on Parallel and Distributed Systems 8(11),
// 1997. Without its rotations: every block is copied from where it is to where it is next wanted.
//
// With q = ceil(log2 n):
//
//   q rounds (lower bound q), q messages; in round k as many blocks as there are j < n with bit k
//   set, at most n/2: about qn/2 blocks in all (lower bound n-1); every block is copied once a
//   round that it moves in, and once at the end depth max(q-1, 1 + ceil(log2 r)), r = n - 2^(q-1):
//   what the last round moves may be older
//
// Throws std::invalid_argument for no ranks.

[[nodiscard]] Schedule bruck_all_to_all(Rank ranks);

}  // namespace railgauge::schedule
