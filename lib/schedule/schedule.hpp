#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "schedule/collective.hpp"
#include "schedule/op.hpp"

namespace railgauge::schedule {

/// Who takes part.
struct Team {
  Rank ranks = 1;
  Rank root = 0;      // of the collectives that have one
  Rank per_host = 1;  // ranks of one host, which are numbered one after the other
};

/// What an algorithm costs, free of hardware: multiply rounds by a latency and blocks by their
/// bytes. "Per rank" is the busiest rank. Bytes of a rank = blocks / schedule.blocks x size.
struct Cost {
  std::uint64_t rounds = 0;           // steps in which any rank sends
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

/// An algorithm for a number of ranks: a pure, closed-form rule that says what one rank does in one
/// step. Nothing is stored per rank, so a schedule of 262,144 ranks costs nothing until a rank's
/// ops are asked for.
///
/// Blocks are numbered: first those of the output, which are those of the input as well unless the
/// buffers are separate (see collective.hpp), then those of a separate input, then scratch.
///
/// Meaning of a step: every op reads its blocks as they are when the step begins; what arrives or
/// is copied is in place when the step ends. Within one step no op writes a block that another op
/// of the same rank reads or writes. A send of step s is matched by the op of step s at its peer
/// that takes it; several of one channel between the same two ranks match in the order in which
/// they are listed.
///
/// An executor may start an op early, as soon as the earlier ops that touch the same blocks are
/// done; the order of steps is the order of data, not a barrier.
///
/// In place and out of place: output blocks that this rank has not yet written are read from its
/// input, all others from its output. In place both are the same memory.
struct Schedule {
  std::string name;  // of the algorithm: "ring"
  Collective collective = Collective::all_reduce;
  Rank ranks = 1;
  Block blocks = 1;  // what a rank's data is cut into
  Step steps = 0;
  Cost cost;  // closed form, as the head of the algorithm's page states it
  /// Appends this rank's ops of one step. Any thread; allocates nothing if `ops` has room.
  std::function<void(Rank rank, Step step, Ops& ops)> rule;
  Rank root = 0;
  Block scratch = 0;  // further blocks, for what only passes through: as large as the others

  [[nodiscard]] Block first_scratch() const {
    return separate_buffers(collective) ? 2 * blocks : blocks;
  }
  [[nodiscard]] Block all_blocks() const { return first_scratch() + scratch; }
  [[nodiscard]] Ops ops(Rank rank, Step step) const {
    Ops listed;
    rule(rank, step, listed);
    return listed;
  }
};

}  // namespace railgauge::schedule
