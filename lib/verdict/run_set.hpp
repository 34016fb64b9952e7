#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "results/document.hpp"
#include "verdict/reference.hpp"
#include "verdict/run.hpp"

namespace railgauge::verdict {

/// What a port counted while a run went on: after - before, of the counters that both have.
struct CounterDeltas {
  std::string port{};  // "host0 mlx5_0/1"; with its address, if its host has two of that name
  std::string host{};
  std::string address{};
  std::optional<int> rail{};
  std::optional<int> plane{};
  std::map<std::string, std::int64_t> deltas{};
};

/// What is judged, or serves as a baseline: one document's runs, its reachability, its pairs, its
/// soak, or its search for a bad component.
struct RunSet {
  std::string name{};                   // its file
  std::vector<std::string> failures{};  // why the run is incomplete or wrong; empty: it is neither
  std::vector<Run> runs{};  // of a collective: one for each sweep point, named by what varies
  std::vector<CounterDeltas> ports{};  // empty: nothing was counted
  std::optional<results::ReachabilityBody> reachability{};
  std::optional<results::PairsBody> pairs{};
  std::optional<results::SoakBody> soak{};
  std::optional<results::IsolateBody> isolate{};
  std::string unfinished{};  // of a soak: why it did not run to its end; empty: it did
  std::vector<results::Finding> blamed{};  // of a collective: who is slow or loses packets
  bool knows_edges = false;                // whether that was looked for
  bool software = false;                   // a rail of it is a software device
  std::vector<std::string> lost_planes{};  // "host2 mlx5_1/6, rail 1 plane 1: its port is DOWN"

  /// Whether it has a verdict of its own, whatever it is compared with: all but collectives do.
  [[nodiscard]] bool judges_itself() const { return reachability || pairs || soak || isolate; }
};

/// What can be judged: a result of ours, or what others published (also an imported log).
using Input = std::variant<results::Document, Reference>;

/// Throws std::runtime_error, which names the document and the field, if it is neither.
Input input_of(const nlohmann::ordered_json& document, const std::string& name);

/// Hosts and NICs are counted (nic_inventory.hpp), and cycles are repetitions (run.hpp).
RunSet run_set_of(const Input& input, const std::string& name);

}  // namespace railgauge::verdict
