#include "verdict/policy.hpp"

#include <stdexcept>

#include "json/codec.hpp"

namespace railgauge::verdict {

template <class Visit>
void fields(Rule& self, Visit& visit) {
  visit.strict();
  std::string source;  // for who reads the policy
  visit("says", self.says);
  visit("source", source);
  RAILGAUGE_VISIT(collective, nodes, nics_per_node, line_rate_gigabits_per_second, from_bytes,
                  to_bytes, min_line_rate_percent, max_p999_over_p50, max_p999_ms, max_dip_percent,
                  max_rail_imbalance_percent);
}

template <class Visit>
void fields(SizeRange& range, Visit& visit) {
  visit.strict();
  visit("from_bytes", range.from_bytes);
  visit.positive("to_bytes", range.to_bytes);
}

template <class Visit>
void fields(CountedSizes& sizes, Visit& visit) {
  visit.strict();
  std::optional<SizeRange> bandwidth;  // whose own limits are not those of a policy without it
  visit("latency", sizes.latency);
  visit("bandwidth", bandwidth);
  sizes.bandwidth = bandwidth.value_or(sizes.bandwidth);
}

template <class Visit>
void fields(Policy& self, Visit& visit) {
  visit.strict();
  visit.schema("railgauge/policy/1");
  RAILGAUGE_VISIT((name), description, rules, hardware_only, max_per_million_packets,
                  counters_that_stay);
  visit("counts", self.counted);
  bool all_planes = false;
  visit("all_planes", all_planes);
  if (all_planes) self.decides.errors.insert(finding::Cause::missing_plane);
  finding::Policy::fields(self.decides, visit);
}

namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 50U;  // no sweep goes there

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

/// A class that a limit may be about.
telemetry::Counted class_called(const std::string& name) {
  const auto counted = telemetry::counted_of(name);
  if (counted && *counted != telemetry::Counted::traffic) return *counted;
  throw json::FieldError("is no class of counters; there are " + classes_in_words(), name);
}

}  // namespace
}  // namespace railgauge::verdict

namespace railgauge::json {

template <>
struct Codec<verdict::Rule> {
  static void decode(const Json& json, verdict::Rule& rule) {
    decode_fields(json, rule);
    if (!rule.min_line_rate_percent && !rule.max_p999_over_p50 && !rule.max_p999_ms &&
        !rule.max_dip_percent && !rule.max_rail_imbalance_percent) {
      throw FieldError("demands nothing");
    }
  }
};

template <>
struct Codec<verdict::SizeRange> {
  static void decode(const Json& json, verdict::SizeRange& range) {
    decode_fields(json, range);
    if (json.empty()) throw FieldError("names neither from_bytes nor to_bytes");
    if (range.from_bytes > range.to_bytes) {
      throw FieldError("holds no size: it is from " + std::to_string(range.from_bytes) + " to " +
                       std::to_string(range.to_bytes) + " bytes");
    }
  }
};

template <>
struct Codec<verdict::CountedSizes> {
  static void decode(const Json& json, verdict::CountedSizes& sizes) {
    decode_fields(json, sizes);
    if (json.empty()) throw FieldError("names neither latency nor bandwidth");
    if (sizes.latency.to_bytes > verdict::kSmallBytes) {
      throw FieldError("is " + std::to_string(sizes.latency.to_bytes) +
                           ": latency is that of sizes up to " +
                           std::to_string(verdict::kSmallBytes) + " bytes",
                       "latency.to_bytes");
    }
    if (sizes.bandwidth.from_bytes > verdict::kMostBytes) {
      throw FieldError(
          "is " + std::to_string(sizes.bandwidth.from_bytes) + ": no benchmark goes there",
          "bandwidth.from_bytes");
    }
  }
};

template <>
struct Codec<std::map<telemetry::Counted, double>> {
  static void decode(const Json& json, std::map<telemetry::Counted, double>& limits) {
    if (!json.is_object()) wrong_type(json);
    for (const auto& [name, value] : json.items()) {
      double& limit = limits[verdict::class_called(name)];
      decode_in(name, value, limit);
      if (!(limit >= 0)) throw FieldError("is " + value.dump() + ": it cannot be negative", name);
    }
  }
};

}  // namespace railgauge::json

namespace railgauge::verdict {

Policy policy_of(const nlohmann::ordered_json& json) {
  Policy policy;
  json::decode(json, policy);
  return policy;
}

std::optional<CountedSizes> counted_of(const std::vector<Policy>& policies) {
  std::optional<CountedSizes> counted;
  for (const Policy& policy : policies) {
    if (!policy.counted) continue;
    if (counted && *counted != *policy.counted) {
      throw std::invalid_argument("these policies differ in `counts`: give only one of them");
    }
    counted = policy.counted;
  }
  return counted;
}

}  // namespace railgauge::verdict
