#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "doctor/examination.hpp"
#include "results/document.hpp"
#include "verdict/keyed.hpp"
#include "verdict/reference.hpp"
#include "verdict/run.hpp"

namespace railgauge::verdict {

/// What a port counted while a run went on: after - before, of the counters that both have.
struct CounterDeltas {
  std::string port{};  // "host0 mlx5_0/1"; with its address, if its host has two of that name
  finding::Location where{};
  std::map<std::string, std::int64_t> deltas{};
};

/// What is judged, or serves as a baseline: what one document has to compare.
struct RunSet {
  std::string name{};          // its file
  std::string kind{};          // "collective", "pairs", "doctor"; empty: it is no result of ours
  std::vector<Run> runs{};     // of a collective: one for each sweep point, named by what varies
  std::vector<Keyed> keyed{};  // of other kinds
  std::vector<CounterDeltas> ports{};  // empty: nothing was counted
  /// What the run says of the fabric, of its own end, and how much of its plan it tested. Empty: it
  /// does not say, as a log of another benchmark.
  std::optional<finding::Report> report{};
  bool software = false;                    // a rail of it is a software device
  std::optional<doctor::Document> hosts{};  // of an examination of hosts
};

/// What can be judged: a result of ours, what others published (also an imported log), or an
/// examination of hosts.
using Input = std::variant<results::Document, Reference, doctor::Document>;

/// Throws std::runtime_error, which names the document and the field, if it is none of these.
Input input_of(const nlohmann::ordered_json& document, const std::string& name);

/// How the benchmark of a log ended, as findings and coverage; empty: the log does not say.
std::optional<finding::Report> report_of(const Ending& ending);

/// Hosts and NICs are counted (results/nic_use.hpp), and cycles are repetitions (run.hpp). Throws
/// std::runtime_error, which names the document, where its figures contradict each other.
RunSet run_set_of(const Input& input, const std::string& name);

}  // namespace railgauge::verdict
