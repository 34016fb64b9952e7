#pragma once

#include <chrono>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "results/measurement.hpp"

namespace railgauge::results {

/// What a model foretold of an algorithm.
struct Prediction {
  std::string algorithm{};
  double time_us = 0;
};

/// One size of a sweep, at one point of its other axes. A placement is empty until it was measured,
/// and stays so if the run ends before that.
struct Row {
  std::uint64_t size_bytes = 0;
  std::uint64_t count = 0;  // elements, as nccl-tests counts them for this collective
  std::string type{};       // "float"
  std::string op{};         // "sum"; "none" if nothing is reduced
  int root = -1;            // -1: the collective has none
  std::string algorithm{};  // "ring"
  std::vector<unsigned> rails{};
  bool own_rails = false;  // each rank drove only those of them that it is placed beside
  unsigned queue_pairs = 1;
  std::uint32_t chunk_bytes = 0;
  unsigned traffic_class = 0;
  std::uint64_t cycle = 0;  // of -N, from 0 on
  std::chrono::system_clock::time_point measured{};
  std::vector<Prediction> predictions{};  // of all candidates, if the algorithm was chosen by them
  std::optional<Measurement> out_of_place{};
  std::optional<Measurement> in_place{};
};

/// "0+1".
[[nodiscard]] std::string joined(const std::vector<unsigned>& rails);
/// The row's, or "own".
[[nodiscard]] std::string rails_of(const Row& row);

void to_json(nlohmann::ordered_json& json, const Prediction& prediction);
void to_json(nlohmann::ordered_json& json, const Row& row);

}  // namespace railgauge::results
