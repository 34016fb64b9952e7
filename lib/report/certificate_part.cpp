#include <stdexcept>

#include "report/html.hpp"
#include "report/label.hpp"
#include "report/parts.hpp"
#include "results/fields.hpp"

namespace railgauge::report {
namespace {

using verdict::text_or_none;

/// A text as it is, anything else as JSON.
std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>()
                           : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// A field that is an object, or an empty one if it is missing.
Json object_of(const Json& document, const char* field) {
  Json object = verdict::maybe<Json>(document, field).value_or(Json::object());
  if (object.is_object()) return object;
  throw std::runtime_error("the field '" + std::string(field) + "' is not an object");
}

std::string command_line(const Json& document) {
  std::string line;
  for (const Json& word : verdict::list(document, "command_line")) {
    line += (line.empty() ? "" : " ") + text_of(word);
  }
  return line;
}

std::string run_of(const Json& document) {
  const Json tool = object_of(document, "tool");
  std::vector<std::vector<Cell>> rows;
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) rows.push_back({{name, ""}, {text, ""}});
  };
  add("tool", text_or_none(tool, "name") + " " + text_or_none(tool, "version"));
  add("commit", text_or_none(tool, "commit"));
  add("collective", text_or_none(document, "collective"));
  add("status", text_or_none(document, "status"));
  add("start", text_or_none(document, "start"));
  add("end", text_or_none(document, "end"));
  add("command line", command_line(document));
  for (const char* name : {"system", "nic", "transport"}) add(name, text_or_none(document, name));
  return table({"", ""}, rows);
}

std::string options_of(const Json& document) {
  std::vector<std::vector<Cell>> rows;
  const Json options = object_of(document, "options");
  for (const auto& [name, option] : options.items()) {
    const std::string origin = text_or_none(option, "origin");
    rows.push_back({{name, ""},
                    {text_of(verdict::maybe<Json>(option, "value").value_or(Json())), ""},
                    {origin, origin == "default" ? "" : "chosen"}});
  }
  return rows.empty() ? "" : folded("Options", table({"option", "value", "origin"}, rows));
}

std::string environment_of(const Json& document) {
  std::vector<std::vector<Cell>> rows;
  const Json variables = object_of(document, "environment");
  for (const auto& [name, value] : variables.items()) {
    rows.push_back({{name, ""}, {text_of(value), ""}});
  }
  return rows.empty() ? "" : folded("Environment", table({"variable", "value"}, rows));
}

std::string hosts_of(const Json& document) {
  std::vector<std::vector<Cell>> rows;
  for (const Json& host : verdict::list(document, "hosts")) {
    rows.emplace_back();
    for (const char* field : {"name", "processor", "machine", "kernel", "libibverbs", "mpi"}) {
      rows.back().push_back({text_or_none(host, field), ""});
    }
  }
  if (rows.empty()) return "";
  return folded("Hosts",
                table({"host", "processor", "machine", "kernel", "libibverbs", "MPI"}, rows));
}

}  // namespace

std::string certificate_part(const Result& result) {
  const Json& document = result.document;
  return section("Birth certificate", run_of(document) + options_of(document) + hosts_of(document) +
                                          environment_of(document));
}

}  // namespace railgauge::report
