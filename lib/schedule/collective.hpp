#pragma once

#include <optional>
#include <string_view>

#include "schedule/op.hpp"

namespace railgauge::schedule {

struct Schedule;

/// What has to hold when it is over, whatever the algorithm. A rank's data are B blocks, n where
/// nothing else is said, n the number of ranks:
/// - all_reduce: every rank puts in all B; every rank ends with all, each combined of all ranks'.
/// - reduce: the same, but only the root ends with them.
/// - reduce_scatter: every rank puts in all; rank r ends with block r combined of all ranks'.
/// - broadcast: the root puts in all B; every rank ends with all.
/// - all_gather: rank r puts in block r; every rank ends with every block.
/// - gather: the same, but only the root ends with them.
/// - scatter: the root puts in all; rank r ends with block r.
/// - all_to_all: every rank puts in all; rank r ends with block s being block r of rank s.
/// - all_to_all_v: the same, with blocks of different sizes.
/// - sendrecv: every rank puts in all B; rank r ends with those of rank r-1.
/// - barrier: nobody's one block is complete before everybody has started; combined of all ranks',
///   and of some more than once.
enum class Collective {
  all_reduce,
  reduce,
  reduce_scatter,
  broadcast,
  all_gather,
  gather,
  scatter,
  all_to_all,
  all_to_all_v,
  sendrecv,
  barrier
};

/// As in the names of nccl-tests' programs: "all_reduce", "alltoall".
[[nodiscard]] std::string_view name(Collective collective);
[[nodiscard]] std::optional<Collective> collective(std::string_view name);

/// Bytes that cross each rank's wire, in the best case, per byte of the collective's size: turns
/// algorithm bandwidth into bus bandwidth, which is comparable over rank counts. As in nccl-tests
/// (doc/PERFORMANCE.md): all_reduce 2(n-1)/n; broadcast, reduce and sendrecv 1; the others (n-1)/n.
/// Zero for one rank, and for a barrier, which moves nothing.
[[nodiscard]] double bus_factor(Collective collective, Rank ranks);

/// Whether the outputs are combinations of all ranks' inputs (else a copy of one rank's).
[[nodiscard]] bool reduces(Collective collective);

/// Whether one rank, the root, has another part than all others.
[[nodiscard]] bool rooted(Collective collective);

/// Whether output blocks are other blocks than those of the input, which nobody may write. A rank
/// then has B blocks of output, numbered from 0, and after them B of input. It cannot be run in
/// place. Otherwise block b of the output is block b of the input, and there are B.
[[nodiscard]] bool separate_buffers(Collective collective);

/// Whether a rank's input holds a block when the collective starts.
[[nodiscard]] bool is_input(const Schedule& schedule, Rank rank, Block block);

/// Whether a rank's output has to hold a block when the collective ends.
[[nodiscard]] bool is_output(const Schedule& schedule, Rank rank, Block block);

/// A block of a rank.
struct Place {
  Rank rank = 0;
  Block block = 0;
};

/// Which input an output block is a copy of. Of collectives that do not reduce.
[[nodiscard]] Place source_of(const Schedule& schedule, Rank rank, Block block);

}  // namespace railgauge::schedule
