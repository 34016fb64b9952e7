#pragma once

#include <memory>
#include <string>
#include <vector>

#include "benchmarks/railgauge/command.hpp"
#include "manual/manual.hpp"

namespace railgauge::benchmarks {

using Commands = std::vector<std::unique_ptr<Command>>;

/// All that is told of `railgauge`: its groups ("schedule") and commands ("schedule show").
[[nodiscard]] manual::Manual manual_of(Commands& commands);

/// The part of a manual that the first words of a command line name; `words` is how many they are.
/// Throws std::invalid_argument for a word that is no command, with the one that was perhaps meant.
/// Stops at --help.
[[nodiscard]] const manual::Manual& named_by(const std::vector<std::string>& line,
                                             const manual::Manual& manual, std::size_t& words);

}  // namespace railgauge::benchmarks
