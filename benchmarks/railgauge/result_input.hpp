#pragma once

#include <optional>
#include <string>

#include "soak/record.hpp"
#include "verdict/run_set.hpp"

namespace railgauge::benchmarks {

/// What a command is given to look at, and of a soak its samples, if they are there.
struct ResultInput {
  verdict::Input input{};
  std::optional<soak::Record> samples{};
};

/// A result document, a reference, or the record of a soak, which is taken as the document that its
/// run would have written by now. Throws std::runtime_error, which names file, line and reason, for
/// what is none of these. With `samples`, the record that a soak's document names is looked for as
/// it is named, and beside the document.
[[nodiscard]] ResultInput read_result(const std::string& file, bool samples = false);

}  // namespace railgauge::benchmarks
