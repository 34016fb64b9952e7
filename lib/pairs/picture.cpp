// picture() of heat_map.hpp.

#include <algorithm>
#include <array>
#include <string>

#include "draw/svg.hpp"
#include "pairs/heat_map.hpp"

namespace railgauge::pairs {
namespace {

using draw::Svg;
using results::Endpoint;

constexpr int kSide = 14;  // of a pair
constexpr int kGap = 6;    // between hosts
constexpr int kMargin = 24;
constexpr int kHead = 132;   // its texts and legend
constexpr int kAxis = 20;    // an axis' name
constexpr int kStrong = 12;  // a font size: strong letters are wider
constexpr int kRail = 12;    // a column's rail
// From red over yellow to blue, which also those can tell apart who see no difference between red
// and green (ColorBrewer's RdYlBu); faster pairs have the last one, too.
constexpr std::array<const char*, 10> kColours{"#a50026", "#d73027", "#f46d43", "#fdae61",
                                               "#fee090", "#e0f3f8", "#abd9e9", "#74add1",
                                               "#4575b4", "#313695"};
constexpr const char* kSends = "sends: host, rail, device";
constexpr const char* kReceives = "receives: host, rail";
constexpr const char* kWhat =
    "A square is a path: its speed compared with the median of comparable fast paths.";

class Picture {
 public:
  explicit Picture(const Map& map)
      : map_(map),
        left_(kMargin + label_width(map)),
        top_(kHead + kAxis + host_width(map) + kRail),
        svg_("Pairs of NICs", width(), top_ + extent() + kMargin, kWhat) {}

  std::string text() {
    svg_.label(kMargin, 28, "Pairs of NICs", Svg::Text::title);
    svg_.label(kMargin, 48,
               std::to_string(map_.nics().size()) + " NICs. Rows send, columns receive.");
    svg_.label(kMargin, 64, kWhat);
    legend();
    svg_.label(left_, kHead + kAxis - 6, kReceives, Svg::Text::strong);
    svg_.label(kMargin, top_ - 3, kSends, Svg::Text::strong);
    for (std::size_t nic = 0; nic < map_.nics().size(); ++nic) {
      name_row_and_column(nic);
      row(nic);
    }
    return svg_.text();
  }

 private:
  [[nodiscard]] int width() const {
    return kMargin + std::max({left_ + extent(), left_ + draw::width_of(kReceives, kStrong),
                               kMargin + draw::width_of(kWhat)});
  }

  void legend() {
    constexpr int kStep = 20;
    constexpr int kTop = 80;
    int x = kMargin;
    for (std::size_t tenth = 0; tenth < kColours.size(); ++tenth, x += kStep) {
      svg_.cell(kColours.at(tenth), x, kTop, kSide, "");
      svg_.label(x, kTop + kSide + 10, std::to_string(tenth * 10), Svg::Text::small);
    }
    svg_.label(x, kTop + kSide + 10, "% of the median, and more", Svg::Text::small);
    x += draw::width_of("% of the median, and more") + kStep;
    svg_.crossed(x, kTop, kSide, "");
    svg_.label(x + kStep, kTop + kSide - 3, "failed");
    x += kStep + draw::width_of("failed") + kStep;
    svg_.label(x, kTop + kSide - 3, "empty: not tested");
  }

  void name_row_and_column(std::size_t nic) {
    const Endpoint& one = map_.nics()[nic];
    svg_.label(kMargin, top_ + offset(nic) + kSide - 3, row_name(one));
    const int digit = map_.has_planes() ? one.plane : one.rail;
    svg_.label(left_ + offset(nic) + 3, top_ - 3, std::to_string(digit), Svg::Text::small);
    if (map_.begins_host(nic)) {
      svg_.turned(left_ + offset(nic) + kSide - 3, top_ - kRail - 4, one.host);
    }
  }

  static std::string row_name(const Endpoint& nic) {
    const std::string plane = nic.plane > 0 ? "." + std::to_string(nic.plane) : "";
    return nic.host + " " + std::to_string(nic.rail) + plane + " " + nic.device;
  }

  static int label_width(const Map& map) {
    int most = draw::width_of(kSends, kStrong);
    for (const Endpoint& nic : map.nics()) most = std::max(most, draw::width_of(row_name(nic)));
    return most + kGap;
  }

  /// Of the columns' names, which stand on end.
  static int host_width(const Map& map) {
    int most = 0;
    for (const Endpoint& nic : map.nics()) most = std::max(most, draw::width_of(nic.host));
    return most + kGap;
  }

  /// From the left, or the top, of the map.
  [[nodiscard]] int offset(std::size_t nic) const {
    int pixels = 0;
    for (std::size_t i = 1; i <= nic; ++i) pixels += kSide + (map_.begins_host(i) ? kGap : 0);
    return pixels;
  }

  [[nodiscard]] int extent() const {
    return map_.nics().empty() ? 0 : offset(map_.nics().size() - 1) + kSide;
  }

  void row(std::size_t from) {
    for (std::size_t to = 0; to < map_.nics().size(); ++to) {
      const auto& cell = map_.at(from, to);
      if (!cell) continue;
      const std::string hint =
          row_name(map_.nics()[from]) + " to " + row_name(map_.nics()[to]) + ": " + cell->text;
      if (!cell->works) {
        svg_.crossed(left_ + offset(to), top_ + offset(from), kSide, hint);
      } else {
        svg_.cell(kColours.at(static_cast<std::size_t>(tenths(*cell))), left_ + offset(to),
                  top_ + offset(from), kSide - 1, hint);
      }
    }
  }

  const Map& map_;
  int left_;
  int top_;
  Svg svg_;
};

}  // namespace

std::string picture(const Map& map) {
  return Picture(map).text();
}

}  // namespace railgauge::pairs
