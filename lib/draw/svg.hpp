#pragma once

#include <sstream>
#include <string>
#include <string_view>

namespace railgauge::draw {

/// How a picture begins: its title and description (for those who do not see it; may be empty), the
/// style of light and dark grounds, and the ground. It is as large as that many pixels, or as there
/// is room for. For who draws with classes of the style only: text ("", dim, halo), line0 to line3,
/// fill0 to fill3, wire, node, device. What follows ends with "</svg>\n".
std::string svg_head(const std::string& title, const std::string& description, int width,
                     int height);

/// About how many pixels a text is wide, rather more than less.
int width_of(std::string_view text, int font_size = 11);

/// The text; if it is wider than that many pixels, its beginning and "...".
std::string fitting(std::string_view text, int width);

/// A picture being drawn, in light or dark as the viewer prefers. Texts may hold anything: they are
/// escaped. Lengths are in pixels, from the upper left corner. Where a label needs more than
/// `width`, the picture becomes wider.
class Svg {
 public:
  Svg(std::string title, int width, int height, std::string description = "");

  enum class Text { plain, strong, title, dim, small };
  void label(int x, int y, const std::string& text, Text kind = Text::dim);
  /// A label that is read from below, and begins at this point.
  void turned(int x, int y, const std::string& text, Text kind = Text::dim);
  /// A square in a CSS colour, with `hint` as its tooltip.
  void cell(const std::string& colour, int x, int y, int side, const std::string& hint);
  /// The same, empty and crossed out: unlike any colour, on any ground.
  void crossed(int x, int y, int side, const std::string& hint);
  /// A rectangle in a class of the style, with `hint` as its tooltip.
  void box(const char* style_class, int x, int y, int width, int height, const std::string& hint);
  /// Lines in a class of the style, by commands of an SVG path: "M8 9h7".
  void lines(const char* style_class, const std::string& commands, bool dashed = false);
  /// What such commands enclose, with `hint` as its tooltip.
  void shape(const char* style_class, const std::string& commands, const std::string& hint);
  /// The whole document.
  [[nodiscard]] std::string text() const;

 private:
  std::string title_;
  std::string description_;
  int width_;
  int height_;
  std::ostringstream out_{};  // what is drawn
};

}  // namespace railgauge::draw
