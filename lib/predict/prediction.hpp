#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "predict/cost_model.hpp"
#include "predict/profile.hpp"
#include "schedule/collective.hpp"

namespace railgauge::predict {

/// What static hashes and pause frames may add: measured in packet simulations.
inline constexpr double kPfcBand = 1.15;

/// What is to be predicted, and where each input comes from.
struct Scenario {
  fabric::Fabric fabric{};
  std::string fabric_source = "sized from the options";
  schedule::Collective collective = schedule::Collective::all_reduce;
  std::vector<std::string> algorithms{};  ///< empty: all
  std::vector<std::uint64_t> sizes{};
  Ranks ranks{};
  Routing routing{};
  Latencies latencies{};
  bool latencies_given = false;
  bool nvlink_given = false;
  double slowdown = 1;                        ///< of moving bytes, over what the line rate allows
  double reduce_us_per_byte = 0;              ///< of the busiest rank; in series with the rest
  std::optional<double> calibration_error{};  ///< relative; empty: nothing was calibrated
  double chunk_bytes = 128 * 1024;            ///< of a pipeline
};

/// The hosts of a run that was measured.
struct MeasuredHosts {
  fabric::Count hosts = 1;
  fabric::Count per_host = 1;  ///< ranks
  fabric::Count nics = 1;      ///< of a host
  fabric::Count rails = 1;     ///< that a rank's messages are striped over
  bool own_rails = false;      ///< ranks of a host share no NIC
  double nic_gbps = 400;
  bool inside_by_nics = false;  ///< ranks of a host exchange data by NICs, too
};

/// As if all of them were on one leaf.
[[nodiscard]] Scenario on_one_leaf(const MeasuredHosts& measured, schedule::Collective collective);

/// What a size costs, but for what a WAN adds.
[[nodiscard]] Work work_of(const Scenario& scenario, const Profile& profile, double bytes);

/// One figure with all that it needs.
struct Prediction {
  std::string algorithm{};
  std::uint64_t bytes = 0;
  double time_us = 0;
  double least_us = 0;  ///< the band
  double most_us = 0;
  double busbw = 0;  ///< GB/s
  double aggregate = 1;
  double step = 1;
  std::string dominates{};
  std::string tier{};
};

struct Forecast {
  Scenario scenario{};
  double bound_busbw = 0;  ///< GB/s: that no algorithm exceeds on this fabric
  std::string bound_by{};  ///< "NIC" or "NVLink"
  std::vector<Prediction> rows{};
  std::vector<std::string> remarks{};  ///< worst links, refusals, sources: a sentence each
};

/// Throws std::invalid_argument for more hosts than the fabric has, more failures than spines, or
/// algorithms that there are not.
[[nodiscard]] Forecast predicted(const Scenario& scenario);

/// The bus bandwidth that NICs and NVLink allow, GB/s: hierarchical data movement, each NIC with
/// its share. `nvlink` says which of the two it is.
[[nodiscard]] double bound_of(const Scenario& scenario, bool& nvlink);

[[nodiscard]] std::string as_text(const Forecast& forecast);
[[nodiscard]] nlohmann::ordered_json as_json(const Forecast& forecast);
/// A line for each row, with all that a sweep may vary.
[[nodiscard]] std::string as_csv(const std::vector<Forecast>& forecasts);

/// Forecasts that differ in one input.
struct Sweep {
  std::string axis{};  ///< "hosts"
  std::vector<std::string> values{};
  std::vector<Forecast> forecasts{};  ///< of each value
};

/// One table, and the remarks that all share.
[[nodiscard]] std::string as_text(const Sweep& sweep);
/// A picture: bus bandwidth of every algorithm and size by the axis, as an SVG document.
[[nodiscard]] std::string as_svg(const Sweep& sweep);
/// A document for each value, on a line of its own.
[[nodiscard]] std::string as_json_lines(const Sweep& sweep);

}  // namespace railgauge::predict
