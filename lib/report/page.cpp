#include "report/assets.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"

namespace railgauge::report {
namespace {

/// First of all scripts: what goes wrong in others is told in the page, for people and for tests.
constexpr const char* kErrorHook =
    "<script>window.onerror = (message) => {"
    " document.documentElement.dataset.errors ="
    " (document.documentElement.dataset.errors || '') + message + '; '; };</script>\n";

std::string style(std::string_view text) {
  return "<style>" + std::string(text) + "</style>\n";
}

std::string head(const Report& report) {
  std::string title = "railgauge";
  for (const Result& result : report.results) title += ": " + result.run_set.name;
  return "<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n" +
         element("title", escaped(title)) + "\n" + kErrorHook + style(kPlotStyle) +
         style(kPageStyle);
}

std::string parts_of(const results::CollectiveBody& body, const Ranks& ranks) {
  return edges_part(body) + distribution_part(body) + own_time_part(body, ranks) +
         rail_times_part(body, ranks) + predictions_part(body);
}

std::string parts_of(const results::ReachabilityBody& body, const Ranks& /*ranks*/) {
  return reachability_part(body);
}

std::string parts_of(const results::PairsBody& body, const Ranks& /*ranks*/) {
  return pairs_part(body);
}

std::string parts_of(const results::SoakBody& body, const Ranks& /*ranks*/) {
  return soak_rows_part(body);
}

std::string parts_of(const results::IsolateBody& body, const Ranks& /*ranks*/) {
  return isolate_rows_part(body);
}

/// What only results of ours have.
std::string measured_parts(const Result& result) {
  const auto* document = std::get_if<results::Document>(&result.input);
  if (document == nullptr) return "";
  return std::visit([&](const auto& body) { return parts_of(body, document->ranks); },
                    document->body) +
         rails_part(*document, result.run_set) + placement_part(*document) +
         counters_part(result.run_set);
}

/// What to look at first.
std::string blamed(const Result& result) {
  const auto* document = std::get_if<results::Document>(&result.input);
  if (document == nullptr) return "";
  if (const auto* soak = std::get_if<results::SoakBody>(&document->body)) {
    return soak_part(*soak) + soak_series_part(*soak, result.samples);
  }
  if (const auto* isolate = std::get_if<results::IsolateBody>(&document->body)) {
    return isolate_part(*isolate);
  }
  const auto* body = std::get_if<results::CollectiveBody>(&document->body);
  return body == nullptr ? "" : findings_part(*body);
}

std::string body(const Result& result, const verdict::Criteria& criteria) {
  return element("h1", escaped(result.run_set.name)) + "\n" + blamed(result) +
         curves_part(result.run_set, criteria) + measured_parts(result) +
         provenance_part(result.input);
}

}  // namespace

std::string page(const Report& report) {
  std::string parts = head_part(report) + verdict_part(report);
  for (const Result& result : report.results) parts += body(result, report.criteria);
  return "<!DOCTYPE html>\n<html lang=\"en\">\n" + element("head", head(report)) + "\n<body>\n" +
         element("main", parts) + "\n<script>/* uPlot\n" + std::string(kPlotLicence) + "*/\n" +
         std::string(kPlotScript) + "</script>\n<script>" + std::string(kPageScript) +
         "</script>\n</body>\n</html>\n";
}

}  // namespace railgauge::report
