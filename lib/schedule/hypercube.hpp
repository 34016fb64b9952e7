#pragma once

#include <vector>

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

// All-to-all dimension by dimension: ranks are the corners of a hypercube, and in each dimension a
// rank hands its neighbour all blocks that have to get to the other side, whosever they are. For
// any number of ranks the cube is a generalised one (Bhuyan and Agrawal, "Generalized hypercube and
// hyperbus structures for a computer network", IEEE Transactions on Computers 33(4), 1984): as many
// dimensions as the number has prime factors, each as wide as its factor, and everybody in a row of
// a dimension exchanges with everybody else there.
//
// Johnsson and Ho, "Optimum broadcasting and personalized communication in hypercubes", IEEE
// Transactions on Computers 38(9), 1989 (the standard exchange).
//
// With the prime factors f of n:
//
//   rounds and messages: sum of f-1 (lower bound ceil(log2 n); met by powers of two, n-1 for
//   primes) blocks sent: sum of (f-1) n/f (lower bound n-1); for n = 2^q they are qn/2 depth: how
//   many factors there are
//
// Throws std::invalid_argument for no ranks.

[[nodiscard]] Schedule hypercube_all_to_all(Rank ranks);

}  // namespace railgauge::schedule
