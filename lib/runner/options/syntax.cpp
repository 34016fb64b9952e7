#include "runner/options/syntax.hpp"

#include "measure/sizes.hpp"

namespace railgauge::runner {
namespace {

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

}  // namespace

void throw_expected(const std::vector<std::string>& choices) {
  std::string text = "expected ";
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i > 0) text += i + 1 == choices.size() ? " or " : ", ";
    text += choices[i];
  }
  throw std::invalid_argument(text);
}

Syntax<std::uint64_t> size() {
  return {"SIZE", [](const std::string& word) { return measure::parse_size(word); },
          [](const std::uint64_t& bytes) { return measure::format_size(bytes); }};
}

Syntax<double> percent() {
  return {"PERCENT", parse_percent,
          [](const double& part) { return std::to_string(part * 100) + "%"; }};
}

Syntax<std::chrono::seconds> seconds(std::int64_t least, std::int64_t most) {
  return {"SECONDS",
          [=](const std::string& word) {
            return std::chrono::seconds(parse_whole<std::int64_t>(word, least, most));
          },
          [](const std::chrono::seconds& value) { return std::to_string(value.count()); }};
}

Syntax<std::string> text(const std::string& unit) {
  return {unit, [](const std::string& word) { return word; },
          [](const std::string& word) { return word; }};
}

}  // namespace railgauge::runner
