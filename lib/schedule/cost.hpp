#pragma once

#include <cstdint>

#include "schedule/op.hpp"

namespace railgauge::schedule {

struct Schedule;

/// What an algorithm costs, free of hardware: multiply rounds by a latency and blocks by their
/// bytes. "Per rank" is the busiest rank. Bytes of a rank = blocks / schedule.blocks x size.
struct Cost {
  std::uint64_t rounds = 0;           // steps in which anybody sends
  std::uint64_t messages = 0;         // sends per rank
  std::uint64_t blocks_sent = 0;      // per rank
  std::uint64_t blocks_received = 0;  // per rank
  std::uint64_t blocks_reduced = 0;   // per rank: of those received, how many are combined
  /// Messages of the longest chain in which each has to wait for the one before: as many latencies
  /// cannot be hidden. As long as the rounds where every round sends what came in the one before,
  /// and 1 where all messages could be sent at once.
  std::uint64_t depth = 0;

  friend bool operator==(const Cost&, const Cost&) = default;
};

/// The cost found by going through every op of every rank. Takes ranks x steps calls of the rule,
/// and 4 bytes for every block of every rank.
[[nodiscard]] Cost counted(const Schedule& schedule);

/// What one rank sends in all, counted from its ops; without the depth, which takes all of them.
[[nodiscard]] Cost counted(const Schedule& schedule, Rank rank);

}  // namespace railgauge::schedule
