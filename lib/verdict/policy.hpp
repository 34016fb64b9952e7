#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "finding/outcome.hpp"
#include "telemetry/meaning.hpp"
#include "verdict/run_set.hpp"
#include "verdict/terms.hpp"

namespace railgauge::verdict {

/// One demand on the runs that it is about; what is empty is not asked about, or not demanded.
struct Rule {
  std::string says{};
  std::string collective{};
  std::optional<int> nodes{};
  std::optional<int> nics_per_node{};
  std::optional<double> line_rate_gigabits_per_second{};
  std::optional<std::uint64_t> from_bytes{};
  std::optional<std::uint64_t> to_bytes{};
  std::optional<double> min_line_rate_percent{};
  std::optional<double> max_p999_over_p50{};
  std::optional<double> max_p999_ms{};
  std::optional<double> max_dip_percent{};
  std::optional<double> max_rail_imbalance_percent{};
};

/// What a site accepts, as results-schema/railgauge-policy-1.schema.json describes it.
struct Policy {
  std::string name{};
  std::string description{};
  std::vector<Rule> rules{};
  bool hardware_only = false;  // rules have no answer for software devices
  /// By what it counts, how much a port may of a million packets. What is not listed may be any.
  std::map<telemetry::Counted, double> max_per_million_packets{};
  std::vector<std::string> counters_that_stay{};  // by the driver's names, whatever they count
  std::optional<CountedSizes> counted{};          // "counts"; empty: all sizes decide
  /// From where on findings decide, of the run itself and of comparisons, and which are waived.
  finding::Policy decides{};
};

/// Throws json::FieldError, which names the field by its path, for a document that is not
/// of the schema; a field that the schema does not have is refused too, since a misspelt demand
/// would be none, and so are sizes among which none would count.
Policy policy_of(const nlohmann::ordered_json& json);

/// What the policies say of the sizes that count. Throws std::invalid_argument if two differ.
[[nodiscard]] std::optional<CountedSizes> counted_of(const std::vector<Policy>& policies);

}  // namespace railgauge::verdict
