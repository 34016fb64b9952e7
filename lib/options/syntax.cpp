#include "options/syntax.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <sstream>

#include "finding/words.hpp"
#include "manual/manual.hpp"
#include "measure/sizes.hpp"

namespace railgauge::options {
namespace {

std::string printed(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

double parse_percent(const std::string& word) {
  std::string_view digits = word;
  if (digits.ends_with('%')) digits.remove_suffix(1);
  double percent = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), percent);
  if (error == std::errc{} && end == digits.data() + digits.size() && percent > 0 &&
      percent <= 100) {
    return percent / 100;
  }
  throw std::invalid_argument("expected a percentage above 0 and up to 100, such as 1%");
}

struct DurationUnit {
  std::string_view name;
  std::int64_t milliseconds;
};
// A longer name before one that it begins with.
constexpr std::array kUnits{DurationUnit{"ms", 1},        DurationUnit{"min", 60'000},
                            DurationUnit{"m", 60'000},    DurationUnit{"s", 1000},
                            DurationUnit{"h", 3'600'000}, DurationUnit{"d", 86'400'000}};

/// The milliseconds of the unit that `rest` begins with, which is taken off; none if there is none.
std::optional<std::int64_t> take_duration_unit(std::string_view& rest) {
  for (const auto& [name, milliseconds] : kUnits) {
    if (!rest.starts_with(name)) continue;
    rest.remove_prefix(name.size());
    return milliseconds;
  }
  return std::nullopt;
}

/// "1h30m" or "1.5s" in milliseconds; a number without a unit counts `plain` of them. Empty if it
/// is none, or not of whole milliseconds.
std::optional<std::int64_t> parse_duration(std::string_view rest, std::int64_t plain) {
  constexpr double kMost = 1e9;  // of any unit: their sum cannot overflow
  const bool unit_is_missing = rest.find_first_not_of("0123456789.") == std::string_view::npos;
  std::int64_t sum = 0;
  do {
    double number = -1;
    const auto [end, error] =
        std::from_chars(rest.data(), rest.data() + rest.size(), number, std::chars_format::fixed);
    if (error != std::errc{} || !(number >= 0 && number <= kMost)) return std::nullopt;
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    const auto unit = unit_is_missing ? plain : take_duration_unit(rest);
    if (!unit || (unit_is_missing && !rest.empty())) return std::nullopt;
    const double milliseconds = number * static_cast<double>(*unit);
    if (std::abs(milliseconds - std::round(milliseconds)) > 1e-6) return std::nullopt;
    sum += std::llround(milliseconds);
  } while (!rest.empty());
  return sum;
}

/// A syntax of whole Durations. A number without a unit counts `plain` milliseconds, as do `least`
/// and `most`; `unit`: "whole seconds".
template <class Duration>
Syntax<Duration> duration(const char* unit, std::int64_t plain, std::int64_t least,
                          std::int64_t most, const char* example) {
  const auto parse = [=](const std::string& word) {
    constexpr std::int64_t kGrain = std::chrono::milliseconds(Duration(1)).count();
    const auto found = parse_duration(word, plain);
    if (found && *found % kGrain == 0 && *found >= least * plain && *found <= most * plain) {
      return Duration(*found / kGrain);
    }
    throw std::invalid_argument("expected a duration from " + std::to_string(least) + " to " +
                                std::to_string(most) + " " + unit + ", such as " + example);
  };
  return {"TIME", parse, [](const Duration& value) { return std::to_string(value.count()); }};
}

}  // namespace

void throw_expected(const std::string& word, const std::vector<std::string>& choices) {
  throw std::invalid_argument("expected " + finding::listed(choices, " or ") +
                              manual::did_you_mean(word, choices));
}

Syntax<std::uint64_t> size() {
  return {"SIZE", [](const std::string& word) { return measure::parse_size(word); },
          [](const std::uint64_t& bytes) { return measure::format_size(bytes); }};
}

Syntax<int> small_size(int most) {
  const auto parse = [most](const std::string& word) {
    const std::uint64_t bytes = measure::parse_size(word);
    if (bytes <= static_cast<std::uint64_t>(most)) return static_cast<int>(bytes);
    throw std::invalid_argument("expected a size up to " +
                                measure::format_size(static_cast<std::uint64_t>(most)));
  };
  return {"SIZE", parse, [](const int& bytes) { return std::to_string(bytes); }};
}

Syntax<double> positive_number() {
  const auto parse = [](const std::string& word) {
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool whole = error == std::errc{} && end == word.data() + word.size();
    if (whole && value > 0 && std::isfinite(value)) return value;
    throw std::invalid_argument("expected a number above 0");
  };
  return {"N", parse, printed};
}

Syntax<double> percent() {
  return {"PERCENT", parse_percent, [](const double& part) { return printed(part * 100) + "%"; }};
}

Syntax<std::chrono::seconds> seconds(std::int64_t least, std::int64_t most) {
  return duration<std::chrono::seconds>("whole seconds", 1000, least, most, "30s, 5m or 1h");
}

Syntax<std::chrono::milliseconds> parts_of_seconds(std::int64_t least, std::int64_t most) {
  return duration<std::chrono::milliseconds>("seconds", 1000, least, most, "1.5s, 500ms or 5m");
}

Syntax<std::chrono::milliseconds> milliseconds(std::int64_t least, std::int64_t most) {
  return duration<std::chrono::milliseconds>("milliseconds", 1, least, most, "10ms or 1s");
}

Syntax<std::string> text(const std::string& unit) {
  return {unit, [](const std::string& word) { return word; },
          [](const std::string& word) { return word; }};
}

}  // namespace railgauge::options
