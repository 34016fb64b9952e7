#include <algorithm>

#include "report/chart.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"
#include "verdict/line_rate.hpp"
#include "verdict/matching.hpp"

namespace railgauge::report {
namespace {

using verdict::Curve;
using verdict::Point;
using verdict::Run;

using Figure = std::optional<double> Point::*;

/// The points of a curve that have the figure, each times a factor.
std::vector<std::pair<double, double>> points_of(const Curve& curve, Figure figure,
                                                 double factor = 1) {
  std::vector<std::pair<double, double>> points;
  for (const Point& point : curve.points) {
    const auto value = point.*figure;
    if (point.size_bytes && value && *value > 0) {
      points.emplace_back(static_cast<double>(*point.size_bytes), *value * factor);
    }
  }
  return points;
}

/// Two charts, of bandwidth and of time, that grow series by series.
class Pair {
 public:
  explicit Pair(const std::string& title)
      : busbw_{.title = title + ": bus bandwidth",
               .y = Unit::gigabytes_per_second,
               .scale = Scale::linear},
        time_{.title = title + ": time, median"} {}

  void add_busbw(Series series) { add(busbw_, std::move(series)); }
  void add_time(Series series) { add(time_, std::move(series)); }
  [[nodiscard]] std::string html() const { return side_by_side(figure(busbw_) + figure(time_)); }
  [[nodiscard]] bool empty() const { return busbw_.series.empty() && time_.series.empty(); }

 private:
  /// Runs of one result may have the same reference: it is drawn once.
  static void add(Chart& chart, Series series) {
    const bool there = std::ranges::any_of(chart.series, [&](const Series& other) {
      return other.label == series.label && other.points == series.points;
    });
    if (!series.points.empty() && !there) chart.series.push_back(std::move(series));
  }

  Chart busbw_;
  Chart time_;
};

void add_line_rate(Pair& pair, const Run& run, const Curve& curve) {
  const auto share = verdict::line_rate_fraction(run, 1);
  if (run.nodes == 1 || !share || *share <= 0) return;
  Series series{joined({"line rate", run.name}), false, {}, ""};
  for (const auto& [size, busbw] : points_of(curve, &Point::busbw_gigabytes_per_second)) {
    series.points.emplace_back(size, 1 / *share);
  }
  pair.add_busbw(series);
}

/// What a reference's bandwidth is worth on our NICs; 1 if GB/s are compared as they are.
std::optional<double> scale(const Run& ours, const Run& theirs, const verdict::Terms& terms) {
  if (terms.absolute) return 1;
  const auto our_share = verdict::line_rate_fraction(ours, 1);
  const auto their_share = verdict::line_rate_fraction(theirs, 1);
  if (!our_share || !their_share || *our_share <= 0) return std::nullopt;
  return *their_share / *our_share;
}

void add_reference(Pair& pair, const Run& ours, const Curve& curve,
                   const verdict::Reference& reference, const verdict::Terms& terms) {
  const verdict::Choice choice = nearest_run(ours, reference, terms);
  if (choice.run == nullptr) return;
  const std::vector<Curve> curves = curves_of(*choice.run);
  const Curve* const theirs = like(curve, curves);
  const auto factor = scale(ours, *choice.run, terms);
  if (theirs == nullptr || !factor) return;
  const std::string label = joined({reference.name, ours.name});
  pair.add_busbw({label + (terms.absolute ? "" : ", scaled to our line rate"), false,
                  points_of(*theirs, &Point::busbw_gigabytes_per_second, *factor), ""});
  if (choice.run->ranks == ours.ranks && choice.run->nodes == ours.nodes) {
    pair.add_time({label, false, points_of(*theirs, &Point::time_us), ""});
  }
}

std::string label_of(const Run& run, const Curve& curve) {
  const std::string label = joined({algorithms_of(curve), run.name});
  return label.empty() ? "measured" : label;
}

/// A log may not say what ran.
std::string colour_of(const Curve& curve) {
  return curve.algorithm.empty() ? "measured" : curve.algorithm;
}

void add_baseline(Pair& pair, const Run& ours, const Curve& curve,
                  const verdict::RunSet& baseline) {
  const verdict::Choice choice = same_run(ours, baseline.runs);
  if (choice.run == nullptr) return;
  const Curve theirs = by_our_algorithms(curve, curves_of(*choice.run));
  const std::string label = joined({"baseline " + baseline.name, algorithms_of(theirs), ours.name});
  pair.add_busbw(
      {label, false, points_of(theirs, &Point::busbw_gigabytes_per_second), colour_of(curve)});
  pair.add_time({label, false, points_of(theirs, &Point::time_us), colour_of(curve)});
}

std::string title_of(const Run& run, const Curve& curve) {
  const std::string op = curve.op == "none" ? "" : curve.op;
  return joined({plain(run.collective) + " " + curve.type + (op.empty() ? "" : " " + op),
                 plain(curve.buffers)});
}

using Charts = std::vector<std::pair<std::string, Pair>>;  // in the order in which they come

/// The first two stand open; a page holds no more than some dozens.
std::string html_of(const Charts& charts) {
  constexpr std::size_t kOpen = 2;
  constexpr std::size_t kMost = 24;
  std::string html;
  std::size_t shown = 0;
  for (const auto& [title, chart] : charts) {
    if (chart.empty() || shown == kMost) continue;
    html += shown++ < kOpen ? chart.html() : folded(title, chart.html());
  }
  return html + left_out(shown < kMost ? 0 : charts.size() - shown, "pairs of charts");
}

}  // namespace

std::string curves_part(const verdict::RunSet& run_set, const verdict::Criteria& criteria) {
  Charts charts;
  for (const Run& run : run_set.runs) {
    for (const Curve& curve : curves_of(run)) {
      const std::string title = title_of(run, curve) + (run_set.software ? " (SOFTWARE)" : "");
      auto chart = std::ranges::find_if(charts, [&](const auto& c) { return c.first == title; });
      if (chart == charts.end()) chart = charts.insert(charts.end(), {title, Pair(title)});
      const std::string ours = label_of(run, curve);
      chart->second.add_busbw(
          {ours, true, points_of(curve, &Point::busbw_gigabytes_per_second), colour_of(curve)});
      chart->second.add_time({ours, true, points_of(curve, &Point::time_us), colour_of(curve)});
      for (const auto& reference : criteria.references) {
        add_reference(chart->second, run, curve, reference, criteria.terms);
      }
      for (const auto& baseline : criteria.baselines) {
        add_baseline(chart->second, run, curve, baseline);
      }
      add_line_rate(chart->second, run, curve);
    }
  }
  return section("Bandwidth and time", html_of(charts));
}

}  // namespace railgauge::report
