#include "verdict/logs/log.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

#include "measure/sizes.hpp"
#include "schedule/collective.hpp"

namespace railgauge::verdict {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

template <class T>
std::optional<T> parsed(std::string_view word) {
  T value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

std::string_view without_plus(std::string_view text) {
  return text.starts_with('+') ? text.substr(1) : text;
}

}  // namespace

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    while (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string_view unindented(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (line = unindented(line); !line.empty(); line = unindented(line)) {
    const auto end = std::ranges::find_if(line, is_blank) - line.begin();
    words.push_back(line.substr(0, static_cast<std::size_t>(end)));
    line.remove_prefix(static_cast<std::size_t>(end));
  }
  return words;
}

std::optional<double> number(std::string_view word) {
  const auto value = parsed<double>(word);
  const bool digits = word.find_first_of("0123456789") != std::string_view::npos;
  return digits ? value : std::nullopt;  // not "nan", not "inf"
}

std::optional<std::uint64_t> whole_number(std::string_view word) {
  return parsed<std::uint64_t>(word);
}

std::optional<int> small_number(std::string_view word) {
  return parsed<int>(word);
}

std::optional<Decimal> decimal(std::string_view word) {
  const auto value = number(word);
  if (!value) return std::nullopt;
  const std::size_t exponent = word.find_first_of("eE");
  const std::size_t digits = std::min(exponent, word.size());
  const std::size_t point = word.find('.');
  const auto behind = point == std::string_view::npos ? 0 : static_cast<int>(digits - point - 1);
  const int power = exponent == std::string_view::npos
                        ? 0
                        : small_number(without_plus(word.substr(exponent + 1))).value_or(0);
  return Decimal{*value, std::pow(10.0, power - behind)};
}

bool is_impossible(std::string_view word) {
  const auto value = parsed<double>(without_plus(word));  // which reads "nan" and "inf", too
  return value && (!std::isfinite(*value) || *value < 0);
}

bool looks_like_figures(const std::vector<std::string_view>& words) {
  const auto numbers =
      std::ranges::count_if(words, [](std::string_view word) { return number(word).has_value(); });
  const auto figures = std::ranges::count_if(
      words, [](std::string_view word) { return number(word) || is_impossible(word); });
  return numbers > 0 && 2 * static_cast<std::size_t>(figures) >= words.size();
}

std::string first_word(std::string_view text) {
  const auto words = words_of(text);
  return words.empty() ? "" : std::string(words[0]);
}

std::optional<std::string_view> after(std::string_view line, std::string_view label) {
  const std::size_t at = line.find(label);
  if (at == std::string_view::npos) return std::nullopt;
  return unindented(line.substr(at + label.size()));
}

std::string lower(std::string_view text) {
  std::string low;
  for (const char c : text) low += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return low;
}

std::string plain(std::string_view name) {
  std::string letters = lower(name);
  std::erase_if(letters, [](char c) { return std::isalpha(static_cast<unsigned char>(c)) == 0; });
  return letters;
}

std::string collective_called(std::string_view name) {
  for (const schedule::CollectiveTraits& one : schedule::collectives()) {
    if (plain(one.name) == plain(name)) return std::string(one.name);
  }
  return plain(name) == "bcast" ? "broadcast" : "";
}

void work_out_bandwidths(Point& point, const Run& run) {
  if (!point.size_bytes || point.time_us.value_or(0) <= 0) return;
  const double algbw = measure::algbw_gigabytes_per_second(*point.size_bytes, *point.time_us);
  point.algbw_gigabytes_per_second = algbw;
  const auto collective = schedule::collective(run.collective);
  if (!collective || !run.ranks) return;
  const auto ranks = static_cast<schedule::Rank>(*run.ranks);
  point.busbw_gigabytes_per_second =
      measure::busbw_gigabytes_per_second(algbw, schedule::bus_factor(*collective, ranks));
}

void Gathering::begin(const Run& run) {
  if (!run_.points.empty()) {
    run_.name = std::to_string(content_.runs.size() + 1);
    content_.runs.push_back(run_);
  }
  run_ = run;
  known_.clear();
}

void Gathering::add(const Point& point) {
  if (point.size_bytes == 0U) return;
  if (!known_.insert(key_of(point)).second) {
    std::vector<Point> points = std::exchange(run_.points, {});
    const Run next = run_;
    run_.points = std::move(points);
    begin(next);
    add(point);
    return;
  }
  run_.points.push_back(point);
}

void Gathering::complain(std::size_t line, const std::string& text) {
  content_.complaints.push_back({line, text});
}

LogContent Gathering::result() {
  begin({});
  return std::exchange(content_, {});
}

}  // namespace railgauge::verdict
