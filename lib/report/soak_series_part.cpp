#include <algorithm>
#include <functional>

#include "measure/sizes.hpp"
#include "report/chart.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"
#include "results/rail_name.hpp"
#include "telemetry/meaning.hpp"

namespace railgauge::report {
namespace {

using results::SoakBody;
using soak::PhaseSample;
using soak::PortSample;
using soak::RailSample;
using soak::RankSample;
using soak::Record;
using soak::Window;
using Points = std::vector<std::pair<double, double>>;

constexpr std::size_t kMostPoints = 600;  // of a line: more than a screen shows
constexpr std::size_t kMostMarks = 100;
constexpr std::size_t kMostRails = 16;
constexpr std::size_t kMostPhases = 12;
constexpr std::size_t kOpen = 2;

double seconds(std::chrono::system_clock::time_point time) {
  return static_cast<double>(std::chrono::system_clock::to_time_t(time));
}

/// Of neighbouring windows, which one stands for all where there are too many.
enum class Keep { lowest, highest };

Points thinned(const Points& points, Keep keep) {
  if (points.size() <= kMostPoints) return points;
  const std::size_t share = (points.size() + kMostPoints - 1) / kMostPoints;
  Points kept;
  for (std::size_t begin = 0; begin < points.size(); begin += share) {
    const auto first = points.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last =
        points.begin() + static_cast<std::ptrdiff_t>(std::min(begin + share, points.size()));
    const auto by_value = [](const auto& one, const auto& other) {
      return one.second < other.second;
    };
    kept.push_back(keep == Keep::lowest ? *std::min_element(first, last, by_value)
                                        : *std::max_element(first, last, by_value));
  }
  return kept;
}

/// What one window says; empty if it does not.
using WindowValue = std::function<std::optional<double>(const Window&)>;

/// Builds charts over time, with the findings, failed windows and gaps in each.
class Charts {
 public:
  Charts(const SoakBody& body, const Record& record) : record_(record) {
    add_marks();
    add_bands(body);
  }

  [[nodiscard]] Chart chart(const std::string& title, Unit unit, Scale scale) const {
    Chart chart{.title = title, .x = Unit::time, .y = unit, .scale = scale};
    chart.marks = marks_;
    chart.bands = bands_;
    return chart;
  }

  void add(Chart& chart, const std::string& label, Keep keep, const WindowValue& value) const {
    Points points;
    for (const Window& window : record_.windows) {
      if (const auto found = value(window)) points.emplace_back(seconds(window.start), *found);
    }
    if (points.empty()) return;
    chart.series.push_back({.label = label, .points = thinned(points, keep), .algorithm = label});
  }
  /// The same of what a phase of the plan did in a window.
  void add(Chart& chart, const std::string& label, Keep keep, std::size_t phase,
           const std::function<std::optional<double>(const PhaseSample&)>& value) const {
    add(chart, label, keep, [&](const Window& window) {
      const auto found = std::ranges::find(window.phases, phase, &PhaseSample::phase);
      return found == window.phases.end() ? std::nullopt : value(*found);
    });
  }

 private:
  /// The first of all windows.
  void add_marks() {
    for (const finding::Finding& finding : record_.findings) {
      if (marks_.size() == kMostMarks) break;
      if (!finding.when) continue;
      marks_.push_back({.x = seconds(finding.when->begin),
                        .label = std::string(word(finding.cause)),
                        .bad = finding.severity == finding::Severity::error});
    }
  }

  void add_bands(const SoakBody& body) {
    const auto& failed = body.figures.deciding_windows;
    for (const Window& window : record_.windows) {
      if (!std::ranges::binary_search(failed, window.number)) continue;
      const double from = seconds(window.start);
      bands_.push_back({from, from + window.length_s, true});
    }
    for (const results::SoakGap& gap : body.gaps) {
      bands_.push_back({seconds(gap.from), seconds(gap.to), false});
    }
  }

