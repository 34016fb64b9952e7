#pragma once

#include <algorithm>

#include "manual/manual.hpp"

namespace railgauge::manual {

/// A program with an option of each form.
inline Manual sample_manual() {
  return {
      .program = "ring_perf",
      .about = "Runs rings",
      .options = {{"-b,--minbytes", "SIZE", "Smallest size", "32M", "Sizes"},
                  {"--algo", "NAME[,...]", "Algorithms", "ring", "Axes", {"ring", "tree"}, true},
                  {"-J,--output", "PATH", "Result document", "", "Output"},
                  {"--force", "", "Replace [old] files: 'all'", "", "Output"}},
      .examples = {{"ring_perf -b 8", "The smallest"}},
      .sections = {{"Exit status", "0 ok; 2 usage"}}};
}

/// A program with commands, two deep.
inline Manual sample_of_commands() {
  Manual show{.program = "gauge schedule show", .about = "One schedule"};
  show.options = {{"--format", "table|svg", "Form", "table", "", {"table", "svg"}}};
  const Manual schedule{.program = "gauge schedule", .about = "Who sends what", .commands = {show}};
  Manual compare{.program = "gauge compare", .about = "Judges results", .arguments = "RESULT..."};
  compare.options = {{"--json", "", "As JSON"}};
  return {.program = "gauge", .about = "Looks at things", .commands = {schedule, compare}};
}

}  // namespace railgauge::manual
