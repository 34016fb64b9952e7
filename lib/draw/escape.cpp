#include "draw/escape.hpp"

#include <nlohmann/json.hpp>

namespace railgauge::draw {
namespace {

std::string valid_utf8(std::string_view text) {
  using nlohmann::json;
  return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace));
}

std::string_view entity(char character) {
  switch (character) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return "";
  }
}

/// XML 1.0, section 2.2 allows no control characters except tab, line feed and carriage return. The
/// last is left out as well, since parsers drop it.
bool is_not_xml(char character) {
  const auto byte = static_cast<unsigned char>(character);
  constexpr unsigned char kDelete = 0x7f;
  return byte == kDelete || (byte < ' ' && character != '\n' && character != '\t');
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char character : valid_utf8(text)) {
    const std::string_view known = entity(character);
    if (!known.empty()) {
      safe += known;
    } else if (!is_not_xml(character)) {
      safe += character;
    }
  }
  return safe;
}

}  // namespace railgauge::draw
