#include "report/chart.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "measure/sizes.hpp"
#include "report/html.hpp"

namespace railgauge::report {
namespace {

using Json = nlohmann::ordered_json;

std::string name_of(Unit unit) {
  switch (unit) {
    case Unit::bytes: return "size";
    case Unit::microseconds: return "µs";
    case Unit::gigabytes_per_second: return "GB/s";
    case Unit::percent: return "%";
  }
  return "";
}

std::string text_of(double value, Unit unit) {
  return unit == Unit::bytes ? measure::format_size(static_cast<std::uint64_t>(value))
                             : number_text(value);
}

std::set<double> all_x(const Chart& chart) {
  std::set<double> all;
  for (const Series& series : chart.series) {
    for (const auto& [x, y] : series.points) {
      if (x > 0) all.insert(x);  // there is no logarithm of nothing
    }
  }
  return all;
}

Json values_of(const Series& series, const std::set<double>& xs) {
  const std::map<double, double> known(series.points.begin(), series.points.end());
  Json values = Json::array();
  for (const double x : xs) {
    const auto found = known.find(x);
    values.push_back(found == known.end() ? Json(nullptr) : Json(found->second));
  }
  return values;
}

/// As page.js reads it. "<" is written as an escape: nothing in a label ends the script.
std::string data_of(const Chart& chart) {
  const std::set<double> xs = all_x(chart);
  Json lines = Json::array();
  for (const Series& series : chart.series) {
    lines.push_back({{"label", series.label},
                     {"ours", series.ours},
                     {"beside", series.beside},
                     {"values", values_of(series, xs)}});
  }
  const Json data{{"xUnit", name_of(chart.x)},
                  {"yUnit", name_of(chart.y)},
                  {"logY", chart.logarithmic_y},
                  {"x", xs},
                  {"series", lines}};
  std::string safe;
  for (const char character : data.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    character == '<' ? safe += "\\u003c" : safe += character;
  }
  return safe;
}

std::string table_of(const Chart& chart) {
  std::vector<std::string> head{name_of(chart.x)};
  for (const Series& series : chart.series) {
    head.push_back(series.label + ", " + name_of(chart.y));
  }
  std::vector<std::vector<Cell>> rows;
  for (const double x : all_x(chart)) {
    rows.push_back({{text_of(x, chart.x), ""}});
    for (const Series& series : chart.series) {
      const std::map<double, double> known(series.points.begin(), series.points.end());
      const auto found = known.find(x);
      rows.back().push_back({found == known.end() ? "" : text_of(found->second, chart.y), ""});
    }
  }
  return table(head, rows);
}

}  // namespace

std::string figure(const Chart& chart, const std::string& table) {
  if (chart.series.empty()) return "";
  return "<figure class=\"chart\">" + element("figcaption", escaped(chart.title)) +
         "<div class=\"plot\"></div><script type=\"application/json\">" + data_of(chart) +
         "</script>" + folded("Table", table) + "</figure>\n";
}

std::string figure(const Chart& chart) {
  return figure(chart, table_of(chart));
}

}  // namespace railgauge::report
