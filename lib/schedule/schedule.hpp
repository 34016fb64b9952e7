#pragma once

#include <functional>
#include <string>

#include "schedule/collective.hpp"
#include "schedule/cost.hpp"
#include "schedule/op.hpp"

namespace railgauge::schedule {

/// An algorithm for a number of ranks: a pure, closed-form rule that says what one rank does in one
/// step. Nothing is stored per rank, so a schedule of 262,144 ranks costs nothing until somebody
/// asks for a rank's ops.
///
/// Meaning of a step: every send reads its blocks as they are when the step begins; what arrives
/// is in place when the step ends. Within one step no op writes a block that another op of the
/// same rank reads or writes. A send of step s is matched by the op of step s at its peer that
/// takes it; several between the same two ranks match in the order in which they are listed.
///
/// A runner may start an op early, as soon as the earlier ops that touch the same blocks are done;
/// the order of steps is the order of data, not a barrier.
///
/// In place and out of place: blocks that this rank has not yet written are read from its input,
/// all others from its output. In place both are the same memory.
struct Schedule {
  std::string name;  // of the algorithm: "ring"
  Collective collective = Collective::all_reduce;
  Rank ranks = 1;
  Block blocks = 1;  // what a rank's data is cut into
  Step steps = 0;
  Cost cost;  // closed form, as the algorithm's header states it
  /// Appends this rank's ops of one step. Any thread; allocates nothing if `ops` has room.
  std::function<void(Rank rank, Step step, Ops& ops)> rule;

  [[nodiscard]] Ops ops(Rank rank, Step step) const {
    Ops listed;
    rule(rank, step, listed);
    return listed;
  }
};

}  // namespace railgauge::schedule
