#include "results/document.hpp"

#include <nlohmann/json.hpp>

#include "results/utc.hpp"

namespace railgauge::results {
namespace {

using Json = nlohmann::ordered_json;

const char* word(Option::Origin origin) {
  switch (origin) {
    case Option::Origin::default_value: return "default";
    case Option::Origin::command_line: return "command line";
    case Option::Origin::config_file: return "config file";
    case Option::Origin::environment: return "environment";
  }
  return "";
}

const char* word(Failure::Kind kind) {
  switch (kind) {
    case Failure::Kind::time_out: return "time-out";
    case Failure::Kind::transport: return "transport";
    case Failure::Kind::wrong_data: return "wrong-data";
    case Failure::Kind::environment: return "environment";
    case Failure::Kind::usage: return "usage";
    case Failure::Kind::verdict: return "verdict";
    case Failure::Kind::interrupted: return "interrupted";
    case Failure::Kind::stopped: return "stopped";
  }
  return "";
}

Json options_of(const std::map<std::string, Option>& options) {
  Json json = Json::object();
  for (const auto& [name, option] : options) {
    const Json value = std::visit([](const auto& held) { return Json(held); }, option.value);
    json[name] = {{"value", value}, {"origin", word(option.origin)}};
  }
  return json;
}

std::string collective_of(const Body& body) {
  return std::visit(ForKind{[](const CollectiveBody& collective) { return collective.collective; },
                            [](const ReachabilityBody&) { return std::string(); }},
                    body);
}

/// Of a reachability test there are none yet: its benchmark writes a document of its own.
Json rows_of(const Body& body) {
  return std::visit(ForKind{[](const CollectiveBody& collective) { return Json(collective.rows); },
                            [](const ReachabilityBody&) { return Json::array(); }},
                    body);
}

}  // namespace

void to_json(Json& json, const PortCounters& counters) {
  json = {{"host", counters.host},  {"device", counters.device},   {"port", counters.port},
          {"rail", counters.rail},  {"address", counters.address}, {"before", counters.before},
          {"after", counters.after}};
}

void to_json(Json& json, const RailRule& rule) {
  json = {{"rule", rule.rule}, {"reason", rule.reason}};
}

void to_json(Json& json, const Failure& failure) {
  json = {{"rank", failure.rank},
          {"host", failure.host},
          {"kind", word(failure.kind)},
          {"text", failure.text}};
}

void to_json(Json& json, const Document& document) {
  const auto& code = document.exit_code;
  const Tool& tool = document.tool;
  json = {
      {"schema", "railgauge/result/1"},
      {"tool", {{"name", tool.name}, {"version", tool.version}, {"commit", tool.commit}}},
      {"collective", collective_of(document.body)},
      {"status", code ? status_word(*code) : "running"},
      {"exit_code", code ? Json(static_cast<int>(*code)) : Json(nullptr)},
      {"reasons", document.reasons},
      {"start", utc(document.start)},
      {"end", document.end ? Json(utc(*document.end)) : Json(nullptr)},
      {"command_line", document.command_line},
      {"options", options_of(document.options)},
      {"environment", document.environment},
      {"hosts", document.hosts},
      {"ranks", document.ranks},
      {"rail_rule", document.rail_rule},
      {"warnings", document.warnings},
      {"rows", rows_of(document.body)},
      {"counters", document.counters},
      {"failures", document.failures},
  };
}

std::string json_text(const Document& document) {
  constexpr int kIndent = 2;
  return Json(document).dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace railgauge::results
