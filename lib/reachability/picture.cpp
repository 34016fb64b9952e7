// picture() of heat_map.hpp.

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

#include "draw/svg.hpp"
#include "reachability/heat_map.hpp"

namespace railgauge::reachability {
namespace {

using draw::Svg;

constexpr int kSide = 14;  // of a pair
constexpr int kGap = 6;    // between hosts
constexpr int kMargin = 24;
constexpr int kTop = 96;
constexpr int kLegend = 640;  // wide enough for it
constexpr int kLetter = 7;    // its usual width
// From red over yellow to green; faster pairs have the last one, too.
constexpr std::array<const char*, 10> kColours{"#b91c1c", "#dc2626", "#ea580c", "#f97316",
                                               "#f59e0b", "#eab308", "#a3e635", "#84cc16",
                                               "#4ade80", "#16a34a"};
constexpr const char* kUnreachable = "#111827";

class Picture {
 public:
  explicit Picture(const Matrix& matrix)
      : matrix_(matrix),
        same_(kind_of(matrix, true)),
        cross_(kind_of(matrix, false)),
        left_(kMargin + label_width(matrix)),
        svg_("Reachability", std::max(left_ + extent() + kMargin, kLegend),
             kTop + extent() + kMargin) {}

  std::string text() {
    svg_.label(kMargin, 28, "Reachability", Svg::Text::title);
    svg_.label(kMargin, 48,
               std::to_string(matrix_.nics().size()) +
                   " NICs: rows send, columns receive. Green: as fast as the median of its kind; "
                   "red: slow; black: unreachable");
    for (std::size_t nic = 0; nic < matrix_.nics().size(); ++nic) {
      const Nic& one = matrix_.nics()[nic];
      svg_.label(kMargin, kTop + offset(nic) + kSide - 3, row_name(one));
      const int digit = matrix_.has_planes() ? one.plane : one.rail;
      svg_.label(left_ + offset(nic) + 3, kTop - 6, std::to_string(digit), Svg::Text::small);
      if (matrix_.begins_host(nic)) svg_.label(left_ + offset(nic) + 3, kTop - 20, one.host);
      row(nic);
    }
    return svg_.text();
  }

 private:
  static std::string row_name(const Nic& nic) {
    const std::string plane = nic.plane > 0 ? "." + std::to_string(nic.plane) : "";
    return nic.host + " " + std::to_string(nic.rail) + plane + " " + nic.device;
  }

  static int label_width(const Matrix& matrix) {
    std::size_t most = 0;
    for (const Nic& nic : matrix.nics()) most = std::max(most, row_name(nic).size());
    return static_cast<int>(most) * kLetter;
  }

  /// From the left, or the top, of the matrix.
  [[nodiscard]] int offset(std::size_t nic) const {
    int pixels = 0;
    for (std::size_t i = 1; i <= nic; ++i) pixels += kSide + (matrix_.begins_host(i) ? kGap : 0);
    return pixels;
  }

  [[nodiscard]] int extent() const {
    return matrix_.nics().empty() ? 0 : offset(matrix_.nics().size() - 1) + kSide;
  }

  void row(std::size_t from) {
    const std::string sender = matrix_.name(from);
    for (std::size_t to = 0; to < matrix_.nics().size(); ++to) {
      const auto& reach = matrix_.at(from, to);
      if (!reach) continue;
      svg_.cell(colour(*reach, matrix_.same_rail(from, to)), left_ + offset(to),
                kTop + offset(from), kSide - 1,
                sender + " to " + matrix_.name(to) + ": " + figures(*reach));
    }
  }

  [[nodiscard]] const char* colour(const Reach& reach, bool same_rail) const {
    if (!reach.reached) return kUnreachable;
    return kColours[static_cast<std::size_t>(tenths(reach, same_rail ? same_ : cross_))];
  }

  static std::string figures(const Reach& reach) {
    if (!reach.reached) return reach.reason;
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.3g GB/s, %.3g us", reach.gigabytes_per_second,
                  reach.latency_us);
    return text.data();
  }

  const Matrix& matrix_;
  Kind same_;
  Kind cross_;
  int left_;
  Svg svg_;
};

}  // namespace

std::string picture(const Matrix& matrix) {
  return Picture(matrix).text();
}

}  // namespace railgauge::reachability
