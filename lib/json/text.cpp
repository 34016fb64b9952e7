#include "json/text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace railgauge::json {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kDeepest = 64;

std::string line_at(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  return "line " + std::to_string(1 + std::count(before.begin(), before.end(), '\n'));
}

/// Where brackets are opened deeper than kDeepest; npos if nowhere. Texts are passed over.
std::size_t too_deep(std::string_view text) {
  std::size_t depth = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      if (c == '\\') ++at;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepest) return at;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return std::string_view::npos;
}

/// `byte`: where a parser stopped, counted from 1.
std::string why_no_json(std::string_view text, std::size_t byte) {
  if (text.empty()) return "it is empty";
  if (byte > text.size()) {
    return "it ends in the middle, after " + std::to_string(text.size()) +
           " bytes: was it copied while it was written?";
  }
  return "it is no JSON: " + line_at(text, byte);
}

/// nlohmann says "number overflow parsing '1e400'" and not where.
std::string why_out_of_range(std::string_view text, std::string_view said) {
  const std::size_t begin = std::min(said.find('\''), said.size() - 1) + 1;
  const std::string_view number = said.substr(begin, said.rfind('\'') - begin);
  return line_at(text, text.find(number)) + ": " + std::string(number) +
         " is a number that nothing measures";
}

}  // namespace

Json json_of_text(std::string_view text) {
  if (const std::size_t at = too_deep(text); at != std::string_view::npos) {
    throw std::runtime_error(line_at(text, at) + ": it is nested deeper than " +
                             std::to_string(kDeepest) + " levels, which no document is");
  }
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw std::runtime_error(why_no_json(text, error.byte));
  } catch (const Json::out_of_range& error) {
    throw std::runtime_error(why_out_of_range(text, error.what()));
  }
}

std::optional<Json> maybe_json(std::string_view text) {
  try {
    return std::make_optional(json_of_text(text));
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

}  // namespace railgauge::json
