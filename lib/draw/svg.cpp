#include "draw/svg.hpp"

#include <algorithm>
#include <array>

#include "draw/escape.hpp"

namespace railgauge::draw {
namespace {

constexpr std::array<const char*, 8> kColours{"#0b6bcb", "#c2410c", "#15803d", "#7e22ce",
                                              "#0e7490", "#be123c", "#a16207", "#4d7c0f"};
constexpr double kFontSize = 11;
constexpr std::size_t kGlyph = 6;  // the usual width of such a letter
constexpr const char* kStyle =
    "<style>.back{fill:#fff}.node{fill:#f3f5f8;stroke:#9aa4b2}.device{fill:#fff;stroke:#475569}"
    ".dashed{fill:none;stroke:#94a3b8;stroke-dasharray:4 3}.wire{stroke:#64748b;fill:none}"
    "text{fill:#0f172a}.dim{fill:#526071}.on{fill:#fff;font-weight:600}.alarm{fill:#b91c1c}"
    "@media (prefers-color-scheme:dark){.back{fill:#0f172a}.node{fill:#1e293b;stroke:#64748b}"
    ".device{fill:#0f172a;stroke:#94a3b8}.dashed{stroke:#64748b}.wire{stroke:#94a3b8}"
    "text{fill:#e2e8f0}.dim{fill:#a3b1c4}.on{fill:#fff}.alarm{fill:#f87171}}</style>\n";

const char* name(Svg::Box kind) {
  switch (kind) {
    case Svg::Box::node: return "node";
    case Svg::Box::device: return "device";
    case Svg::Box::dashed: break;
  }
  return "dashed";
}

const char* style(Svg::Text kind) {
  switch (kind) {
    case Svg::Text::plain: return "";
    case Svg::Text::strong: return " font-weight='600'";
    case Svg::Text::title: return " font-size='16' font-weight='600'";
    case Svg::Text::dim: return " class='dim'";
    case Svg::Text::alarm: return " class='alarm' font-size='10'";
    case Svg::Text::small: break;
  }
  return " class='dim' font-size='10'";
}

}  // namespace

Svg::Svg(const std::string& title, int width, int height) {
  out_ << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " << width << " " << height
       << "' width='" << width << "' height='" << height
       << "' font-family='system-ui, sans-serif' font-size='" << kFontSize << "'>\n<title>"
       << escaped(title) << "</title>\n"
       << kStyle << "<rect class='back' width='100%' height='100%'/>\n";
}

void Svg::box(Box kind, int x, int y, int width, int height) {
  out_ << "<rect class='" << name(kind) << "' x='" << x << "' y='" << y << "' width='" << width
       << "' height='" << height << "' rx='6'/>\n";
}

void Svg::label(int x, int y, const std::string& text, Text kind) {
  out_ << "<text x='" << x << "' y='" << y << "'" << style(kind) << ">" << escaped(text)
       << "</text>\n";
}

void Svg::fitted(int x, int y, int width, const std::string& text) {
  if (text.size() * kGlyph <= static_cast<std::size_t>(width)) {
    label(x, y, text);
    return;
  }
  // Smaller letters rather than textLength, which not every viewer supports.
  const auto size =
      kFontSize * static_cast<double>(width) / static_cast<double>(text.size() * kGlyph);
  out_ << "<text x='" << x << "' y='" << y << "' class='dim' font-size='" << size << "'>"
       << escaped(text) << "</text>\n";
}

void Svg::pill(int colour, int x, int y, int width, int height, const std::string& text) {
  out_ << "<rect fill='"
       << kColours[static_cast<std::size_t>(std::max(colour, 0)) % kColours.size()] << "' x='" << x
       << "' y='" << y << "' width='" << width << "' height='" << height << "' rx='" << height / 2
       << "'/>\n<text x='" << x + width / 2 << "' y='" << y + height / 2 + 4
       << "' class='on' text-anchor='middle'>" << escaped(text) << "</text>\n";
}

void Svg::cell(const std::string& colour, int x, int y, int side, const std::string& hint) {
  out_ << "<rect fill='" << colour << "' x='" << x << "' y='" << y << "' width='" << side
       << "' height='" << side << "'><title>" << escaped(hint) << "</title></rect>\n";
}

void Svg::wire(int x, int from, int to) {
  out_ << "<path class='wire' d='M" << x << " " << from << "V" << to << "'/>\n";
}

void Svg::wire_across(int y, int from, int to) {
  out_ << "<path class='wire' d='M" << from << " " << y << "H" << to << "'/>\n";
}

void Svg::dot(int x, int y) {
  out_ << "<circle class='device' cx='" << x << "' cy='" << y << "' r='3'/>\n";
}

std::string Svg::text() {
  out_ << "</svg>\n";
  return out_.str();
}

}  // namespace railgauge::draw
