#include "benchmarks/setting.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <sstream>
#include <stdexcept>

#include "results/row.hpp"

namespace railgauge::benchmarks {
namespace {

unsigned rail_number(const std::string& part, const std::string& word) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
  if (error == std::errc{} && end == part.data() + part.size()) return number;
  throw std::invalid_argument("--rails does not know '" + word +
                              "': it takes all, each, or rail numbers joined by +, as in 0 or 0+1");
}

void check(const RailSet& set, unsigned rails) {
  const auto missing = std::ranges::find_if(set, [&](unsigned rail) { return rail >= rails; });
  if (missing == set.end()) return;
  throw std::invalid_argument("--rails " + text_of(set) + ": there is no rail " +
                              std::to_string(*missing) + "; hosts have " + std::to_string(rails) +
                              ", counted from 0");
}

}  // namespace

RailChoice parse_rail_choice(const std::string& word) {
  if (word == "all") return {RailChoice::Kind::all, {}};
  if (word == "each") return {RailChoice::Kind::each, {}};
  RailChoice choice{RailChoice::Kind::listed, {}};
  std::istringstream parts(word);
  for (std::string part; std::getline(parts, part, '+');) {
    choice.rails.push_back(rail_number(part, word));
  }
  if (choice.rails.empty() || word.back() == '+') (void)rail_number("", word);
  std::ranges::sort(choice.rails);
  if (std::ranges::adjacent_find(choice.rails) == choice.rails.end()) return choice;
  throw std::invalid_argument("--rails " + word + " names a rail twice");
}

std::vector<RailSet> rail_sets(const std::vector<RailChoice>& choices, unsigned rails) {
  std::vector<RailSet> sets;
  for (const RailChoice& choice : choices) {
    RailSet all(rails);
    std::iota(all.begin(), all.end(), 0U);
    switch (choice.kind) {
      case RailChoice::Kind::all: sets.push_back(all); break;
      case RailChoice::Kind::each:
        for (const unsigned rail : all) sets.push_back({rail});
        break;
      case RailChoice::Kind::listed:
        check(choice.rails, rails);
        sets.push_back(choice.rails);
        break;
    }
  }
  return sets;
}

std::string text_of(const RailSet& rails) {
  return results::joined(rails);
}

}  // namespace railgauge::benchmarks
