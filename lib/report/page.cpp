#include <cctype>

#include "report/assets.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"
#include "results/table.hpp"

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

std::string head(const std::string& title) {
  return "<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n" +
         element("title", escaped(title)) + "\n" + kErrorHook;
}

std::string title_of(const Report& report) {
  std::string title = "railgauge";
  for (const Result& result : report.results) title += ": " + result.run_set.name;
  return title;
}

/// What only results of ours have.
std::string measured_parts(const Result& result) {
  const auto* document = std::get_if<results::Document>(&result.input);
  if (document == nullptr) return "";
  return std::visit([&](const auto& body) { return parts_of(body, document->ranks); },
                    document->body) +
         placement_part(*document) + counters_part(result.run_set);
}

/// What to look at first.
std::string blamed(const Result& result) {
  if (const auto* hosts = std::get_if<doctor::Document>(&result.input))
    return findings_part(report_of(result.judgement)) + examination_part(*hosts);
  const auto* document = std::get_if<results::Document>(&result.input);
  if (document == nullptr) return "";
  std::string html = findings_part(report_of(result.judgement));
  if (const auto* soak = std::get_if<results::SoakBody>(&document->body)) {
    html += soak_part(*soak) + soak_series_part(*soak, result.samples);
  }
  return html;
}

}  // namespace

std::string url_of(const std::string& path) {
  std::string url;
  for (const char c : path) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                       std::string_view("/-_.~").find(c) != std::string_view::npos;
    const auto code = static_cast<unsigned>(static_cast<unsigned char>(c));
    url += plain ? std::string(1, c) : results::printed("%%%02X", code);
  }
  return url;
}

namespace {

/// The result's name, with its document behind it.
std::string title(const Result& result) {
  const std::string name = escaped(result.run_set.name);
  if (result.link.empty()) return element("h1", name);
  return element("h1", "<a href=\"" + url_of(result.link) + "\">" + name + "</a>");
}

std::string body(const Result& result, const verdict::Criteria& criteria) {
  return title(result) + "\n" + blamed(result) + curves_part(result.run_set, criteria) +
         measured_parts(result) + provenance_part(result.input);
}

}  // namespace

std::string page_without_charts(const std::string& title, const std::string& inner) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n" +
         element("head", head(title) + style(kPageStyle)) + "\n<body>\n" + element("main", inner) +
         "\n</body>\n</html>\n";
}

std::string page(const Report& report) {
  std::string parts = head_part(report) + verdict_part(report);
  for (const Result& result : report.results) parts += body(result, report.criteria);
  return "<!DOCTYPE html>\n<html lang=\"en\">\n" +
         element("head", head(title_of(report)) + style(kPlotStyle) + style(kPageStyle)) +
         "\n<body>\n" + element("main", parts) + "\n<script>/* uPlot\n" +
         std::string(kPlotLicence) + "*/\n" + std::string(kPlotScript) + "</script>\n<script>" +
         std::string(kPageScript) + "</script>\n</body>\n</html>\n";
}

}  // namespace railgauge::report
