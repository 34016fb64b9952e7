#include "finding/words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <sstream>

namespace railgauge::finding {
namespace {

constexpr double kThousand = 1e3;
constexpr double kMillions = 1e7;
constexpr double kSmallest = 1e-9;
constexpr double kOfExponents = 1e-4;

/// In full, as 0.0000916: %g has an exponent below 0.0001.
std::string small_number(double value, int digits) {
  const int zeros = -static_cast<int>(std::floor(std::log10(std::abs(value))));
  std::string made = printed("%.*f", zeros + digits - 1, value);
  made.erase(made.find_last_not_of('0') + 1);
  return made;
}

}  // namespace

std::string printed(const char* format, ...) {
  std::array<char, 512> text{};  // a line of the table has 120 characters, and a host name 64
  va_list values;
  va_start(values, format);
  std::vsnprintf(text.data(), text.size(), format, values);
  va_end(values);
  return text.data();
}

std::string number(double value, int digits) {
  const double size = std::abs(value);
  if (size >= kSmallest && size < kOfExponents) return small_number(value, digits);
  // In full what is a thousand when it is rounded: 4096 and not 4.1e+03, 1000 and not 1e+03.
  const double rounded_off = std::pow(10, 3 - digits) / 2;
  const bool thousands = size >= kThousand - rounded_off && size < kMillions;
  return printed(thousands ? "%.*f" : "%.*g", thousands ? 0 : digits, value);
}

std::string number(double value, std::string_view unit) {
  std::string text = number(value);
  return unit.empty() ? text : text.append(" ").append(unit);
}

std::string percent(double share) {
  constexpr double kPercent = 100;
  constexpr double kSmall = 0.1;
  const double value = kPercent * share;
  return printed(value != 0 && value < kSmall ? "%.2g %%" : "%.1f %%", value);
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  std::string text = std::to_string(count) + " ";
  if (count == 1 || many.empty()) text += one;
  if (count != 1) text += many.empty() ? std::string_view("s") : many;
  return text;
}

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (&part != &parts.front()) text += separator;
    text += part;
  }
  return text;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

std::string listed(const std::vector<std::string>& parts, std::string_view last) {
  std::string text;
  for (const std::string& part : parts) {
    if (&part != &parts.front()) text += &part == &parts.back() ? last : std::string_view(", ");
    text += part;
  }
  return text;
}

std::string first_of(std::vector<std::string> parts, std::size_t most) {
  if (parts.size() <= most) return listed(parts);
  const std::size_t kept = std::max<std::size_t>(most, 2) - 1;
  const std::string more = std::to_string(parts.size() - kept) + " more";
  parts.resize(kept);
  parts.push_back(more);
  return listed(parts);
}

}  // namespace railgauge::finding
