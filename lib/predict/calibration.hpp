#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "predict/prediction.hpp"

namespace railgauge::predict {

struct MeasuredTime {
  std::string algorithm{};
  std::uint64_t bytes = 0;
  double time_us = 0;
};

/// Times of one collective by the same ranks. The scenario has their algorithms and sizes.
struct MeasuredRun {
  Scenario scenario{};
  std::vector<MeasuredTime> times{};
};

/// A measured time beside what the fit says of it.
struct Residual {
  std::string algorithm{};
  fabric::Count ranks = 0;
  std::uint64_t bytes = 0;
  double measured_us = 0;
  double fitted_us = 0;
  double left_out_us = 0;  ///< by a fit without any row of its size
};

/// Relative errors: 0.1 is 10 %.
struct Errors {
  double median = 0;
  double p90 = 0;
  double worst = 0;
};

/// The coefficients of the rows of one's own hosts:
/// time = alpha x steps + post x further messages + slowdown x (bytes over line rate) + gamma x
/// bytes reduced.
struct Calibration {
  Latencies latencies{};          ///< alpha and post
  double slowdown = 1;            ///< of moving bytes, over what the line rate allows
  double reduce_us_per_byte = 0;  ///< gamma
  bool reduction_known = false;   ///< the rows tell gamma from beta
  std::vector<Residual> residuals{};
  Errors fitted{};
  Errors size_left_out{};
  std::optional<Errors> ranks_left_out{};  ///< empty: all rows are of the same number of ranks
};

/// Least squares of the relative errors. Inside a host a step and NVLink keep their ratios to those
/// of the network. Throws std::invalid_argument, one sentence, for too few rows or sizes.
[[nodiscard]] Calibration calibrated(const std::vector<MeasuredRun>& runs);

/// Why nothing can be extrapolated from it: its p90 error exceeds the limit where a size or a
/// number of ranks is left out. Empty: it can.
[[nodiscard]] std::string why_unfit(const Calibration& calibration);

/// Predictions of the scenario then use the coefficients, and their band is the worst error.
void apply(const Calibration& calibration, Scenario& scenario);

/// What of the scenario the calibrating rows did not reach, in a sentence; empty: nothing.
[[nodiscard]] std::string beyond(const Calibration& calibration, const Scenario& scenario);

[[nodiscard]] std::string as_text(const Calibration& calibration);
[[nodiscard]] nlohmann::ordered_json as_json(const Calibration& calibration);

}  // namespace railgauge::predict
