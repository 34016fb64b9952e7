#include "verdict/reference.hpp"

#include <algorithm>

#include "json/fields.hpp"

namespace railgauge::json {

template <>
struct Codec<results::BufferMode> {
  using Mode = results::BufferMode;

  static Json encode(Mode mode) {
    return mode == Mode::unstated ? Json(nullptr) : Json(word(mode));
  }
  static void decode(const Json& json, Mode& mode) {
    std::string text;
    json::decode(json, text);
    for (const Mode one : {Mode::out_of_place, Mode::in_place}) {
      if (word(one) == text) mode = one;
    }
    if (mode == Mode::unstated) throw FieldError("cannot be '" + text + "'");
  }
};

}  // namespace railgauge::json

namespace railgauge::verdict {

using json::Json;

template <json::Is<Point> Self, class Visit>
void fields(Self& self, Visit& visit) {
  visit.empty_is_null();
  RAILGAUGE_VISIT(size_bytes, type, op, algorithm);
  visit("placement", self.buffers);
  visit.positive("time_us", self.time_us);
  RAILGAUGE_VISIT(algbw_gigabytes_per_second, busbw_gigabytes_per_second);
}

template <json::Is<Run> Self, class Visit>
void fields(Self& self, Visit& visit) {
  visit.required("name", self.name);
  visit.empty_is_null();
  visit("collective", self.collective);
  visit.positive("nodes", self.nodes);
  visit.positive("ranks", self.ranks);
  visit.if_any("split", self.split);
  visit.positive("nics_per_node", self.nics_per_node);
  RAILGAUGE_VISIT(beside_nics, library, settings, not_a_target, points);
}

template <json::Is<Source> Self, class Visit>
void fields(Self& self, Visit& visit) {
  visit.empty_is_null();
  RAILGAUGE_VISIT(url, title, date);
}

template <json::Is<Ending> Self, class Visit>
void fields(Self& self, Visit& visit) {
  RAILGAUGE_VISIT(how, reasons, skipped_lines);
}

template <json::Is<Reference> Self, class Visit>
void fields(Self& self, Visit& visit) {
  visit.schema("railgauge/reference/1");
  visit.required("name", self.name);
  visit.empty_is_null();
  RAILGAUGE_VISIT(system, accelerator, nic);
  visit.positive("nics_per_node", self.nics_per_node);
  visit.positive("line_rate_gigabits_per_second", self.line_rate_gigabits_per_second);
  RAILGAUGE_VISIT(transport, (source), caveats);
  visit.if_any("ending", self.ending);
  visit("runs", self.runs);
}

std::string_view word(Ended ended) {
  return json::word_of(ended, {"unknown", "complete", "cut", "failed", "wrong_data"});
}

void to_json(Json& json, const Reference& reference) {
  json = json::encode(reference);
}

namespace {

/// Throws json::FieldError.
void check_bandwidths(const Reference& reference) {
  for (std::size_t run = 0; run < reference.runs.size(); ++run) {
    const auto& points = reference.runs[run].points;
    const auto below = std::ranges::find_if(points, [](const Point& point) {
      return point.busbw_gigabytes_per_second.value_or(0) < 0 ||
             point.algbw_gigabytes_per_second.value_or(0) < 0;
    });
    if (below == points.end()) continue;
    throw json::FieldError(
        "has a bandwidth below zero",
        "runs[" + std::to_string(run) + "].points[" + std::to_string(below - points.begin()) + "]");
  }
}

}  // namespace

Reference reference_of(const Json& json) {
  Reference reference;
  json::decode(json, reference);
  check_bandwidths(reference);
  for (Run& run : reference.runs) {
    run.line_rate_gigabits_per_second = reference.line_rate_gigabits_per_second;
  }
  return reference;
}

std::string json_text(const Reference& reference) {
  constexpr int kIndent = 2;
  return Json(reference).dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace railgauge::verdict
