#include "draw/svg.hpp"

#include <algorithm>
#include <utility>

#include "draw/escape.hpp"

namespace railgauge::draw {
namespace {

constexpr int kFontSize = 11;
constexpr int kGlyph = 6;  // the usual width of such a letter
/// Everything has its colours by class, for light grounds and for dark ones; on paper it is light.
/// All is under one class, since a page takes a picture's style for its own.
constexpr const char* kStyle =
    "<style>.rg .back{fill:#fff}.rg .node{fill:#f3f5f8;stroke:#9aa4b2}"
    ".rg .device{fill:#fff;stroke:#475569}"
    ".rg rect[fill]{stroke:#94a3b8;stroke-width:.5}.rg .wire{stroke:#64748b;fill:none}.rg "
    ".gap{fill:none;stroke:#0f172a}"
    ".rg text{fill:#0f172a}.rg .dim{fill:#526071}"
    ".rg .halo{stroke:#fff;stroke-width:3;paint-order:stroke}"
    ".rg .line0{stroke:#0b5fae}.rg .line1{stroke:#b4460b}.rg .line2{stroke:#00724f}"
    ".rg .line3{stroke:#9c3f77}.rg .fill0{fill:#0b5fae}.rg .fill1{fill:#b4460b}"
    ".rg .fill2{fill:#00724f}.rg .fill3{fill:#9c3f77}"
    "@media screen and (prefers-color-scheme:dark){.rg .back{fill:#0f172a}"
    ".rg .node{fill:#1e293b;stroke:#64748b}.rg .device{fill:#0f172a;stroke:#94a3b8}"
    ".rg .wire{stroke:#94a3b8}.rg .gap{stroke:#e2e8f0}"
    ".rg text{fill:#e2e8f0}.rg .dim{fill:#a3b1c4}"
    ".rg .halo{stroke:#0f172a}"
    ".rg .line0{stroke:#6cb8f0}.rg .line1{stroke:#ff9d5c}.rg .line2{stroke:#3fcf9f}"
    ".rg .line3{stroke:#e8a3cd}.rg .fill0{fill:#6cb8f0}.rg .fill1{fill:#ff9d5c}"
    ".rg .fill2{fill:#3fcf9f}.rg .fill3{fill:#e8a3cd}}</style>\n";

const char* style(Svg::Text kind) {
  switch (kind) {
    case Svg::Text::plain: return "";
    case Svg::Text::strong: return " font-weight='600'";
    case Svg::Text::title: return " font-size='16' font-weight='600'";
    case Svg::Text::dim: return " class='dim'";
    case Svg::Text::small: break;
  }
  return " class='dim' font-size='10'";
}

std::string tooltip(const std::string& hint) {
  return hint.empty() ? "" : "<title>" + escaped(hint) + "</title>";
}

int size_of(Svg::Text kind) {
  constexpr int kStrong = 12;  // its letters are wider
  constexpr int kTitle = 17;
  if (kind == Svg::Text::title) return kTitle;
  return kind == Svg::Text::strong ? kStrong : kFontSize;
}

/// In UTF-8.
bool begins_a_letter(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

}  // namespace

std::string svg_head(const std::string& title, const std::string& description, int width,
                     int height) {
  const std::string across = std::to_string(width);
  const std::string down = std::to_string(height);
  return "<svg xmlns='http://www.w3.org/2000/svg' class='rg' role='img' viewBox='0 0 " + across +
         " " + down + "' width='" + across + "' height='" + down +
         "' style='max-width:100%;height:auto' font-family='system-ui, sans-serif' font-size='" +
         std::to_string(kFontSize) + "'>\n<title>" + escaped(title) + "</title>\n" +
         (description.empty() ? "" : "<desc>" + escaped(description) + "</desc>\n") + kStyle +
         "<rect class='back' width='100%' height='100%'/>\n";
}

int width_of(std::string_view text, int font_size) {
  const auto letters = static_cast<int>(std::ranges::count_if(text, begins_a_letter));
  return (letters * kGlyph * font_size + kFontSize - 1) / kFontSize;
}

std::string fitting(std::string_view text, int width) {
  constexpr int kDots = 3;
  if (width_of(text) <= width) return std::string(text);
  int left = std::max(0, width / kGlyph - kDots);
  std::size_t end = 0;
  while (end < text.size() && (!begins_a_letter(text[end]) || left-- > 0)) ++end;
  return std::string(text.substr(0, end)) + "...";
}

Svg::Svg(std::string title, int width, int height, std::string description)
    : title_(std::move(title)),
      description_(std::move(description)),
      width_(width),
      height_(height) {}

void Svg::label(int x, int y, const std::string& text, Text kind) {
  constexpr int kMargin = 8;
  width_ = std::max(width_, x + width_of(text, size_of(kind)) + kMargin);
  out_ << "<text x='" << x << "' y='" << y << "'" << style(kind) << ">" << escaped(text)
       << "</text>\n";
}

void Svg::turned(int x, int y, const std::string& text, Text kind) {
  out_ << "<text transform='translate(" << x << " " << y << ") rotate(-90)'" << style(kind) << ">"
       << escaped(text) << "</text>\n";
}

void Svg::cell(const std::string& colour, int x, int y, int side, const std::string& hint) {
  out_ << "<rect fill='" << colour << "' x='" << x << "' y='" << y << "' width='" << side
       << "' height='" << side << "'><title>" << escaped(hint) << "</title></rect>\n";
}

void Svg::crossed(int x, int y, int side, const std::string& hint) {
  const int far = side - 3;
  out_ << "<rect class='gap' x='" << x << "' y='" << y << "' width='" << side - 1 << "' height='"
       << side - 1 << "'><title>" << escaped(hint) << "</title></rect>\n<path class='gap' d='M"
       << x + 2 << " " << y + 2 << "l" << far - 2 << " " << far - 2 << "m0 " << 2 - far << "l"
       << 2 - far << " " << far - 2 << "' pointer-events='none'/>\n";
}

void Svg::box(const char* style_class, int x, int y, int width, int height,
              const std::string& hint) {
  out_ << "<rect class='" << style_class << "' x='" << x << "' y='" << y << "' width='" << width
       << "' height='" << height << "'>" << tooltip(hint) << "</rect>\n";
}

void Svg::lines(const char* style_class, const std::string& commands, bool dashed) {
  if (commands.empty()) return;
  out_ << "<path class='" << style_class << "' fill='none'"
       << (dashed ? " stroke-dasharray='4 3'" : "") << " d='" << commands << "'/>\n";
}

void Svg::shape(const char* style_class, const std::string& commands, const std::string& hint) {
  if (commands.empty()) return;
  out_ << "<path class='" << style_class << "' d='" << commands << "'>" << tooltip(hint)
       << "</path>\n";
}

std::string Svg::text() const {
  return svg_head(title_, description_, width_, height_) + out_.str() + "</svg>\n";
}

}  // namespace railgauge::draw
