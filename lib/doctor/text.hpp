#pragma once

#include <string>

#include "doctor/examination.hpp"

namespace railgauge::doctor {

/// For people, one screen: errors, warnings, what is unknown, what was skipped, the outcome.
[[nodiscard]] std::string as_text(const Document& examination);

/// For CI: a test case for each check. UNKNOWN is an error, a waived check is skipped.
[[nodiscard]] std::string as_junit(const Document& examination);

/// A line for each check: name, group, level, what it is about, and what it expects.
[[nodiscard]] std::string listing();

/// All that a row of the table says.
[[nodiscard]] std::string explanation(const Check& check);

}  // namespace railgauge::doctor
