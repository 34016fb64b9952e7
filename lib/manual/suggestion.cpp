#include "manual/manual.hpp"

#include <algorithm>

namespace railgauge::manual {
namespace {

/// Slips between two words: optimal string alignment (Damerau, 1964), in O(their lengths).
std::size_t slips(std::string_view from, std::string_view to) {
  const std::size_t width = to.size() + 1;
  std::vector<std::size_t> table((from.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& {
    return table[i * width + j];
  };
  for (std::size_t i = 0; i <= from.size(); ++i) at(i, 0) = i;
  for (std::size_t j = 0; j <= to.size(); ++j) at(0, j) = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const bool same = from[i - 1] == to[j - 1];
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return table.back();
}

/// Dashes say what kind of word it is, not which.
std::string_view without_dashes(std::string_view word) {
  word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
  return word;
}

/// The only one that begins with it; a letter or two begin too much.
std::optional<std::string> continued(std::string_view word, const std::vector<std::string>& words) {
  constexpr std::size_t kLeast = 3;
  std::optional<std::string> found;
  if (word.size() < kLeast) return found;
  for (const std::string& one : words) {
    if (!without_dashes(one).starts_with(word)) continue;
    if (found) return std::nullopt;
    found = one;
  }
  return found;
}

}  // namespace

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& words) {
  constexpr std::size_t kLettersOfASlip = 3;
  constexpr std::size_t kLongest = 64;  // nobody mistypes more, and the table is quadratic
  word = without_dashes(word);
  if (word.size() > kLongest) return std::nullopt;
  std::optional<std::string> found;
  std::size_t least = word.size() / kLettersOfASlip + 1;
  for (const std::string& one : words) {
    const std::string_view other = without_dashes(one);
    if (other.size() < 2) continue;  // any letter is a slip from any other
    const std::size_t count = slips(word, other);
    if (count >= least) continue;
    least = count;
    found = one;
  }
  if (found) return found;
  return continued(word, words);
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& words) {
  const auto found = nearest(word, words);
  return found ? "; did you mean " + *found + "?" : "";
}

}  // namespace railgauge::manual
