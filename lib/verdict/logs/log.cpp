#include "verdict/logs/log.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

#include "measure/sizes.hpp"
#include "schedule/collective.hpp"

namespace railgauge::verdict {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}

/// How many of the first characters are digits or among `others`.
std::size_t leading(std::string_view text, std::string_view others) {
  const auto other = [&](char c) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    return !digit && others.find(c) == std::string_view::npos;
  };
  return static_cast<std::size_t>(std::ranges::find_if(text, other) - text.begin());
}

template <class T>
std::optional<T> parsed(std::string_view word) {
  T value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
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

std::string_view without_prefix(std::string_view line) {
  const std::string_view text = trimmed(line);
  if (text.starts_with('[')) {
    const std::size_t end = 1 + leading(text.substr(1), ",");
    const std::string_view rest = text.substr(std::min(end, text.size()));
    for (const std::string_view mark : {"]<stdout>:", "]<stderr>:", "] "}) {
      if (end > 1 && rest.starts_with(mark)) return rest.substr(mark.size());
    }
    return line;
  }
  const std::size_t digits = leading(text, "");
  if (digits > 0 && text.substr(digits).starts_with(": ")) return text.substr(digits + 2);
  return line;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (line = trimmed(line); !line.empty(); line = trimmed(line)) {
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

std::string first_word(std::string_view text) {
  const auto words = words_of(text);
  return words.empty() ? "" : std::string(words[0]);
}

std::optional<std::string_view> after(std::string_view line, std::string_view label) {
  const std::size_t at = line.find(label);
  if (at == std::string_view::npos) return std::nullopt;
  return trimmed(line.substr(at + label.size()));
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
}

void Gathering::add(const Point& point) {
  const auto again = [&](const Point& other) { return differs_in_figures_only(point, other); };
  if (std::ranges::any_of(run_.points, again)) {
    Run next = run_;
    next.points.clear();
    begin(next);
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
