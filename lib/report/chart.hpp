#pragma once

#include <string>
#include <utility>
#include <vector>

namespace railgauge::report {

enum class Unit { bytes, microseconds, gigabytes_per_second, percent };

struct Series {
  std::string label{};
  bool ours = true;  // else a line to compare with: dashed
  std::vector<std::pair<double, double>> points{};
  std::string beside{};  // the label of the line that it has the colour of; empty: one of its own
};

/// Lines over one axis; x is logarithmic.
struct Chart {
  std::string title{};
  Unit x = Unit::bytes;
  Unit y = Unit::microseconds;
  bool logarithmic_y = true;
  std::vector<Series> series{};
};

/// A figure with a place for the drawing, its data as JSON for page.js, and the same as a table,
/// folded up. Nothing without series.
std::string figure(const Chart& chart);

/// The same with a table of one's own, as HTML.
std::string figure(const Chart& chart, const std::string& table);

}  // namespace railgauge::report