  const Record& record_;
  std::vector<Mark> marks_;
  std::vector<Band> bands_;
};

std::string name_of(const soak::Phase& phase) {
  return plain(phase.collective) + " " + measure::format_size(phase.size_bytes);
}

std::vector<RailSample> rails_of(const Record& record, std::size_t phase) {
  for (const Window& window : record.windows) {
    const auto found = std::ranges::find(window.phases, phase, &PhaseSample::phase);
    if (found != window.phases.end() && !found->rails.empty()) return found->rails;
  }
  return {};
}

Chart bandwidth(const Charts& charts, const Record& record, std::size_t phase) {
  Chart chart = charts.chart("Bus bandwidth, " + name_of(record.header.plan[phase]),
                             Unit::gigabytes_per_second, Scale::linear);
  const std::vector<RailSample> rails = rails_of(record, phase);
  for (const RailSample& rail : rails) {
    if (chart.series.size() == kMostRails) break;
    charts.add(chart, results::rail_name(rail, rails), Keep::lowest, phase,
               [&](const PhaseSample& sample) {
                 std::optional<double> found;
                 for (const RailSample& one : sample.rails) {
                   if (one.rail == rail.rail && one.plane == rail.plane)
                     found = one.busbw_gigabytes_per_second;
                 }
                 return found;
               });
  }
  return chart;
}

Chart times(const Charts& charts, const Record& record, std::size_t phase) {
  Chart chart = charts.chart("Time of an iteration, " + name_of(record.header.plan[phase]),
                             Unit::microseconds, Scale::logarithmic);
  const auto add = [&](const char* label, const auto& value) {
    charts.add(chart, label, Keep::highest, phase, value);
  };
  add("median", [](const PhaseSample& sample) { return sample.p50_us; });
  add("p99", [](const PhaseSample& sample) { return sample.p99_us; });
  add("p99.9", [](const PhaseSample& sample) { return sample.p999_us; });
  add("longest", [](const PhaseSample& sample) { return sample.slowest.us; });
  return chart;
}

Chart ratios(const Charts& charts, const Record& record) {
  Chart chart = charts.chart("JCT ratio: median time over that of the first hour", Unit::ratio,
                             Scale::linear);
  const std::size_t phases = std::min(record.header.plan.size(), kMostPhases);
  for (std::size_t phase = 0; phase < phases; ++phase) {
    charts.add(chart, name_of(record.header.plan[phase]), Keep::highest, phase,
               [](const PhaseSample& sample) { return sample.jct_ratio; });
  }
  return chart;
}

/// Of all ports together, by the meaning of counters.
double counted(const Window& window, telemetry::Counted what) {
  double sum = 0;
  for (const PortSample& port : window.ports) {
    for (const auto& [name, by] : port.moved) {
      const auto meaning = telemetry::meaning_of(name);
      if (meaning && meaning->counted == what && by > 0) sum += static_cast<double>(by);
    }
  }
  return sum;
}

Chart counters(const Charts& charts, const Record& record, bool faults) {
  Chart chart = charts.chart(faults ? "Counters of what should not happen, all ports"
                                    : "Congestion, pause and corrected errors, all ports",
                             Unit::events, Scale::linear);
  for (std::size_t number = 0; number < telemetry::kCountedClasses; ++number) {
    const auto what = static_cast<telemetry::Counted>(number);
    const bool fault = telemetry::is_fault(what) || what == telemetry::Counted::repetition;
    if (what == telemetry::Counted::traffic || fault != faults) continue;
    const bool any = std::ranges::any_of(
        record.windows, [&](const Window& window) { return counted(window, what) > 0; });
    if (!any) continue;
    charts.add(chart, plain(word(what)), Keep::highest,
               [what](const Window& window) { return std::optional(counted(window, what)); });
  }
  return chart;
}

Chart memory(const Charts& charts) {
  constexpr double kMegabyte = 1e6;
  Chart chart = charts.chart("Memory of our own processes", Unit::megabytes, Scale::linear);
  charts.add(chart, "largest rank", Keep::highest, [](const Window& window) {
    std::optional<double> most;
    for (const RankSample& rank : window.ranks) {
      most = std::max(most.value_or(0), static_cast<double>(rank.resident_bytes) / kMegabyte);
    }
    return most;
  });
  return chart;
}

Chart temperatures(const Charts& charts) {
  Chart chart = charts.chart("Temperature of modules", Unit::celsius, Scale::linear);
  charts.add(chart, "hottest", Keep::highest, [](const Window& window) {
    std::optional<double> most;
    for (const PortSample& port : window.ports) {
      if (!port.temperature_celsius) continue;
      most = most ? std::max(*most, *port.temperature_celsius) : *port.temperature_celsius;
    }
    return most;
  });
  return chart;
}

/// Without a table: the record has it, and a day has 1440 windows.
std::string drawn(const Chart& chart) {
  return chart.series.empty() ? "" : figure(chart, std::string());
}

std::string pair(const std::string& one, const std::string& other) {
  if (one.empty() && other.empty()) return "";
  return side_by_side(one + other);
}

}  // namespace

std::string soak_series_part(const SoakBody& body, const std::optional<Record>& samples) {
  if (!samples) {
    return section("Over time",
                   "<p class=\"words\">The samples are in the record " + escaped(body.record) +
                       ", which is not in the folder of this result. Report the record "
                       "itself to see them.</p>\n");
  }
  const Charts charts(body, *samples);
  std::string html =
      "<p class=\"words\">Drag across a chart to zoom into that time on all of them, double-click "
      "to see all. Findings are lines; windows that decide the outcome and gaps are shaded.</p>\n" +
      pair(drawn(ratios(charts, *samples)), drawn(counters(charts, *samples, true)));
  const std::size_t phases = std::min(samples->header.plan.size(), kMostPhases);
  for (std::size_t phase = 0; phase < phases; ++phase) {
    const std::string both =
        pair(drawn(bandwidth(charts, *samples, phase)), drawn(times(charts, *samples, phase)));
    html += phase < kOpen ? both : folded(name_of(samples->header.plan[phase]), both);
  }
  html += left_out(samples->header.plan.size() - phases, "phases");
  html += folded("Congestion, memory, temperature",
                 pair(drawn(counters(charts, *samples, false)), drawn(memory(charts))) +
                     drawn(temperatures(charts)));
  return section("Over time", html);
}

}  // namespace railgauge::report
