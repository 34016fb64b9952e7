#pragma once

#include <string>
#include <utility>
#include <vector>

namespace railgauge::report {

enum class Unit {
  bytes,
  microseconds,
  gigabytes_per_second,
  percent,
  time,  // UTC, in seconds since 1970
  ratio,
  events,  // packets, frames, ...
  megabytes,
  celsius
};

enum class Scale {
  logarithmic,
  linear,  // from 0 on; the reader can make it logarithmic
  whole    // from 0 to 100 %
};

struct Series {
  std::string label{};
  bool ours = true;  // else a line to compare with: thinner, and dashed
  std::vector<std::pair<double, double>> points{};
  /// Whose colour it has, which is the same on the whole page; lines of one algorithm differ in
  /// their dashes. Empty: of no algorithm, grey.
  std::string algorithm{};
};

/// What happened at a moment: a line across the chart.
struct Mark {
  double x = 0;
  std::string label{};
  bool bad = false;
};

/// A time that is not as others: a window that failed, a gap.
struct Band {
  double from = 0;
  double to = 0;
  bool bad = false;
};

/// Lines over one axis. x is logarithmic, but for time, which can be zoomed into: all charts of it
/// on a page show the same part.
struct Chart {
  std::string title{};
  Unit x = Unit::bytes;
  Unit y = Unit::microseconds;
  Scale scale = Scale::logarithmic;
  std::vector<Series> series{};
  bool ordered = false;  // its lines are steps of one thing (sizes): shades from dark to light
  std::vector<Mark> marks{};
  std::vector<Band> bands{};
};

/// A figure with a place for the drawing, its data as JSON for page.js, what it shows in words, and
/// the same as a table, folded up. Nothing without series.
std::string figure(const Chart& chart);

/// The same with a table of one's own, as HTML.
std::string figure(const Chart& chart, const std::string& table);

/// Where each line begins and ends, and the highest or, of times, the shortest that it has: for
/// those who do not see it.
std::string in_words(const Chart& chart);

}  // namespace railgauge::report
