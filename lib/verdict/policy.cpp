#include "verdict/policy.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "results/json_fields.hpp"

namespace railgauge::verdict {
namespace {

using results::expect_schema;
using results::Json;
using results::maybe;
using results::text_or_none;
using results::wanted;

void refuse_others(const Json& object, std::initializer_list<const char*> known) {
  for (const auto& [name, value] : object.items()) {
    if (std::ranges::find(known, name) == known.end()) {
      throw std::runtime_error("there is no field '" + name + "'");
    }
  }
}

Rule rule_of(const Json& json) {
  refuse_others(json,
                {"says", "source", "collective", "nodes", "nics_per_node",
                 "line_rate_gigabits_per_second", "from_bytes", "to_bytes", "min_line_rate_percent",
                 "max_p999_over_p50", "max_dip_percent", "max_rail_imbalance_percent"});
  Rule rule;
  rule.says = text_or_none(json, "says");
  rule.collective = text_or_none(json, "collective");
  rule.nodes = maybe<int>(json, "nodes");
  rule.nics_per_node = maybe<int>(json, "nics_per_node");
  rule.line_rate_gigabits_per_second = maybe<double>(json, "line_rate_gigabits_per_second");
  rule.from_bytes = maybe<std::uint64_t>(json, "from_bytes");
  rule.to_bytes = maybe<std::uint64_t>(json, "to_bytes");
  rule.min_line_rate_percent = maybe<double>(json, "min_line_rate_percent");
  rule.max_p999_over_p50 = maybe<double>(json, "max_p999_over_p50");
  rule.max_dip_percent = maybe<double>(json, "max_dip_percent");
  rule.max_rail_imbalance_percent = maybe<double>(json, "max_rail_imbalance_percent");
  if (!rule.min_line_rate_percent && !rule.max_p999_over_p50 && !rule.max_dip_percent &&
      !rule.max_rail_imbalance_percent) {
    throw std::runtime_error("the rule '" + rule.says + "' demands nothing");
  }
  return rule;
}

}  // namespace

Policy policy_of(const Json& json) {
  expect_schema(json, {"railgauge/policy/1"});
  refuse_others(json,
                {"schema", "name", "description", "rules", "counters_that_stay", "all_planes"});
  Policy policy;
  policy.name = wanted<std::string>(json, "name");
  policy.description = text_or_none(json, "description");
  for (const Json& rule : wanted<std::vector<Json>>(json, "rules")) {
    policy.rules.push_back(rule_of(rule));
  }
  policy.counters_that_stay = maybe<std::vector<std::string>>(json, "counters_that_stay")
                                  .value_or(std::vector<std::string>{});
  policy.all_planes = maybe<bool>(json, "all_planes").value_or(false);
  return policy;
}

}  // namespace railgauge::verdict
