#pragma once

#include <string>
#include <vector>

#include "experiments/collective/collective_options.hpp"
#include "runner/parsed.hpp"

namespace railgauge::runner {

class ParsedCollective : public ParsedRun {
 public:
  ParsedCollective(Program program, const std::vector<std::string>& words)
      : ParsedRun(program.collective + "_perf") {
    add_collective_options(table, program, options);
    parse(words, [this] { check_collective_options(table, options); });
  }

  CollectiveOptions options;
};

inline ParsedCollective parse(const std::vector<std::string>& words,
                              schedule::Collective collective = schedule::Collective::all_reduce) {
  return {{std::string(schedule::name(collective)), collective}, words};
}

/// The text of a mistake; empty if there was none.
inline std::string mistake(const std::vector<std::string>& words,
                           schedule::Collective collective = schedule::Collective::all_reduce) {
  return parse(words, collective).mistake();
}

/// "ring tree ", of the algorithms that were resolved.
inline std::string names_of(const CollectiveOptions& options) {
  std::string names;
  for (const auto* algorithm : options.algorithms) names += std::string(algorithm->name) + " ";
  return names;
}

}  // namespace railgauge::runner
