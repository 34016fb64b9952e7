#pragma once

#include <charconv>
#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace railgauge::runner {

/// How a word of the command line, a file or the environment becomes a value, and back.
template <class T>
struct Syntax {
  std::string unit;  // what --help shows in place of the value: "SIZE"; empty for a plain number
  /// Throws std::invalid_argument, which says what is expected: "expected a size, such as 64K".
  std::function<T(const std::string&)> parse;
  std::function<std::string(const T&)> print;
};

/// "expected a, b or c"
[[noreturn]] void throw_expected(const std::vector<std::string>& choices);

/// A whole number in decimal, all of the word.
template <class T>
T parse_whole(std::string_view word, std::int64_t least, std::int64_t most) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc{} && end == word.data() + word.size() && value >= least && value <= most) {
    return static_cast<T>(value);
  }
  throw std::invalid_argument("expected a whole number from " + std::to_string(least) + " to " +
                              std::to_string(most));
}

/// A number from `least` to `most`; a bool is 0 or 1, as nccl-tests has it.
template <class T>
Syntax<T> whole(std::int64_t least, std::int64_t most) {
  return {"", [=](const std::string& word) { return parse_whole<T>(word, least, most); },
          [](const T& value) { return std::to_string(value); }};
}

/// One of these words.
template <class T>
Syntax<T> choice(std::vector<std::pair<std::string, T>> choices) {
  const auto parse = [choices](const std::string& word) {
    std::vector<std::string> names;
    for (const auto& [name, value] : choices) {
      if (name == word) return value;
      names.push_back(name);
    }
    throw_expected(names);
  };
  const auto print = [choices](const T& value) {
    for (const auto& [name, one] : choices) {
      if (one == value) return name;
    }
    return std::string();
  };
  std::string unit;
  for (const auto& [name, value] : choices) unit += (unit.empty() ? "" : "|") + name;
  return {unit, parse, print};
}

/// Binary, with K, M or G.
[[nodiscard]] Syntax<std::uint64_t> size();
/// "1%", "0.5%" or "1"; the value is the fraction, 0.01.
[[nodiscard]] Syntax<double> percent();
[[nodiscard]] Syntax<std::chrono::seconds> seconds(std::int64_t least, std::int64_t most);
/// Any word; `unit`: "PATH", for example.
[[nodiscard]] Syntax<std::string> text(const std::string& unit);

}  // namespace railgauge::runner
