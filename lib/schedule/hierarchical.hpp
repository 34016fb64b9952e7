#pragma once

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

// Inside the hosts, then along each rail between them, then inside the hosts again: rank l of every
// host is on rail l, and talks to other hosts over that rail alone. With g ranks on each of N
// hosts, n = gN:
//
//   all-reduce      circulant reduce-scatter inside; `along` on 1/g of the data; circulant
//                   all-gather inside. Over a rail 2(N-1)/N of 1/g of the data (ring, circulant)
//   reduce-scatter  inside, of N blocks for everybody; then `along`: N-1 blocks over a rail
//   all-gather      `along`: N-1 blocks over a rail; then inside, N blocks from everybody
//   all-to-all      inside, to the rank that is on the destination's rail; then along the rail,
//                   straight to where it belongs: g(N-1) blocks in N-1 messages over a rail, as few
//                   bytes as pairwise, in messages g times as long. Depth 2.
//
// The first three are composed of the algorithms for one level: what is written here is only who is
// in which group with which blocks. Rounds and blocks are the sums of theirs (circulant.hpp,
// ring.hpp), messages and depth that at the most. Cho, Finkler, Kung and Hunter,
// "BlueConnect: decomposing all-reduce for deep learning on heterogeneous network hierarchy",
// MLSys 2019.
//
// The all-to-all has blocks that only pass through, and is written out: g+N-2 rounds of rotation,
// N(g-1) messages of a block inside and N-1 of g blocks outside. It is what NCCL calls PXN:
// https://developer.nvidia.com/blog/
// doubling-all2all-performance-with-nvidia-collective-communication-library-2-12/, 2022.
//
// Throw std::invalid_argument unless every host has `per_host` ranks.

enum class Along { circulant, ring };  // which algorithm runs on the rails

[[nodiscard]] Schedule hierarchical_all_reduce(const Team& team, Along along);
[[nodiscard]] Schedule hierarchical_reduce_scatter(const Team& team, Along along);
[[nodiscard]] Schedule hierarchical_all_gather(const Team& team, Along along);
[[nodiscard]] Schedule hierarchical_all_to_all(const Team& team);

}  // namespace railgauge::schedule
