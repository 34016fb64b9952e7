#include "runner/setting.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <sstream>
#include <stdexcept>

#include "results/sweep_point.hpp"

namespace railgauge::runner {
namespace {

unsigned rail_number(const std::string& part, const std::string& word) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
  if (error == std::errc{} && end == part.data() + part.size()) return number;
  throw std::invalid_argument("--rails does not know '" + word +
                              "': it takes all, each, own, or rail numbers joined by +, as in 0 "
                              "or 0+1");
}

void check(const RailSet& set, unsigned rails) {
  const auto missing = std::ranges::find_if(set, [&](unsigned rail) { return rail >= rails; });
  if (missing == set.end()) return;
  throw std::invalid_argument("--rails " + results::joined(set) + ": there is no rail " +
                              std::to_string(*missing) + "; hosts have " + std::to_string(rails) +
                              ", counted from 0");
}

}  // namespace

RailChoice parse_rail_choice(const std::string& word) {
  if (word == "all") return {RailChoice::Kind::all, {}};
  if (word == "each") return {RailChoice::Kind::each, {}};
  if (word == "own") return {RailChoice::Kind::own, {}};
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

std::vector<RailUse> rail_uses(const std::vector<RailChoice>& choices, unsigned rails) {
  std::vector<RailUse> uses;
  for (const RailChoice& choice : choices) {
    RailSet all(rails);
    std::iota(all.begin(), all.end(), 0U);
    switch (choice.kind) {
      case RailChoice::Kind::all: uses.push_back({all}); break;
      case RailChoice::Kind::own: uses.push_back({all, true}); break;
      case RailChoice::Kind::each:
        for (const unsigned rail : all) uses.push_back({{rail}});
        break;
      case RailChoice::Kind::listed:
        check(choice.rails, rails);
        uses.push_back({choice.rails});
        break;
    }
  }
  return uses;
}

}  // namespace railgauge::runner
