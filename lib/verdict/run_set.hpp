#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "verdict/run.hpp"

namespace railgauge::verdict {

/// What a port counted while a run went on: after - before, of the counters that both have.
struct CounterDeltas {
  std::string port{};  // "host0 mlx5_0/1"; with its address, if its host has two of that name
  std::string host{};
  std::string address{};
  std::optional<int> rail{};
  std::map<std::string, std::int64_t> deltas{};
};

/// What is judged, or serves as a baseline: one document's runs.
struct RunSet {
  std::string name{};                   // its file
  std::vector<std::string> failures{};  // why it is no whole, right run; empty: it is
  std::vector<Run> runs{};              // of a result: one for each setting, named by what varies
  std::vector<CounterDeltas> ports{};   // empty: nothing was counted
};

/// Reads a result (railgauge/result/1) or a reference (railgauge/reference/1: an imported log).
/// Throws std::runtime_error, which names the field, if it is neither.
///
/// Of a result: hosts and NICs are counted (nic_inventory.hpp), and cycles are repetitions
/// (repetitions.hpp). Fields that older documents lack are not needed.
RunSet run_set_of(const nlohmann::ordered_json& document, const std::string& name);

}  // namespace railgauge::verdict
