#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "schedule/schedule.hpp"

namespace railgauge::measure {

/// How long a schedule takes, by its cost alone (in the manner of Hockney, "The communication
/// challenge for MPP", Parallel Computing 20(3), 1994, with LogP's overhead besides the latency:
/// Culler et al., PPoPP 1993):
///
///   time = latency x depth + overhead x messages + (bytes + fill) x per byte + reduced x per byte
///
/// of the busiest rank. `fill` is what it takes to fill a pipeline: in a schedule whose longest
/// chain of messages exceeds the messages of its busiest rank (a tree, a chain), every other link
/// has one chunk under way before the last link has any.
struct CostModel {
  double latency_us = 0;           // alpha: per message that waits for another
  double overhead_us = 0;          // per message that is sent
  double us_per_byte = 0;          // beta: sent or received
  double us_per_reduced_byte = 0;  // gamma
};

/// What the model multiplies its coefficients with.
struct Work {
  double depth = 0;
  double messages = 0;
  double bytes = 0;
  double reduced_bytes = 0;
};

/// For `bytes` of data per rank, moved in chunks of `chunk_bytes`.
[[nodiscard]] Work work_of(const schedule::Schedule& schedule, std::uint64_t bytes,
                           std::size_t chunk_bytes);

[[nodiscard]] double predict_us(const CostModel& model, const Work& work);

struct Observation {
  Work work;
  double time_us = 0;
};

/// The model whose relative errors have the least sum of squares, with no coefficient below zero.
/// Tries all 16 choices of coefficients that are zero, and so is exact. Without observations, all
/// are zero.
[[nodiscard]] CostModel fit(std::span<const Observation> observations);

/// The greatest relative error of the model: 0.1 means that one prediction is off by 10 %.
[[nodiscard]] double worst_error(const CostModel& model, std::span<const Observation> observations);

}  // namespace railgauge::measure
