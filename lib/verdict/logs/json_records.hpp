#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "verdict/logs/log.hpp"

namespace railgauge::verdict {

/// A JSON object of a log, and the line in which it begins.
struct JsonRecord {
  std::size_t line = 0;  // counted from 1
  nlohmann::ordered_json json{};
};

/// The outermost JSON objects of a text, which may stand one a line or over several, in a list or
/// not, with other lines between them. What begins with a brace and is no JSON, is too deep or
/// never ends becomes a complaint. A bare nan or inf, which programs print and JSON has not, is
/// text. In time linear in the text.
std::vector<JsonRecord> json_records(std::string_view text, Complaints& complaints);

/// "time is nan", of the first of some fields that is_impossible(); empty if none is.
std::string impossible_in(const nlohmann::ordered_json& object,
                          std::initializer_list<const char*> fields);

}  // namespace railgauge::verdict
