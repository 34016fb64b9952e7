#pragma once

#include <string>

#include "fabric/sizing.hpp"
#include "options/option_table.hpp"
#include "predict/network.hpp"

namespace railgauge::benchmarks {

/// "400", "400G", "400Gbit": Gb/s.
[[nodiscard]] options::Syntax<double> gigabits();
/// "1.5" or "1.5:1".
[[nodiscard]] options::Syntax<double> ratio();
/// A whole number from `least` on.
[[nodiscard]] options::Syntax<fabric::Count> count(std::int64_t least = 1);
/// One of these words.
[[nodiscard]] options::Syntax<std::string> word_of(const std::vector<std::string>& words);

/// How switches choose among equal paths, and which spines are dead.
[[nodiscard]] options::Declaration<predict::Balance> balance();
[[nodiscard]] options::Declaration<fabric::Count> dead_spines();
inline constexpr std::int64_t kMostFailures = 1'000'000;

/// The options that say what fabric there is, for who designs one and for who predicts on one.
void add_fabric(options::OptionTable& table, fabric::Request& request, int& nics);

}  // namespace railgauge::benchmarks
