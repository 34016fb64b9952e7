#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace railgauge::json {

/// A text as JSON. Throws std::runtime_error, which says why it is none and in which line, and
/// refuses what is nested deeper than any document is, before it is parsed.
nlohmann::ordered_json json_of_text(std::string_view text);

/// The same; empty if it is none.
std::optional<nlohmann::ordered_json> maybe_json(std::string_view text);

}  // namespace railgauge::json
