#include "topology/report.hpp"

#include <algorithm>
#include <cstddef>

#include "draw/svg.hpp"
#include "topology/picture_columns.hpp"
#include "topology/text_layout.hpp"

namespace railgauge::topology {
namespace {

using draw::Svg;

constexpr int kMargin = 24;
constexpr int kColumn = 186;  // of a device
constexpr int kGap = 12;
constexpr int kBox = kColumn - kGap;  // width of what is in a column
constexpr int kHead = 64;             // the title and the line below it
constexpr int kNodeHead = 50;         // its two lines of text
constexpr int kChip = 24;             // a rank's line
constexpr int kBridge = 20;           // a bridge's line
constexpr int kLine = 16;             // of a device
constexpr int kCause = 13;            // a line of a cause
constexpr int kWires = 24;            // between a device and its rail, or a bridge
constexpr int kRail = 26;
constexpr std::size_t kWrongWidth = 110;  // letters of a line below the title

int size(std::size_t count) {
  return static_cast<int>(count);
}

int width(const PicturePart& part) {
  return size(width_of(part)) * kColumn + kGap;
}

int width(const PictureBand& band) {
  int sum = -kGap;
  for (const PicturePart& part : band) sum += width(part) + kGap;
  return sum;
}

/// How high things are, for all nodes of a band alike.
class Heights {
 public:
  explicit Heights(const PictureBand& band) {
    for (const PicturePart& part : band) {
      const int across = width(part) / kColumn;
      ranks_ = std::max(ranks_, (size(part.ranks.size()) + across - 1) / across);
      for (const PictureColumn& column : part.columns) {
        bridges_ = std::max(bridges_, size(column.bridges.size()));
        lines_ = std::max(
            lines_, kLine * size(column.lines.size() + 1) + kCause * size(column.causes.size()));
        rails_ = rails_ || column.place.rail >= 0;
      }
      columns_ = columns_ || !part.columns.empty();
    }
  }

  [[nodiscard]] int node() const { return kNodeHead + ranks_ * kChip + 10; }
  /// Below the node's upper edge.
  [[nodiscard]] int device_top() const { return node() + bridges_ * kBridge + kWires; }
  [[nodiscard]] int device() const { return lines_ + 16; }
  [[nodiscard]] int rail_top() const { return device_top() + device() + kWires; }
  [[nodiscard]] int all() const {
    if (!columns_) return node();
    return rails_ ? rail_top() + kRail : device_top() + device();
  }

 private:
  int ranks_ = 0;    // rows of them in a node
  int bridges_ = 0;  // above any device
  int lines_ = 0;    // of any device
  bool rails_ = false;
  bool columns_ = false;
};

class Drawing {
 public:
  explicit Drawing(const HostReport& host)
      : host_(host),
        bands_(picture_bands(host)),
        wrong_(wrong_lines(host)),
        svg_(host.map.host, total_width(), total_height()) {}

  std::string svg() {
    svg_.label(kMargin, 28, host_.map.host, Svg::Text::title);
    svg_.label(kMargin, 48,
               std::to_string(rails_of(host_.rails)) + " rails, " +
                   std::to_string(host_.ranks.size()) + " ranks placed; dashed: no rail");
    int top = 48;
    for (const std::string& line : wrong_)
      svg_.label(kMargin, top += kLine, line, Svg::Text::alarm);
    top += kHead - 48;
    for (const PictureBand& band : bands_) {
      const Heights heights(band);
      int left = kMargin;
      for (const PicturePart& part : band) {
        draw(part, heights, left, top);
        left += width(part) + kGap;
      }
      top += heights.all() + kMargin;
    }
    return svg_.text();
  }

 private:
  static std::vector<std::string> wrong_lines(const HostReport& host) {
    std::vector<std::string> lines;
    for (const std::string& sentence : wrong_with_no_port(host)) {
      for (std::string& line : wrapped(sentence, kWrongWidth)) lines.push_back(std::move(line));
    }
    return lines;
  }

  [[nodiscard]] int total_width() const {
    int widest = wrong_.empty() ? 0 : 4 * kColumn;
    for (const PictureBand& band : bands_) widest = std::max(widest, width(band));
    return widest + 2 * kMargin;
  }

  [[nodiscard]] int total_height() const {
    int sum = kHead + size(wrong_.size()) * kLine;
    for (const PictureBand& band : bands_) sum += Heights(band).all() + kMargin;
    return sum;
  }

