#include "experiments/collective/rail_choice.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <stdexcept>

#include "finding/words.hpp"
#include "manual/manual.hpp"

namespace railgauge::runner {
namespace {

[[noreturn]] void refuse_choice(const std::string& word) {
  throw std::invalid_argument(
      "expected all, each, own, or rail numbers joined by +, such as 0 or 0+1" +
      manual::did_you_mean(word, {"all", "each", "own"}));
}

unsigned rail_number(const std::string& part) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
  if (error != std::errc{} || end != part.data() + part.size()) refuse_choice(part);
  return number;
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
  if (word == "all") return {RailChoice::Kind::all};
  if (word == "each") return {RailChoice::Kind::each};
  if (word == "own") return {RailChoice::Kind::own};
  RailChoice choice{RailChoice::Kind::listed};
  for (const std::string& part : finding::split(word, '+'))
    choice.rails.push_back(rail_number(part));
  if (choice.rails.empty() || word.back() == '+') refuse_choice(word);
  std::ranges::sort(choice.rails);
  if (std::ranges::adjacent_find(choice.rails) == choice.rails.end()) return choice;
  throw std::invalid_argument("a rail is named twice");
}

std::string word(const RailChoice& choice) {
  switch (choice.kind) {
    case RailChoice::Kind::all: return "all";
    case RailChoice::Kind::each: return "each";
    case RailChoice::Kind::own: return "own";
    case RailChoice::Kind::listed: break;
  }
  return results::joined(choice.rails);
}

std::vector<results::SweepPoint> rail_points(const std::vector<RailChoice>& choices,
                                             unsigned rails) {
  RailSet all(rails);
  std::iota(all.begin(), all.end(), 0U);
  std::vector<results::SweepPoint> points;
  for (const RailChoice& choice : choices) {
    switch (choice.kind) {
      case RailChoice::Kind::all: points.push_back({.rails = all}); break;
      case RailChoice::Kind::own: points.push_back({.rails = all, .own_rails = true}); break;
      case RailChoice::Kind::each:
        for (const unsigned rail : all) points.push_back({.rails = {rail}});
        break;
      case RailChoice::Kind::listed:
        check(choice.rails, rails);
        points.push_back({.rails = choice.rails});
        break;
    }
  }
  return points;
}

}  // namespace railgauge::runner
