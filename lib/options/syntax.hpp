#pragma once

#include <charconv>
#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace railgauge::options {

/// How a word of the command line, a file or the environment becomes a value, and back.
template <class T>
struct Syntax {
  std::string unit;  // what --help shows in place of the value: "SIZE"; "N" for a plain number
  /// Throws std::invalid_argument, which says what is expected: "expected a size, such as 64K".
  std::function<T(const std::string&)> parse;
  std::function<std::string(const T&)> print;
  std::vector<std::string> words{};  // all there are, for completion; empty: too many
};

/// "expected a, b or c", and which of them `word` was perhaps meant to be.
[[noreturn]] void throw_expected(const std::string& word, const std::vector<std::string>& choices);

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
  const bool yes_or_no = std::is_same_v<T, bool>;
  return {yes_or_no ? "0|1" : "N",
          [=](const std::string& word) { return parse_whole<T>(word, least, most); },
          [](const T& value) { return std::to_string(value); }};
}

/// The same of a field that is T{} where the run is to choose: a default that nobody could write,
/// and that the help puts in words.
template <class T>
Syntax<T> chosen_by_run(Syntax<T> syntax) {
  syntax.print = [print = std::move(syntax.print)](const T& value) {
    return value == T{} ? std::string() : print(value);
  };
  return syntax;
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
    throw_expected(word, names);
  };
  const auto print = [choices](const T& value) {
    for (const auto& [name, one] : choices) {
      if (one == value) return name;
    }
    return std::string();
  };
  std::string unit;
  std::vector<std::string> words;
  for (const auto& [name, value] : choices) {
    unit += (unit.empty() ? "" : "|") + name;
    words.push_back(name);
  }
  return {unit, parse, print, words};
}

/// A number of bytes as measure::parse_size() reads it.
[[nodiscard]] Syntax<std::uint64_t> size();
/// The same, of so many bytes at most.
[[nodiscard]] Syntax<int> small_size(int most);
/// A number above 0, such as 0.5 or 400.
[[nodiscard]] Syntax<double> positive_number();
/// "1%", "0.5%" or "1"; the value is the fraction, 0.01.
[[nodiscard]] Syntax<double> percent();
/// Whole seconds, or with a unit: "90", "90s", "2m", "1h", "1h30m"; the limits are in seconds.
[[nodiscard]] Syntax<std::chrono::seconds> seconds(std::int64_t least, std::int64_t most);
/// The same, or parts of a second: "1.5", "500ms".
[[nodiscard]] Syntax<std::chrono::milliseconds> parts_of_seconds(std::int64_t least,
                                                                 std::int64_t most);
/// The same in milliseconds: "10", "10ms", "1s".
[[nodiscard]] Syntax<std::chrono::milliseconds> milliseconds(std::int64_t least, std::int64_t most);
/// Any word; `unit`: "PATH", for example.
[[nodiscard]] Syntax<std::string> text(const std::string& unit);

/// An option that several programs have: the same names, values and help in all of them. Of flags
/// the syntax is not used.
template <class T>
struct Declaration {
  std::string names{};  // "-b,--minbytes", as OptionTable takes them
  Syntax<T> syntax{};
  std::string about{};

  /// With what holds in this program only, a sentence more.
  [[nodiscard]] Declaration with(const std::string& sentence) const {
    return {names, syntax, about + ". " + sentence};
  }
};

}  // namespace railgauge::options
