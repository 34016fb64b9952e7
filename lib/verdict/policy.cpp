#include "verdict/policy.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "results/json_fields.hpp"

namespace railgauge::verdict {
namespace {

using results::element_of;
using results::expect_schema;
using results::Json;
using results::maybe;
using results::maybe_positive;
using results::refuse;
using results::text_or_none;
using results::wanted;
using results::within;

void refuse_others(const Json& object, std::initializer_list<const char*> known) {
  for (const auto& [name, value] : object.items()) {
    if (std::ranges::find(known, name) == known.end()) {
      throw results::PlacedError("/" + name, "there is no field '" + name + "'");
    }
  }
}

Rule rule_of(const Json& json) {
  refuse_others(
      json, {"says", "source", "collective", "nodes", "nics_per_node",
             "line_rate_gigabits_per_second", "from_bytes", "to_bytes", "min_line_rate_percent",
             "max_p999_over_p50", "max_p999_ms", "max_dip_percent", "max_rail_imbalance_percent"});
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
  rule.max_p999_ms = maybe<double>(json, "max_p999_ms");
  rule.max_dip_percent = maybe<double>(json, "max_dip_percent");
  rule.max_rail_imbalance_percent = maybe<double>(json, "max_rail_imbalance_percent");
  if (!rule.min_line_rate_percent && !rule.max_p999_over_p50 && !rule.max_p999_ms &&
      !rule.max_dip_percent && !rule.max_rail_imbalance_percent) {
    throw std::runtime_error("the rule '" + rule.says + "' demands nothing");
  }
  return rule;
}

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 50U;  // no sweep goes there

SizeRange range_of(const Json& json, SizeRange range) {
  refuse_others(json, {"from_bytes", "to_bytes"});
  if (json.empty()) throw std::runtime_error("it names neither from_bytes nor to_bytes");
  range.from_bytes = maybe<std::uint64_t>(json, "from_bytes").value_or(range.from_bytes);
  range.to_bytes = maybe_positive<std::uint64_t>(json, "to_bytes").value_or(range.to_bytes);
  if (range.from_bytes > range.to_bytes) {
    throw std::runtime_error("no size is from " + std::to_string(range.from_bytes) + " to " +
                             std::to_string(range.to_bytes) + " bytes");
  }
  return range;
}

SizeRange latency_of(const Json& json) {
  const SizeRange range = range_of(json, CountedSizes{}.latency);
  if (range.to_bytes > kSmallBytes) {
    refuse("to_bytes", "is " + std::to_string(range.to_bytes) +
                           ": latency is that of sizes up to " + std::to_string(kSmallBytes) +
                           " bytes");
  }
  return range;
}

SizeRange bandwidth_of(const Json& json) {
  const SizeRange range = range_of(json, {0, UINT64_MAX});
  if (range.from_bytes > kMostBytes) {
    refuse("from_bytes", "is " + std::to_string(range.from_bytes) + ": no benchmark goes there");
  }
  return range;
}

/// What `read` makes of a field that has to be an object, if it is there.
template <class Read>
auto object_of(const Json& json, const std::string& field, const Read& read) {
  return within("/" + field, field, [&] {
    if (!json.at(field).is_object()) throw std::runtime_error("it is no object");
    return read(json.at(field));
  });
}

CountedSizes counted_of(const Json& json) {
  refuse_others(json, {"latency", "bandwidth"});
  if (json.empty()) throw std::runtime_error("it names neither latency nor bandwidth");
  CountedSizes counted;
  if (json.contains("latency")) counted.latency = object_of(json, "latency", latency_of);
  if (json.contains("bandwidth")) counted.bandwidth = object_of(json, "bandwidth", bandwidth_of);
  return counted;
}

/// "loss, exhausted, corruption, …": what a limit may be about.
std::string classes_in_words() {
  std::string text;
  for (std::size_t i = 0; i < telemetry::kCountedClasses; ++i) {
    const auto counted = static_cast<telemetry::Counted>(i);
    if (counted == telemetry::Counted::traffic) continue;
    text += text.empty() ? "" : ", ";
    text += telemetry::word(counted);
  }
  return text;
}

std::map<telemetry::Counted, double> limits_of(const Json& json) {
  std::map<telemetry::Counted, double> limits;
  for (const auto& [name, value] : json.items()) {
    const auto counted = telemetry::counted_of(name);
    if (!counted || *counted == telemetry::Counted::traffic) {
      throw std::runtime_error("nothing is counted as '" + name + "'; there are " +
                               classes_in_words());
    }
    const bool is_rate = value.is_number() && value.get<double>() >= 0;
    if (!is_rate) throw std::runtime_error("'" + name + "' is no number from 0 on");
    limits[*counted] = value.get<double>();
  }
  return limits;
}

}  // namespace

Policy policy_of(const Json& json) {
  expect_schema(json, {"railgauge/policy/1"});
  refuse_others(
      json, {"schema", "name", "description", "rules", "hardware_only", "max_per_million_packets",
             "counters_that_stay", "counts", "all_planes", "nobody_blamed"});
  Policy policy;
  policy.name = wanted<std::string>(json, "name");
  policy.description = text_or_none(json, "description");
  for (const Json& rule : wanted<std::vector<Json>>(json, "rules")) {
    policy.rules.push_back(element_of(rule_of, rule, "rules", policy.rules.size()));
  }
  policy.hardware_only = maybe<bool>(json, "hardware_only").value_or(false);
  if (json.contains("max_per_million_packets")) {
    policy.max_per_million_packets = object_of(json, "max_per_million_packets", limits_of);
  }
  policy.counters_that_stay = maybe<std::vector<std::string>>(json, "counters_that_stay")
                                  .value_or(std::vector<std::string>{});
  if (json.contains("counts")) policy.counted = object_of(json, "counts", counted_of);
  policy.all_planes = maybe<bool>(json, "all_planes").value_or(false);
  policy.nobody_blamed = maybe<bool>(json, "nobody_blamed").value_or(false);
  return policy;
}

}  // namespace railgauge::verdict
