#include "soak/plan.hpp"

#include <sstream>
#include <stdexcept>

#include "measure/sizes.hpp"
#include "results/sweep_point.hpp"

namespace railgauge::soak {
namespace {

void set(PlannedPhase& phase, const std::string& word) {
  constexpr std::string_view kRails = "rails=";
  constexpr std::string_view kAlgorithm = "algo=";
  if (word.starts_with(kRails)) {
    phase.rails = word.substr(kRails.size());
  } else if (word.starts_with(kAlgorithm)) {
    phase.algorithm = word.substr(kAlgorithm.size());
  } else {
    throw std::invalid_argument("'" + word + "' is neither rails=RAILS nor algo=NAME");
  }
}

PlannedPhase phase_of(std::istringstream& words) {
  PlannedPhase phase;
  std::string size;
  words >> phase.collective >> size;
  if (size.empty()) throw std::invalid_argument("expected a collective and a size");
  phase.size_bytes = measure::parse_size(size);
  for (std::string word; words >> word;) set(phase, word);
  return phase;
}

bool is_blank(const std::string& line) {
  return line.find_first_not_of(" \t\r") == std::string::npos;
}

}  // namespace

std::vector<PlannedPhase> alternating(const std::vector<std::string>& collectives,
                                      const std::vector<std::uint64_t>& sizes) {
  std::vector<PlannedPhase> plan;
  plan.reserve(collectives.size() * sizes.size());
  for (const std::uint64_t bytes : sizes) {
    for (const std::string& one : collectives) {
      plan.push_back({.collective = one, .size_bytes = bytes});
    }
  }
  return plan;
}

std::vector<PlannedPhase> read_plan(std::istream& text, const std::string& name) {
  std::vector<PlannedPhase> plan;
  std::string line;
  for (int number = 1; std::getline(text, line); ++number) {
    line.resize(std::min(line.find('#'), line.size()));
    if (is_blank(line)) continue;
    std::istringstream words(line);
    try {
      plan.push_back(phase_of(words));
    } catch (const std::invalid_argument& error) {
      throw std::runtime_error(name + " line " + std::to_string(number) + ": " + error.what());
    }
  }
  if (plan.empty())
    throw std::runtime_error(name + " has no phase: a line is, say, all_reduce 64M");
  return plan;
}

std::string in_words(const Phase& phase) {
  return phase.collective + " " + measure::format_size(phase.size_bytes) + ", " + phase.algorithm +
         ", rails " + results::joined(phase.rails);
}

}  // namespace railgauge::soak
