#include "verdict/reference.hpp"

#include <algorithm>
#include <array>

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
void fields(Self& point, Visit& visit) {
  visit("size_bytes", point.size_bytes);
  visit.or_null("type", point.type);
  visit.or_null("op", point.op);
  visit.or_null("algorithm", point.algorithm);
  visit("placement", point.buffers);
  visit.positive("time_us", point.time_us);
  visit("algbw_gigabytes_per_second", point.algbw_gigabytes_per_second);
  visit("busbw_gigabytes_per_second", point.busbw_gigabytes_per_second);
}

template <json::Is<Run> Self, class Visit>
void fields(Self& run, Visit& visit) {
  visit.required("name", run.name);
  visit.or_null("collective", run.collective);
  visit.positive("nodes", run.nodes);
  visit.positive("ranks", run.ranks);
  visit.positive("nics_per_node", run.nics_per_node);
  visit("beside_nics", run.beside_nics);
  visit.or_null("library", run.library);
  visit.or_null("settings", run.settings);
  visit.or_null("not_a_target", run.not_a_target);
  visit("points", run.points);
}

template <json::Is<Source> Self, class Visit>
void fields(Self& source, Visit& visit) {
  visit.or_null("url", source.url);
  visit.or_null("title", source.title);
  visit.or_null("date", source.date);
}

template <json::Is<Ending> Self, class Visit>
void fields(Self& ending, Visit& visit) {
  visit("how", ending.how);
  visit("reasons", ending.reasons);
  visit("skipped_lines", ending.skipped_lines);
}

template <json::Is<Reference> Self, class Visit>
void fields(Self& reference, Visit& visit) {
  visit.schema("railgauge/reference/1");
  visit.required("name", reference.name);
  visit.or_null("system", reference.system);
  visit.or_null("accelerator", reference.accelerator);
  visit.or_null("nic", reference.nic);
  visit.positive("nics_per_node", reference.nics_per_node);
  visit.positive("line_rate_gigabits_per_second", reference.line_rate_gigabits_per_second);
  visit.or_null("transport", reference.transport);
  visit.required("source", reference.source);
  visit("caveats", reference.caveats);
  visit.if_any("ending", reference.ending);
  visit("runs", reference.runs);
}

std::string_view word(Ended ended) {
  constexpr std::array<std::string_view, 5> kWords{"unknown", "complete", "cut", "failed",
                                                   "wrong_data"};
  const auto number = static_cast<std::size_t>(ended);
  return number < kWords.size() ? kWords.at(number) : "";
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
