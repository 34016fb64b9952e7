#pragma once

#include <cstddef>
#include <string_view>

namespace railgauge::results {

/// The line of a JSON text, from 1 on, in which the value of a JSON pointer (RFC 6901:
/// "/rules/3/nodes") begins. If it is not there, of the innermost that is and holds it: of the rule
/// that lacks a field. `text` has to be JSON; names with escapes are not found.
std::size_t line_of(std::string_view text, std::string_view pointer);

}  // namespace railgauge::results
