#include "verdict/logs/encoding.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace railgauge::verdict {
namespace {

constexpr char kEscape = '\x1b';
constexpr std::string_view kHardBlank = "\xc2\xa0";

/// Which of two bytes is the high one; empty if the text is not of UTF-16.
std::optional<bool> high_byte_first(std::string_view text) {
  if (text.starts_with("\xff\xfe")) return false;
  if (text.starts_with("\xfe\xff")) return true;
  constexpr std::size_t kLetters = 8;
  if (text.size() < 2 * kLetters) return std::nullopt;
  const auto zeros = [&](std::size_t from) {
    for (std::size_t at = from; at < 2 * kLetters; at += 2) {
      if (text[at] != '\0' || text[at ^ 1U] == '\0') return false;
    }
    return true;
  };
  if (zeros(1)) return false;
  if (zeros(0)) return true;
  return std::nullopt;
}

void append_utf8(std::string& text, std::uint32_t letter) {
  const auto add = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  const auto add_rest = [&](unsigned shift) { add(0x80U | ((letter >> shift) & 0x3fU)); };
  if (letter < 0x80U) {
    add(letter);
  } else if (letter < 0x800U) {
    add(0xc0U | (letter >> 6U));
    add_rest(0);
  } else if (letter < 0x10000U) {
    add(0xe0U | (letter >> 12U));
    add_rest(6);
    add_rest(0);
  } else {
    add(0xf0U | (letter >> 18U));
    add_rest(12);
    add_rest(6);
    add_rest(0);
  }
}

std::string from_utf16(std::string_view text, bool high_first) {
  constexpr std::uint32_t kMark = 0xfeff;
  const auto unit = [&](std::size_t at) {
    const auto first = static_cast<unsigned char>(text[at]);
    const auto second = static_cast<unsigned char>(text[at + 1]);
    return high_first ? (std::uint32_t{first} << 8U) | second
                      : (std::uint32_t{second} << 8U) | first;
  };
  std::string result;
  for (std::size_t at = 0; at + 1 < text.size(); at += 2) {
    std::uint32_t letter = unit(at);
    const bool begins_pair = letter >= 0xd800U && letter < 0xdc00U;
    if (begins_pair && at + 3 < text.size()) {
      at += 2;
      letter = 0x10000U + ((letter - 0xd800U) << 10U) + (unit(at) - 0xdc00U);
    }
    if (letter != kMark) append_utf8(result, letter);
  }
  return result;
}

/// Where a control sequence that begins at `at` has ended.
std::size_t end_of_control(std::string_view line, std::size_t at) {
  if (at + 1 >= line.size()) return line.size();
  if (line[at + 1] == '[') {
    for (at += 2; at < line.size(); ++at) {
      if (line[at] >= '@' && line[at] <= '~') return at + 1;
    }
    return line.size();
  }
  if (line[at + 1] == ']') {
    const std::size_t end = line.find_first_of("\a\x1b", at + 2);
    if (end == std::string_view::npos) return line.size();
    const bool two = line.substr(end).starts_with("\x1b\\");
    return line[end] == '\a' ? end + 1 : end + (two ? 2 : 0);
  }
  return at + 2;
}

}  // namespace

std::string in_utf8(std::string_view text) {
  if (const auto high_first = high_byte_first(text)) return from_utf16(text, *high_first);
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  std::string plain(text);
  if (plain.find('\n') == std::string::npos) std::ranges::replace(plain, '\r', '\n');
  return plain;
}

std::string without_controls(std::string_view line) {
  std::string plain;
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == kEscape) {
      at = end_of_control(line, at);
    } else if (line.substr(at).starts_with(kHardBlank)) {
      plain += ' ';
      at += kHardBlank.size();
    } else {
      plain += line[at++];
    }
  }
  return plain;
}

}  // namespace railgauge::verdict
