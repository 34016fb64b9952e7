#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "verdict/run.hpp"

namespace railgauge::verdict {

/// Where figures come from. Empty: not known.
struct Source {
  std::string url{};
  std::string title{};
  std::string date{};
};

/// Figures that somebody published, or that were imported from a log, as
/// results-schema/railgauge-reference-1.schema.json describes them. Empty texts are null there.
struct Reference {
  std::string name{};
  std::string system{};
  std::string accelerator{};
  std::string nic{};
  std::optional<int> nics_per_node{};
  std::optional<double> line_rate_gigabits_per_second{};  // of one NIC, one direction
  std::string transport{};                                // "RoCEv2", "InfiniBand"
  Source source{};
  std::vector<std::string> caveats{};
  std::vector<Run> runs{};
};

void to_json(nlohmann::ordered_json& json, const Reference& reference);

/// Reads what to_json() writes. Every run is given the line rate of the system. Throws
/// std::runtime_error, which names the field, for a document that is not of the schema.
Reference reference_of(const nlohmann::ordered_json& json);

/// The document as text, ending in a line feed.
std::string json_text(const Reference& reference);

}  // namespace railgauge::verdict
