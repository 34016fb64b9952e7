#pragma once

#include <cstdint>
#include <string>

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

// Schedules for simulators of messages and packets, and for GPUs. An empty message has one byte,
// because simulators need some. Throw std::invalid_argument, one sentence, for more messages than
// kMostExported, and for what the other program cannot read.
inline constexpr std::uint64_t kMostExported = 20'000'000;

/// GOAL text (goal.cpp) of LogGOPSim and ATLAHS: every op with a label, and the ops of its rank
/// that it requires. A copy is a calc of no time. Source: spcl/LogGOPSim, txt2bin.re.
[[nodiscard]] std::string as_goal(const Schedule& schedule, std::uint64_t bytes);

/// Connection matrix of htsim (htsim.cpp): one flow for what a rank sends to a peer in a step,
/// ranks as nodes. A trigger begins the flows of a rank's step when all earlier flows of this rank
/// have ended: htsim's flows have one trigger each, so that rounds do not overlap at a rank.
/// Source: Broadcom/csg-htsim, connection_matrix.cpp.
[[nodiscard]] std::string as_htsim(const Schedule& schedule, std::uint64_t bytes);

/// Algorithm file of MSCCL and RCCL (msccl.cpp): blocks as chunks, a thread block for each peer,
/// channel and direction, in place where the collective can be. Sources: microsoft/msccl-tools,
/// ir.py; microsoft/msccl, msccl_interpreter.h, with their limits.
[[nodiscard]] std::string as_msccl(const Schedule& schedule);

}  // namespace railgauge::schedule
