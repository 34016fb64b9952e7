#pragma once

#include <string_view>

#include "schedule/op.hpp"

namespace railgauge::schedule {

/// What has to hold when it is over, whatever the algorithm. With n ranks, data are n blocks:
/// - all_reduce: every rank puts in all blocks; every rank ends with all blocks, each combined of
///   all ranks' inputs.
/// - reduce_scatter: every rank puts in all blocks; rank r ends with block r combined of all
/// inputs.
/// - all_gather: rank r puts in block r; every rank ends with every block.
enum class Collective { all_reduce, reduce_scatter, all_gather };

[[nodiscard]] std::string_view name(Collective collective);

/// Bytes that cross each rank's wire, in the best case, per byte of the collective's size: turns
/// algorithm bandwidth into bus bandwidth, which is comparable over rank counts. As in nccl-tests
/// (doc/PERFORMANCE.md): all_reduce 2(n-1)/n, the others (n-1)/n. Zero for one rank.
[[nodiscard]] double bus_factor(Collective collective, Rank ranks);

/// Whether a rank's input holds a block when the collective starts.
[[nodiscard]] bool is_input(Collective collective, Rank rank, Block block);

/// Whether a rank's output has to hold a block when the collective ends.
[[nodiscard]] bool is_output(Collective collective, Rank rank, Block block);

/// Whether the outputs are combinations of all ranks' inputs (else a copy of the one rank's).
[[nodiscard]] bool reduces(Collective collective);

}  // namespace railgauge::schedule
