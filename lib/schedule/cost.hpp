#pragma once

#include <cstdint>

#include "schedule/op.hpp"

namespace railgauge::schedule {

struct Schedule;

/// What an algorithm costs, free of hardware: multiply rounds by a latency and blocks by their
/// bytes. "Per rank" is the busiest rank. Bytes of a rank = blocks / schedule.blocks x size.
struct Cost {
  std::uint64_t rounds = 0;           // steps in which anybody sends: the length of the chain
  std::uint64_t messages = 0;         // sends per rank
  std::uint64_t blocks_sent = 0;      // per rank
  std::uint64_t blocks_received = 0;  // per rank
  std::uint64_t blocks_reduced = 0;   // per rank: of those received, how many are combined

  friend bool operator==(const Cost&, const Cost&) = default;
};

/// The cost found by going through every op of every rank. Takes ranks x steps calls of the rule.
[[nodiscard]] Cost counted(const Schedule& schedule);

/// What one rank sends in all, counted from its ops.
[[nodiscard]] Cost counted(const Schedule& schedule, Rank rank);

}  // namespace railgauge::schedule
