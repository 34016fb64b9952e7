#pragma once

#include <chrono>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "results/measurement.hpp"
#include "results/sweep_point.hpp"

namespace railgauge::results {

/// What a model foretold of an algorithm.
struct Prediction {
  std::string algorithm{};
  double time_us = 0;
};

/// One size of a sweep, at one point of its other axes. A measurement is empty until it was made,
/// and stays so if the run ends before that.
struct CollectiveRow {
  std::uint64_t size_bytes = 0;
  std::uint64_t count = 0;  // elements, as nccl-tests counts them for this collective
  std::string type{};       // "float"
  std::string op{};         // "sum"; "none" if nothing is reduced
  std::string algorithm{};  // "ring"
  SweepPoint point{};
  std::uint64_t cycle = 0;  // of -N, from 0 on
  std::chrono::system_clock::time_point measured{};
  std::vector<Prediction> predictions{};  // of all candidates, if the algorithm was chosen by them
  std::optional<Measurement> out_of_place{};
  std::optional<Measurement> in_place{};
};

/// What a run of a collective's benchmark found.
struct CollectiveBody {
  std::string collective{};  // "all_reduce"
  std::vector<CollectiveRow> rows{};
};

void to_json(nlohmann::ordered_json& json, const Prediction& prediction);
void to_json(nlohmann::ordered_json& json, const CollectiveRow& row);

}  // namespace railgauge::results
