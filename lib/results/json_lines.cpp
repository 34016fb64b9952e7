#include "results/json_lines.hpp"

#include <algorithm>
#include <string>

namespace railgauge::results {
namespace {

/// A place in a JSON text, at the beginning of a value.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) { skip_blanks(); }

  /// Goes to the value of a name, or of a number in a list; stays if there is none.
  bool enter(std::string_view part) {
    const std::size_t begin = at_;
    if (!ends() && text_[at_] == '{' && enter_member(part)) return true;
    if (!ends() && text_[at_] == '[' && enter_element(part)) return true;
    at_ = begin;
    return false;
  }

  [[nodiscard]] std::size_t line() const {
    const std::string_view before = text_.substr(0, at_);
    return 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  }

 private:
  [[nodiscard]] bool ends() const { return at_ >= text_.size(); }

  void skip_blanks() {
    while (!ends() && std::string_view(" \t\r\n,:").find(text_[at_]) != std::string_view::npos) {
      ++at_;
    }
  }

  /// What stands between quotes.
  std::string_view quoted() {
    const std::size_t begin = ++at_;
    while (!ends() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    const std::size_t end = std::min(at_, text_.size());
    ++at_;
    return text_.substr(begin, end - begin);
  }

  void skip_value() {
    int depth = 0;
    do {
      if (text_[at_] == '"') {
        quoted();
        continue;
      }
      if (text_[at_] == '{' || text_[at_] == '[') ++depth;
      if (text_[at_] == '}' || text_[at_] == ']') --depth;
      ++at_;
    } while (!ends() && (depth > 0 || !is_after_value()));
    skip_blanks();
  }

  [[nodiscard]] bool is_after_value() const {
    return std::string_view(",]} \t\r\n").find(text_[at_]) != std::string_view::npos;
  }

  bool enter_member(std::string_view wanted) {
    ++at_;
    skip_blanks();
    while (!ends() && text_[at_] == '"') {
      const std::string_view name = quoted();
      skip_blanks();
      if (name == wanted) return !ends();
      if (!ends()) skip_value();
    }
    return false;
  }

  bool enter_element(std::string_view wanted) {
    ++at_;
    skip_blanks();
    for (std::size_t number = 0; !ends() && text_[at_] != ']'; ++number) {
      if (std::to_string(number) == wanted) return true;
      skip_value();
    }
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::size_t line_of(std::string_view text, std::string_view pointer) {
  Cursor cursor(text);
  while (!pointer.empty()) {
    pointer.remove_prefix(1);  // the slash
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    if (!cursor.enter(pointer.substr(0, end))) break;
    pointer.remove_prefix(end);
  }
  return cursor.line();
}

}  // namespace railgauge::results
