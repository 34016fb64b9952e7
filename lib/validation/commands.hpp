#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "validation/files.hpp"
#include "validation/journal.hpp"

namespace railgauge::validation {

/// What a stage runs, one after the other, as words. `goes_on`: a soak whose record is there is
/// continued instead of begun.
[[nodiscard]] std::vector<std::vector<std::string>> commands_of(const Plan& plan, std::size_t stage,
                                                                const Launch& launch,
                                                                const Site& site, bool goes_on);

/// Where a program of railgauge's is: next to this one, else on the PATH. Empty: it is not
/// installed.
[[nodiscard]] std::optional<std::string> path_of_program(const std::string& name);

}  // namespace railgauge::validation
