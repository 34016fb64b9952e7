#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "schedule/op.hpp"

namespace railgauge::schedule {

struct Schedule;

/// What has to hold when it is over, whatever the algorithm. A rank's data are B blocks; B is the
/// number of ranks n where nothing else is said.
/// - all_reduce: every rank contributes all B; every rank ends with all, each combined of all
///   ranks'.
/// - reduce: the same, but only the root ends with them.
/// - reduce_scatter: every rank contributes all; rank r ends with block r combined of all ranks'.
/// - broadcast: the root contributes all B; every rank ends with all.
/// - all_gather: rank r contributes block r; every rank ends with every block.
/// - gather: the same, but only the root ends with them.
/// - scatter: the root contributes all; rank r ends with block r.
/// - all_to_all: every rank contributes all; rank r ends with block s being block r of rank s.
/// - all_to_all_v: the same, with blocks of different sizes.
/// - sendrecv: every rank contributes all B; rank r ends with those of rank r-1.
/// - barrier: no rank's single block is complete before every rank has started; it is combined of
///   all ranks', of some more than once. It stays the last one.
///
/// A new one is an enumerator here, a row in collective.cpp, an algorithm or more in algorithms.cpp
/// and a name in results-schema/railgauge-schedule-1.schema.json.
enum class Collective : std::uint8_t {
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

/// What the outputs are made of.
enum class Combining : std::uint8_t {
  none,        // each is a copy of one rank's input
  once,        // every rank's input, once
  repeatedly,  // every rank's input, some more than once: the operator has to be idempotent
};

/// Which of the blocks a rank contributes, or ends with.
enum class Holding : std::uint8_t {
  all,
  own,   // block r of rank r
  root,  // all of them at the root, and none elsewhere
};

/// Where an output block comes from, if nothing is combined.
enum class Movement : std::uint8_t {
  in_place,    // the block of the same number, of whoever contributes it
  transposed,  // block r of rank s becomes block s of rank r
  to_next,     // from the rank before
};

/// What a size in bytes means.
enum class SizeRule : std::uint8_t {
  vector,    // of one vector, which may be cut anywhere
  per_rank,  // of equal blocks, one for each rank
  uneven,    // of a block for each rank, of any sizes
  single,    // of one block
  none,      // nothing: there are no data, only arrivals
};

/// Bytes that cross each rank's wire, in the best case, per byte of the size; n ranks.
enum class BusFactor : std::uint8_t {
  none,    // 0
  one,     // 1
  others,  // (n-1)/n
  twice,   // 2(n-1)/n
};

/// All that sets one collective apart from the others. There is a row for each in collective.cpp,
/// and no other place that tells them apart.
struct CollectiveTraits {
  Collective collective;
  std::string_view name;  // as in the names of nccl-tests' programs: "all_reduce", "alltoall"
  Combining combining;
  Holding input;
  Holding output;
  Movement movement;
  SizeRule size;
  BusFactor bus_factor;
};

[[nodiscard]] const CollectiveTraits& traits(Collective collective);
/// All rows, in the order of the enumerators.
[[nodiscard]] std::span<const CollectiveTraits> collectives();

[[nodiscard]] std::string_view name(Collective collective);
[[nodiscard]] std::optional<Collective> collective(std::string_view name);

/// Turns algorithm bandwidth into bus bandwidth, which is comparable over rank counts. As in
/// nccl-tests (doc/PERFORMANCE.md). Zero for one rank, and for a barrier, which moves nothing.
[[nodiscard]] double bus_factor(Collective collective, Rank ranks);

/// Whether the outputs are combinations of all ranks' inputs (else a copy of one rank's).
[[nodiscard]] bool reduces(Collective collective);

/// Whether one rank, the root, plays another part than all others.
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
