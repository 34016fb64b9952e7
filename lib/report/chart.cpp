#include "report/chart.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "measure/sizes.hpp"
#include "report/html.hpp"
#include "results/table.hpp"
#include "results/utc.hpp"

namespace railgauge::report {
namespace {

using Json = nlohmann::ordered_json;

std::string name_of(Unit unit) {
  constexpr std::array kNames{"size",  "µs",         "GB/s", "%", "time",
                              "ratio", "per window", "MB",   "°C"};  // in the order of Unit
  return kNames.at(static_cast<std::size_t>(unit));
}

bool is_whole(Unit unit) {
  return unit == Unit::bytes || unit == Unit::time;
}

std::string text_of(double value, Unit unit) {
  if (unit == Unit::time) {
    return results::utc(std::chrono::system_clock::from_time_t(static_cast<std::time_t>(value)));
  }
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

/// Five digits are more than a line on a screen shows.
double shortened(double value) {
  return std::strtod(results::printed("%.5g", value).c_str(), nullptr);
}

Json points_of(const Series& series, Unit unit) {
  Json points = Json::array();
  for (const auto& [x, y] : series.points) {
    if (x <= 0) continue;  // there is no logarithm of nothing
    const Json place = is_whole(unit) ? Json(static_cast<std::uint64_t>(x)) : Json(shortened(x));
    points.push_back({place, shortened(y)});
  }
  return points;
}

std::string_view word(Scale scale) {
  if (scale == Scale::logarithmic) return "logarithmic";
  return scale == Scale::linear ? "linear" : "whole";
}

void add_places(const Chart& chart, Json& data) {
  if (!chart.marks.empty()) data["marks"] = Json::array();
  for (const Mark& mark : chart.marks) {
    data["marks"].push_back(
        {{"x", static_cast<std::uint64_t>(mark.x)}, {"label", mark.label}, {"bad", mark.bad}});
  }
  if (!chart.bands.empty()) data["bands"] = Json::array();
  for (const Band& band : chart.bands) {
    data["bands"].push_back({{"from", static_cast<std::uint64_t>(band.from)},
                             {"to", static_cast<std::uint64_t>(band.to)},
                             {"bad", band.bad}});
  }
}

/// As page.js reads it. "<" is written as an escape: nothing in a label ends the script.
std::string data_of(const Chart& chart) {
  Json lines = Json::array();
  for (const Series& series : chart.series) {
    lines.push_back({{"label", series.label},
                     {"ours", series.ours},
                     {"algorithm", series.algorithm},
                     {"points", points_of(series, chart.x)}});
  }
  Json data{{"xUnit", name_of(chart.x)},
            {"yUnit", name_of(chart.y)},
            {"scale", word(chart.scale)},
            {"ordered", chart.ordered},
            {"series", lines}};
  add_places(chart, data);
  std::string safe;
  for (const char character : data.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    character == '<' ? safe += "\\u003c" : safe += character;
  }
  return safe;
}

std::string at(const std::pair<double, double>& point, const Chart& chart) {
  return text_of(point.second, chart.y) + " " + name_of(chart.y) + " at " +
         text_of(point.first, chart.x) + (is_whole(chart.x) ? "" : " " + name_of(chart.x));
}

std::string table_of(const Chart& chart) {
  std::vector<std::string> head{name_of(chart.x)};
  for (const Series& series : chart.series) {
    head.push_back(series.label + ", " + name_of(chart.y));
  }
  std::vector<Row> rows;
  for (const double x : all_x(chart)) {
    rows.push_back({text_of(x, chart.x)});
    for (const Series& series : chart.series) {
      const std::map<double, double> known(series.points.begin(), series.points.end());
      const auto found = known.find(x);
      rows.back().push_back(found == known.end() ? "" : text_of(found->second, chart.y));
    }
  }
  return table(head, rows);
}

}  // namespace

std::string in_words(const Chart& chart) {
  const bool times = chart.y == Unit::microseconds;
  std::string text;
  for (const Series& series : chart.series) {
    if (series.points.empty()) continue;
    const auto [least, most] = std::ranges::minmax_element(
        series.points, {}, [](const auto& point) { return point.second; });
    text += (text.empty() ? "" : "; ") + series.label + ": " + at(series.points.front(), chart);
    if (series.points.size() > 1) text += ", " + at(series.points.back(), chart);
    const auto best = times ? least : most;
    const bool new_one = best != series.points.begin() && best + 1 != series.points.end();
    if (new_one) text += (times ? ", at least " : ", at most ") + at(*best, chart);
  }
  return text.empty() ? text : text + ".";
}

std::string figure(const Chart& chart, const std::string& table) {
  if (chart.series.empty()) return "";
  return "<figure class=\"chart\" aria-label=\"" + escaped(chart.title) + "\">" +
         element("figcaption", escaped(chart.title)) +
         "<div class=\"plot\"></div><script type=\"application/json\">" + data_of(chart) +
         "</script>" +
         folded("In words, and as a table",
                "<p class=\"words\">" + escaped(in_words(chart)) + "</p>\n" + table) +
         "</figure>\n";
}

std::string figure(const Chart& chart) {
  return figure(chart, table_of(chart));
}

}  // namespace railgauge::report
