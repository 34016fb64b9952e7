#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "manual/manual.hpp"

namespace railgauge::benchmarks {

/// All that is told of the command and its sub-commands, read from what parses them.
[[nodiscard]] manual::Manual manual_of(const CLI::App& app);

/// Gives every command a --help of that form, and lets the last count of an option that takes one
/// value and is given twice.
void settle(CLI::App& app);

/// What is wrong with words that `app` would not take, with the word that was perhaps meant; empty
/// if it is no option and no command that is unknown.
[[nodiscard]] std::string unknown_word(const CLI::App& app, int argc, char** argv);

}  // namespace railgauge::benchmarks