  void draw(const PicturePart& part, const Heights& heights, int left, int top) {
    svg_.box(Svg::Box::node, left, top, width(part), heights.node());
    svg_.label(left + kGap, top + 20, part.title, Svg::Text::strong);
    svg_.fitted(left + kGap, top + 38, width(part) - 2 * kGap, part.subtitle);
    draw_ranks(part, left + kGap, top);
    draw_paths(part, heights, left + kGap, top);
    int x = left + kGap;
    for (const PictureColumn& column : part.columns) {
      draw_device(column, x, top + heights.device_top(), heights.device());
      if (column.place.rail >= 0) draw_rail(column.place, x, top + heights.rail_top());
      x += kColumn;
    }
  }

  void draw_ranks(const PicturePart& part, int left, int top) {
    const int across = width(part) / kColumn;
    for (int i = 0; i < size(part.ranks.size()); ++i) {
      const std::size_t rank = part.ranks[static_cast<std::size_t>(i)];
      const std::set<int> rails = rails_of(host_, host_.ranks[rank]);
      std::string text = "rank " + std::to_string(rank);
      if (!rails.empty()) text += (rails.size() == 1 ? ": rail " : ": rails ") + cpu_list(rails);
      svg_.pill(rails.empty() ? 0 : *rails.begin(), left + i % across * kColumn,
                top + kNodeHead + i / across * kChip, kBox, kChip - 4, text);
    }
  }

  /// The columns from `first` on, before `end`, below one bridge or the node.
  struct Run {
    std::size_t first = 0;
    std::size_t end = 0;
    std::size_t depth = 0;  // of the bridges that they do not have in common
  };

  static int middle(const Run& run, int left) {
    return left + size(run.first + run.end - 1) * kColumn / 2 + kBox / 2;
  }

  /// The runs below that have their next bridge in common.
  static std::vector<Run> parted(const PicturePart& part, const Run& run) {
    const auto next = [&](std::size_t i) {
      const auto& bridges = part.columns[i].bridges;
      return run.depth < bridges.size() ? bridges[run.depth] : "";
    };
    std::vector<Run> runs;
    for (std::size_t i = run.first; i < run.end; ++i) {
      const bool same = i > run.first && !next(i).empty() && next(i) == next(i - 1);
      if (!same) runs.push_back({i, i, run.depth + 1});
      runs.back().end = i + 1;
    }
    return runs;
  }

  void draw_paths(const PicturePart& part, const Heights& heights, int left, int top) {
    const Run all{0, part.columns.size(), 0};
    for (const Run& run : parted(part, all)) {
      draw_path(part, run, left, top + heights.node(), top + heights.device_top());
    }
  }

  /// Down to a bridge, or to a device that has none left.
  void draw_path(const PicturePart& part, const Run& run, int left, int from, int device_top) {
    const auto& bridges = part.columns[run.first].bridges;
    const int x = middle(run, left);
    if (run.depth > bridges.size()) {
      svg_.wire(x, from, device_top);
      return;
    }
    const int y = from + kBridge;
    const std::vector<Run> below = parted(part, run);
    svg_.wire(x, from, y);
    if (below.size() > 1) {
      svg_.wire_across(y, middle(below.front(), left), middle(below.back(), left));
    }
    for (const Run& one : below) draw_path(part, one, left, y, device_top);
    svg_.dot(x, y);
    svg_.label(x + 8, y - 4, bridges[run.depth - 1], Svg::Text::small);
  }

  void draw_device(const PictureColumn& column, int x, int top, int height) {
    svg_.box(column.place.rail < 0 ? Svg::Box::dashed : Svg::Box::device, x, top, kBox, height);
    int y = top + 18;
    svg_.label(x + 10, y, column.name, Svg::Text::strong);
    for (const std::string& line : column.lines) svg_.fitted(x + 10, y += kLine, kBox - 20, line);
    y += kLine - kCause;
    for (const std::string& line : column.causes) {
      svg_.label(x + 10, y += kCause, line, column.alarming ? Svg::Text::alarm : Svg::Text::small);
    }
  }

  void draw_rail(const RailPlane& place, int x, int top) {
    svg_.wire(x + kBox / 2, top - kWires, top);
    svg_.pill(place.rail, x, top, kBox, kRail, rail_text(place));
  }

  const HostReport& host_;
  std::vector<PictureBand> bands_;
  std::vector<std::string> wrong_;
  Svg svg_;
};

}  // namespace

std::string as_svg(const HostReport& host) {
  return Drawing(host).svg();
}

}  // namespace railgauge::topology
