#pragma once

#include <string>
#include <utility>
#include <vector>

namespace railgauge::report {

enum class Unit { bytes, microseconds, gigabytes_per_second, percent };

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

/// Lines over one axis; x is logarithmic.
struct Chart {
  std::string title{};
  Unit x = Unit::bytes;
  Unit y = Unit::microseconds;
  Scale scale = Scale::logarithmic;
  std::vector<Series> series{};
  bool ordered = false;  // its lines are steps of one thing (sizes): shades from dark to light
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
