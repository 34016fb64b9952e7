#include "experiments/collective/split.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace railgauge::runner {
namespace {

using By = SplitRule::By;

struct Word {
  std::string_view text;
  By by;
};

constexpr std::array kWithNumber{Word{"AND", By::bits_and}, Word{"OR", By::bits_or},
                                 Word{"MOD", By::remainder}, Word{"DIV", By::quotient}};
constexpr std::array kWords{Word{"none", By::none}, Word{"node", By::node}, Word{"rail", By::rail}};

std::string upper(std::string_view text) {
  std::string letters(text);
  std::ranges::transform(letters, letters.begin(), [](unsigned char c) { return std::toupper(c); });
  return letters;
}

/// In decimal, or in hexadecimal after 0x; all of the text but for spaces before it.
std::optional<std::uint64_t> number_of(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const bool is_hexadecimal = upper(text.substr(0, 2)) == "0X";
  if (is_hexadecimal) text.remove_prefix(2);
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number, is_hexadecimal ? 16 : 10);
  if (error != std::errc{} || last != end) return std::nullopt;
  return number;
}

bool divides(By by) {
  return by == By::remainder || by == By::quotient;
}

std::optional<SplitRule> rule_with_number(const std::string& word) {
  for (const Word& one : kWithNumber) {
    if (!upper(word).starts_with(one.text)) continue;
    const auto number = number_of(std::string_view(word).substr(one.text.size()));
    if (!number || (divides(one.by) && *number == 0)) return std::nullopt;
    return SplitRule{one.by, *number};
  }
  return std::nullopt;
}

/// Equal ones have equal numbers.
template <class T>
std::vector<std::uint64_t> numbered(const std::vector<RankPlace>& ranks, T RankPlace::*member) {
  std::map<T, std::uint64_t> numbers;
  std::vector<std::uint64_t> colors;
  colors.reserve(ranks.size());
  for (const RankPlace& rank : ranks)
    colors.push_back(numbers.try_emplace(rank.*member, numbers.size()).first->second);
  return colors;
}

std::uint64_t color_of(const SplitRule& rule, std::uint64_t rank) {
  switch (rule.by) {
    case By::bits_and: return rank & rule.number;
    case By::bits_or: return rank | rule.number;
    case By::remainder: return rank % rule.number;
    case By::quotient: return rank / rule.number;
    default: return 0;
  }
}

std::vector<std::uint64_t> colors_of(const SplitRule& rule, const std::vector<RankPlace>& ranks) {
  if (rule.by == By::node) return numbered(ranks, &RankPlace::host);
  if (rule.by == By::rail) return numbered(ranks, &RankPlace::rails);
  std::vector<std::uint64_t> colors;
  colors.reserve(ranks.size());
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) colors.push_back(color_of(rule, rank));
  return colors;
}

}  // namespace

SplitRule parse_split(const std::string& word) {
  if (word == "pairs") return {By::quotient, 2};
  const auto* const found = std::ranges::find(kWords, word, &Word::text);
  if (found != kWords.end()) return {found->by, 0};
  if (const auto rule = rule_with_number(word)) return *rule;
  throw std::invalid_argument(
      "expected none, node, rail, pairs, or AND, OR, MOD or DIV with a number, such as \"MOD 8\"");
}

std::string text_of(const SplitRule& rule) {
  const auto* const word = std::ranges::find(kWords, rule.by, &Word::by);
  if (word != kWords.end()) return std::string(word->text);
  const auto* const found = std::ranges::find(kWithNumber, rule.by, &Word::by);
  return std::string(found->text) + " " + std::to_string(rule.number);
}

schedule::Groups groups_of(const SplitRule& rule, const std::vector<RankPlace>& ranks) {
  if (rule.by == By::none) return schedule::Groups(static_cast<schedule::Rank>(ranks.size()));
  try {
    return schedule::Groups(colors_of(rule, ranks));
  } catch (const std::invalid_argument& uneven) {
    throw std::invalid_argument("--split " + text_of(rule) + ": " + uneven.what());
  }
}

}  // namespace railgauge::runner
