#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "measure/statistics.hpp"

namespace railgauge::results {

/// What was measured in one placement of the buffers (in place or out of place).
struct Placement {
  measure::Summary time{};                // over iterations, each the slowest rank's
  double algbw_gigabytes_per_second = 0;  // 1e9 bytes, at time.p50_us
  double busbw_gigabytes_per_second = 0;
  std::optional<std::uint64_t> wrong{};  // elements over all ranks; empty: not checked
};

/// What a model foretold of an algorithm.
struct Prediction {
  std::string algorithm{};
  double time_us = 0;
};

/// One size of a sweep. A placement is empty until it was measured, and stays so if the run ends
/// before that.
struct Row {
  std::uint64_t size_bytes = 0;
  std::uint64_t count = 0;                // elements, as nccl-tests counts them for this collective
  std::string type{};                     // "float"
  std::string op{};                       // "sum"; "none" if nothing is reduced
  int root = -1;                          // -1: the collective has none
  std::string algorithm{};                // "ring"
  std::vector<Prediction> predictions{};  // of all candidates, if the algorithm was chosen by them
  std::optional<Placement> out_of_place{};
  std::optional<Placement> in_place{};
};

void to_json(nlohmann::ordered_json& json, const Placement& placement);
void to_json(nlohmann::ordered_json& json, const Prediction& prediction);
void to_json(nlohmann::ordered_json& json, const Row& row);

}  // namespace railgauge::results
