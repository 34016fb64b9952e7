#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <sstream>

#include "draw/axis.hpp"
#include "draw/escape.hpp"
#include "draw/svg.hpp"
#include "predict/prediction.hpp"

namespace railgauge::predict {
namespace {

// Pixels.
constexpr int kWidth = 900;
constexpr int kLeft = 70;
constexpr int kRight = 200;  // for names of lines
constexpr int kTop = 50;
constexpr int kPlot = 320;
constexpr int kColours = 4;

struct Dot {
  int x = 0;
  double value = 0;
};

struct Line {
  std::string name{};
  std::vector<Dot> dots{};
};

int column(std::size_t at, std::size_t of) {
  const std::size_t gaps = std::max<std::size_t>(1, of - 1);
  return kLeft + static_cast<int>(at * static_cast<std::size_t>(kWidth - kLeft - kRight) / gaps);
}

/// Bus bandwidth of every algorithm and size.
std::vector<Line> lines_of(const Sweep& sweep) {
  std::vector<Line> lines;
  std::map<std::string, std::size_t> known;
  for (std::size_t at = 0; at < sweep.forecasts.size(); ++at) {
    for (const Prediction& row : sweep.forecasts[at].rows) {
      const bool sizes = sweep.axis == "size";
      const std::string name =
          row.algorithm + (sizes ? "" : ", " + fabric::counted(row.bytes) + " B");
      const auto [found, is_new] = known.try_emplace(name, lines.size());
      if (is_new) lines.push_back({name});
      lines[found->second].dots.push_back({column(at, sweep.forecasts.size()), row.busbw});
    }
  }
  return lines;
}

int height_of(double value, double most) {
  return kTop + kPlot - static_cast<int>(std::lround(kPlot * value / most));
}

void text(std::ostringstream& out, int x, int y, const std::string& said, const char* anchor) {
  out << "<text x='" << x << "' y='" << y << "' text-anchor='" << anchor << "'>"
      << draw::escaped(said) << "</text>\n";
}

void draw_axes(std::ostringstream& out, const Sweep& sweep, double most) {
  constexpr int kSteps = 5;
  for (int step = 0; step <= kSteps; ++step) {
    const double value = most * step / kSteps;
    const int y = height_of(value, most);
    out << "<line class='wire' x1='" << kLeft << "' y1='" << y << "' x2='" << kWidth - kRight
        << "' y2='" << y << "'/>\n";
    text(out, kLeft - 8, y + 4, fabric::number(value), "end");
  }
  for (std::size_t at = 0; at < sweep.values.size(); ++at)
    text(out, column(at, sweep.values.size()), kTop + kPlot + 18, sweep.values[at], "middle");
  text(out, (kLeft + kWidth - kRight) / 2, kTop + kPlot + 40, sweep.axis, "middle");
  text(out, 10, kTop - 12, "busbw (GB/s)", "start");
}

}  // namespace

std::string as_svg(const Sweep& sweep) {
  const std::vector<Line> lines = lines_of(sweep);
  double most = 0;
  for (const Line& line : lines) {
    for (const Dot& dot : line.dots) most = std::max(most, dot.value);
  }
  most = draw::rounded_up(most);
  const int names = 16 * static_cast<int>(lines.size());
  std::ostringstream out;
  out << draw::svg_head("Predicted bus bandwidth by " + sweep.axis,
                        "A line for each algorithm and size.", kWidth,
                        kTop + std::max(kPlot, names) + 60);
  draw_axes(out, sweep, most);
  for (std::size_t at = 0; at < lines.size(); ++at) {
    const auto colour = at % kColours;
    out << "<polyline class='line" << colour << "' fill='none' points='";
    for (const Dot& dot : lines[at].dots) out << dot.x << "," << height_of(dot.value, most) << " ";
    out << "'/>\n";
    for (const Dot& dot : lines[at].dots) {
      out << "<circle class='fill" << colour << "' r='3' cx='" << dot.x << "' cy='"
          << height_of(dot.value, most) << "'><title>"
          << draw::escaped(lines[at].name + ": " + fabric::number(dot.value) + " GB/s")
          << "</title></circle>\n";
    }
    const int y = kTop + 16 * static_cast<int>(at) + 12;
    out << "<circle class='fill" << colour << "' r='4' cx='" << kWidth - kRight + 24 << "' cy='"
        << y - 4 << "'/>\n";
    text(out, kWidth - kRight + 34, y, lines[at].name, "start");
  }
  out << "</svg>\n";
  return out.str();
}

}  // namespace railgauge::predict
