#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace railgauge::verdict {

/// One figure of a prediction, with its band.
struct PredictedTime {
  std::string algorithm{};
  std::uint64_t size_bytes = 0;
  double time_us = 0;
  double least_us = 0;
  double most_us = 0;
};

/// A document of `railgauge predict` (railgauge/prediction/1), as far as results compare with it.
struct Prediction {
  std::string name{};  ///< its file
  std::string collective{};
  int hosts = 0;
  int ranks = 0;
  unsigned queue_pairs = 1;
  std::vector<PredictedTime> rows{};
};

/// Throws std::runtime_error, which names the field, for any other document, and for a band that
/// does not hold its time.
[[nodiscard]] Prediction prediction_of(const nlohmann::ordered_json& json, const std::string& name);

}  // namespace railgauge::verdict
