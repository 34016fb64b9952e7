#include "verdict/logs/json_records.hpp"

#include <stdexcept>

#include "json/text.hpp"

namespace railgauge::verdict {
namespace {

/// Follows braces through a text, and knows when an outermost object has ended.
class Braces {
 public:
  /// Whether an object ends with this character.
  bool ends(char c) {
    if (quoted_) {
      if (escaped_) {
        escaped_ = false;
      } else if (c == '\\') {
        escaped_ = true;
      } else {
        quoted_ = c != '"' && c != '\n';  // no text of JSON goes over a line
      }
      return false;
    }
    if (c == '"' && depth_ > 0) quoted_ = true;
    if (c == '{') ++depth_;
    return c == '}' && depth_ > 0 && --depth_ == 0;
  }

  void reset() { *this = {}; }

  [[nodiscard]] bool outside() const { return depth_ == 0; }

 private:
  std::size_t depth_ = 0;
  bool quoted_ = false;
  bool escaped_ = false;
};

}  // namespace

std::vector<JsonRecord> json_records(std::string_view text, Complaints& complaints) {
  std::vector<JsonRecord> records;
  Braces braces;
  std::size_t begin = 0;
  std::size_t first_line = 1;
  std::size_t line = 1;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool begins_line = at == 0 || text[at - 1] == '\n';
    if (!braces.outside() && text[at] == '{' && begins_line) {  // a record that lost its end
      complaints.push_back({first_line, "a JSON object without an end"});
      braces.reset();
    }
    if (braces.outside() && text[at] == '{') {
      begin = at;
      first_line = line;
    }
    if (text[at] == '\n') ++line;
    if (!braces.ends(text[at])) continue;
    try {
      records.push_back({first_line, json::json_of_text(text.substr(begin, at + 1 - begin))});
    } catch (const std::runtime_error&) {
      complaints.push_back({first_line, "no JSON object"});
    }
  }
  if (!braces.outside()) complaints.push_back({first_line, "a JSON object without an end"});
  return records;
}

}  // namespace railgauge::verdict
