#pragma once

#include <sstream>
#include <string>

namespace railgauge::draw {

/// A picture being drawn, in light or dark as the viewer prefers. Texts may hold anything: they are
/// escaped. Lengths are in pixels, from the upper left corner.
class Svg {
 public:
  Svg(const std::string& title, int width, int height);

  enum class Box { node, device, dashed };
  void box(Box kind, int x, int y, int width, int height);

  enum class Text { plain, strong, title, dim, small, alarm };
  void label(int x, int y, const std::string& text, Text kind = Text::dim);
  /// A label in smaller letters if it would exceed `width`.
  void fitted(int x, int y, int width, const std::string& text);

  /// A coloured pill with a text; `colour` is a number, modulo 8.
  void pill(int colour, int x, int y, int width, int height, const std::string& text);
  /// A square in a CSS colour, with `hint` as its tooltip.
  void cell(const std::string& colour, int x, int y, int side, const std::string& hint);
  /// A line straight down, one straight across, and a dot on it.
  void wire(int x, int from, int to);
  void wire_across(int y, int from, int to);
  void dot(int x, int y);

  /// The whole document; nothing may be drawn after it.
  std::string text();

 private:
  std::ostringstream out_;
};

}  // namespace railgauge::draw
