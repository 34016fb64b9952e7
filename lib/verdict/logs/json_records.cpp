#include "verdict/logs/json_records.hpp"

#include <algorithm>
#include <cctype>
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

/// With quotation marks around a bare nan or inf.
std::string with_quoted_nan(std::string_view text) {
  std::string all;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '"') quoted = !quoted;
    std::size_t end = at;
    while (!quoted && end < text.size() &&
           (text[end] == '-' || std::isalpha(static_cast<unsigned char>(text[end])) != 0))
      ++end;
    const std::string word(text.substr(at, std::max<std::size_t>(1, end - at)));
    all += is_impossible(word) ? '"' + word + '"' : word;
    at += word.size();
  }
  return all;
}

/// Throws std::runtime_error if it is none.
nlohmann::ordered_json record_in(std::string_view text) try {
  return json::json_of_text(text);
} catch (const std::runtime_error&) {
  return json::json_of_text(with_quoted_nan(text));
}

}  // namespace

std::string impossible_in(const nlohmann::ordered_json& object,
                          std::initializer_list<const char*> fields) {
  for (const char* const field : fields) {
    const auto found = object.find(field);
    if (found == object.end()) continue;
    const std::string word =
        first_word(found->is_string() ? found->get<std::string>() : found->dump());
    if (is_impossible(word)) return std::string(field) + " is " + word;
  }
  return "";
}

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
      records.push_back({first_line, record_in(text.substr(begin, at + 1 - begin))});
    } catch (const std::runtime_error&) {
      complaints.push_back({first_line, "no JSON object"});
    }
  }
  if (!braces.outside()) complaints.push_back({first_line, "a JSON object without an end"});
  return records;
}

}  // namespace railgauge::verdict
