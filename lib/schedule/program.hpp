#pragma once

#include <cstdint>
#include <vector>

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

/// An op of a rank, and the earlier ones by their numbers that it has to wait for: who wrote what
/// it reads or writes, and who read what it writes.
struct ProgramOp {
  Op op{};
  Step step = 0;
  std::vector<std::uint32_t> after{};
};

/// All that a rank does in place, step by step: without ops that keep blocks where they are.
[[nodiscard]] std::vector<ProgramOp> program_of(const Schedule& schedule, Rank rank);

/// What a range of blocks has of `bytes`, a rank's data.
[[nodiscard]] std::uint64_t bytes_of(const Schedule& schedule, const BlockRange& blocks,
                                     std::uint64_t bytes);

}  // namespace railgauge::schedule
