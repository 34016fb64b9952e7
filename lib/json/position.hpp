#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace railgauge::json {

/// The line, counted from 1, in which a field of a document begins; `path` is as FieldError has it:
/// "stages[2].limit". Of a field that is missing, the line of the innermost object that is there.
/// Empty if the text is no JSON.
[[nodiscard]] std::optional<std::size_t> line_of(std::string_view text, const std::string& path);

}  // namespace railgauge::json
