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

/// How the benchmark of a log ended, the worst last. A run that was cut is unfinished, or its log.
enum class Ended : std::uint8_t { unknown, complete, cut, failed, wrong_data };

/// "complete"; empty of what is none.
[[nodiscard]] std::string_view word(Ended ended);

struct Ending {
  Ended how = Ended::unknown;
  std::vector<std::string> reasons{};  // "line 17: Test NCCL failure ..."
  std::size_t skipped_lines = 0;       // rows that were not believed
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
  std::optional<Ending> ending{};  // of the log that it was imported from
  std::vector<Run> runs{};
};

void to_json(nlohmann::ordered_json& json, const Reference& reference);

/// Reads what to_json() writes. Every run is given the line rate of the system. Throws
/// std::runtime_error, which names the field, for a document that is not of the schema.
Reference reference_of(const nlohmann::ordered_json& json);

/// The document as text, ending in a line feed.
std::string json_text(const Reference& reference);

}  // namespace railgauge::verdict
