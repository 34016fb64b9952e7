#pragma once

#include <span>

namespace railgauge::predict {

/// How long a collective takes, by what is linear in it (in the manner of Hockney, "The
/// communication challenge for MPP", Parallel Computing 20(3), 1994, with LogP's overhead besides
/// the latency: Culler et al., PPoPP 1993):
///
///   time = step x steps + post x posts + slowdown x moving + reduced x per byte
struct CostModel {
  double step_us = 0;              // alpha: of a step that waits for another
  double post_us = 0;              // of a further message
  double slowdown = 0;             // beta: of moving bytes, over what line rate allows
  double us_per_reduced_byte = 0;  // gamma
};

/// What the model multiplies its coefficients with.
struct Work {
  double steps = 0;
  double posts = 0;
  double moved_us = 0;  // at line rate
  double reduced_bytes = 0;
};

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

}  // namespace railgauge::predict
