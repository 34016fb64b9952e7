#include "verdict/reference.hpp"

#include <nlohmann/json.hpp>

#include "results/json_fields.hpp"

namespace railgauge::verdict {
namespace {

using results::element_of;
using results::expect_schema;
using results::Json;
using results::list;
using results::maybe;
using results::maybe_positive;
using results::or_null;
using results::text_or_none;
using results::wanted;
using results::within;

constexpr const char* kSchema = "railgauge/reference/1";

Json json_of(const Point& point) {
  const bool stated = point.buffers != BufferMode::unstated;
  return {{"size_bytes", or_null(point.size_bytes)},
          {"type", or_null(point.type)},
          {"op", or_null(point.op)},
          {"algorithm", or_null(point.algorithm)},
          {"placement", stated ? Json(word(point.buffers)) : Json(nullptr)},
          {"time_us", or_null(point.time_us)},
          {"algbw_gigabytes_per_second", or_null(point.algbw_gigabytes_per_second)},
          {"busbw_gigabytes_per_second", or_null(point.busbw_gigabytes_per_second)}};
}

Json json_of(const Run& run) {
  Json points = Json::array();
  for (const Point& point : run.points) points.push_back(json_of(point));
  return {{"name", run.name},
          {"collective", or_null(run.collective)},
          {"nodes", or_null(run.nodes)},
          {"ranks", or_null(run.ranks)},
          {"nics_per_node", or_null(run.nics_per_node)},
          {"beside_nics", or_null(run.beside_nics)},
          {"library", or_null(run.library)},
          {"settings", or_null(run.settings)},
          {"not_a_target", or_null(run.not_a_target)},
          {"points", points}};
}

BufferMode buffer_mode_of(const std::string& text) {
  if (text == "out_of_place") return BufferMode::out_of_place;
  if (text == "in_place") return BufferMode::in_place;
  if (text.empty()) return BufferMode::unstated;
  throw results::PlacedError("/placement", "there is no placement '" + text + "'");
}

Point point_of(const Json& json) {
  Point point;
  point.size_bytes = maybe<std::uint64_t>(json, "size_bytes");
  point.type = text_or_none(json, "type");
  point.op = text_or_none(json, "op");
  point.algorithm = text_or_none(json, "algorithm");
  point.buffers = buffer_mode_of(text_or_none(json, "placement"));
  point.time_us = maybe_positive<double>(json, "time_us");
  point.algbw_gigabytes_per_second = maybe<double>(json, "algbw_gigabytes_per_second");
  point.busbw_gigabytes_per_second = maybe<double>(json, "busbw_gigabytes_per_second");
  return point;
}

Run run_of(const Json& json) {
  Run run;
  run.name = wanted<std::string>(json, "name");
  run.collective = text_or_none(json, "collective");
  run.nodes = maybe_positive<int>(json, "nodes");
  run.ranks = maybe_positive<int>(json, "ranks");
  run.nics_per_node = maybe_positive<int>(json, "nics_per_node");
  run.beside_nics = maybe<std::vector<std::string>>(json, "beside_nics");
  run.library = text_or_none(json, "library");
  run.settings = text_or_none(json, "settings");
  run.not_a_target = text_or_none(json, "not_a_target");
  for (const Json& point : list(json, "points")) {
    run.points.push_back(element_of([](const Json& one) { return point_of(one); }, point, "points",
                                    run.points.size()));
  }
  return run;
}

Source source_of(const Json& json) {
  if (!json.is_object()) throw std::runtime_error("it is no object");
  return {text_or_none(json, "url"), text_or_none(json, "title"), text_or_none(json, "date")};
}

}  // namespace

void to_json(results::Json& json, const Reference& reference) {
  Json runs = Json::array();
  for (const Run& run : reference.runs) runs.push_back(json_of(run));
  const Source& source = reference.source;
  json = {{"schema", kSchema},
          {"name", reference.name},
          {"system", or_null(reference.system)},
          {"accelerator", or_null(reference.accelerator)},
          {"nic", or_null(reference.nic)},
          {"nics_per_node", or_null(reference.nics_per_node)},
          {"line_rate_gigabits_per_second", or_null(reference.line_rate_gigabits_per_second)},
          {"transport", or_null(reference.transport)},
          {"source",
           {{"url", or_null(source.url)},
            {"title", or_null(source.title)},
            {"date", or_null(source.date)}}},
          {"caveats", reference.caveats},
          {"runs", runs}};
}

Reference reference_of(const results::Json& json) {
  expect_schema(json, {kSchema});
  Reference reference;
  reference.name = wanted<std::string>(json, "name");
  reference.system = text_or_none(json, "system");
  reference.accelerator = text_or_none(json, "accelerator");
  reference.nic = text_or_none(json, "nic");
  reference.nics_per_node = maybe_positive<int>(json, "nics_per_node");
  reference.line_rate_gigabits_per_second =
      maybe_positive<double>(json, "line_rate_gigabits_per_second");
  reference.transport = text_or_none(json, "transport");
  const Json source = wanted<Json>(json, "source");
  reference.source = within("/source", "source", [&] { return source_of(source); });
  reference.caveats =
      maybe<std::vector<std::string>>(json, "caveats").value_or(std::vector<std::string>{});
  for (const Json& run : list(json, "runs")) {
    reference.runs.push_back(element_of([](const Json& one) { return run_of(one); }, run, "runs",
                                        reference.runs.size()));
    reference.runs.back().line_rate_gigabits_per_second = reference.line_rate_gigabits_per_second;
  }
  return reference;
}

std::string json_text(const Reference& reference) {
  constexpr int kIndent = 2;
  return Json(reference).dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace railgauge::verdict
