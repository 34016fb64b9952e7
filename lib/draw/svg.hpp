#pragma once

#include <sstream>
#include <string>

namespace railgauge::draw {

/// A picture being drawn, for light and dark: whoever looks at it decides. Texts may hold anything.
/// Lengths are in pixels, from the left upper corner.
class Svg {
 public:
  Svg(const std::string& title, int width, int height);

  enum class Box { node, device, dashed };
  void box(Box kind, int x, int y, int width, int height);

  enum class Text { plain, strong, title, dim, small };
  void label(int x, int y, const std::string& text, Text kind = Text::dim);
  /// A label in smaller letters if it would be wider.
  void fitted(int x, int y, int width, const std::string& text);

  /// A coloured pill with a text; those of one number have one colour, which 8 numbers on recurs.
  void pill(int colour, int x, int y, int width, int height, const std::string& text);
  /// A square in a colour as CSS writes it; whoever points at it reads `hint`.
  void cell(const std::string& colour, int x, int y, int side, const std::string& hint);
  /// A line straight down, and a dot on it.
  void wire(int x, int from, int to);
  void dot(int x, int y);

  /// The whole document. The last call.
  std::string text();

 private:
  std::ostringstream out_;
};

}  // namespace railgauge::draw
