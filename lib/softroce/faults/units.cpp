#include "softroce/faults/units.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <string>

namespace railgauge::softroce {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr std::array kRates{
    Unit{"bit", 1}, Unit{"kbit", 1e3}, Unit{"mbit", 1e6}, Unit{"gbit", 1e9}, Unit{"tbit", 1e12},
    Unit{"bps", 1}, Unit{"kbps", 1e3}, Unit{"mbps", 1e6}, Unit{"gbps", 1e9}, Unit{"tbps", 1e12},
};
constexpr std::array kSizes{Unit{"", 1}, Unit{"B", 1}, Unit{"KiB", 1024},
                            Unit{"MiB", 1024.0 * 1024}, Unit{"GiB", 1024.0 * 1024 * 1024}};
constexpr std::array kDurations{Unit{"ns", 1}, Unit{"us", 1e3}, Unit{"ms", 1e6}, Unit{"s", 1e9}};
constexpr std::array kParts{Unit{"", 1}, Unit{"%", 0.01}};

constexpr double kLeastRate = 1e3;
constexpr double kMostRate = 1e15;
constexpr double kMostBytes = 1e15;
constexpr double kHour = 3600e9;

struct Range {
  double least;
  double most;
};

/// A number and one of `units`, in their smallest unit and inside of `range`.
std::optional<double> quantity(std::string_view text, std::span<const Unit> units, Range range) {
  // from_chars also takes "inf", "nan" and a minus.
  if (text.empty() || text[0] < '0' || text[0] > '9') return std::nullopt;
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (read.ec != std::errc{}) return std::nullopt;
  const std::string_view name(read.ptr, static_cast<std::size_t>(end - read.ptr));
  const auto unit = std::ranges::find(units, name, &Unit::name);
  if (unit == units.end()) return std::nullopt;
  const double value = number * unit->factor;
  if (value < range.least || value > range.most) return std::nullopt;
  return value;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

std::optional<std::uint64_t> rounded(std::optional<double> value) {
  if (!value) return std::nullopt;
  return static_cast<std::uint64_t>(std::llround(*value));
}

}  // namespace

std::optional<std::uint64_t> parse_rate(std::string_view text) {
  return rounded(quantity(lower_case(text), kRates, {kLeastRate, kMostRate}));
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  return rounded(quantity(text, kSizes, {0, kMostBytes}));
}

std::optional<nanoseconds> parse_duration(std::string_view text) {
  const auto value = rounded(quantity(text, kDurations, {0, kHour}));
  if (!value) return std::nullopt;
  return nanoseconds(*value);
}

std::optional<double> parse_probability(std::string_view text) {
  return quantity(text, kParts, {0, 1});
}

std::optional<std::uint64_t> parse_whole(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
  return number;
}

}  // namespace railgauge::softroce
