#include "verdict/nearest.hpp"

#include <algorithm>
#include <utility>

namespace railgauge::verdict {
namespace {

constexpr std::size_t kMost = 3;

/// How many letters have to be changed, put in or taken away until `part` stands somewhere in
/// `text` (Sellers 1980: the edit distance whose beginning and end in the text are free).
std::size_t distance(const std::string& part, const std::string& text) {
  std::vector<std::size_t> row(text.size() + 1, 0);
  for (std::size_t at = 0; at < part.size(); ++at) {
    std::size_t diagonal = std::exchange(row[0], at + 1);
    for (std::size_t column = 1; column < row.size(); ++column) {
      const std::size_t changed = diagonal + (part[at] == text[column - 1] ? 0 : 1);
      diagonal = row[column];
      row[column] = std::min({changed, diagonal + 1, row[column - 1] + 1});
    }
  }
  return *std::ranges::min_element(row);
}

}  // namespace

std::vector<std::string> nearest(const std::vector<std::string>& names, const std::string& wanted) {
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string& name : names) {
    const std::size_t wrong = distance(wanted, name);
    if (3 * wrong <= wanted.size() + 1) found.emplace_back(wrong, name);
  }
  std::ranges::sort(found);
  std::vector<std::string> best;
  for (const auto& [wrong, name] : found) {
    const bool worse_than_whole = wrong > 0 && found.front().first == 0;
    if (best.size() < kMost && !worse_than_whole) best.push_back(name);
  }
  return best;
}

}  // namespace railgauge::verdict
