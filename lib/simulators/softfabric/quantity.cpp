#include "softfabric/quantity.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>

namespace railgauge::softfabric {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr std::array kRates{Unit{"kbit", 1e3}, Unit{"Mbit", 1e6}, Unit{"Gbit", 1e9},
                            Unit{"Mbps", 1e6}, Unit{"Gbps", 1e9}};
constexpr std::array kDurations{Unit{"ns", 1}, Unit{"us", 1e3}, Unit{"ms", 1e6}, Unit{"s", 1e9}};
constexpr std::array kParts{Unit{"", 1}, Unit{"%", 0.01}};
constexpr double kMostRate = 1e13;
constexpr double kLongest = 3600e9;

std::optional<double> quantity(std::string_view text, std::span<const Unit> units, double most) {
  double number = 0;
  const bool digit = !text.empty() && text[0] >= '0' && text[0] <= '9';  // neither "inf" nor "-1"
  if (!digit) return std::nullopt;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc{}) return std::nullopt;
  const auto unit = std::ranges::find(
      units, text.substr(static_cast<std::size_t>(end - text.data())), &Unit::name);
  if (unit == units.end() || number * unit->factor > most) return std::nullopt;
  return number * unit->factor;
}

}  // namespace

std::optional<std::uint64_t> parse_whole(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<double> parse_part(std::string_view text) {
  return quantity(text, kParts, 1);
}

std::optional<double> parse_rate(std::string_view text) {
  const auto rate = quantity(text, kRates, kMostRate);
  return rate.value_or(0) >= 1 ? rate : std::nullopt;
}

std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text) {
  const auto found = quantity(text, kDurations, kLongest);
  if (!found) return std::nullopt;
  return std::chrono::nanoseconds(std::llround(*found));
}

}  // namespace railgauge::softfabric
