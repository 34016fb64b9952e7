#include "json/position.hpp"

#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

namespace railgauge::json {
namespace {

/// Counts the line feeds that a parser has read.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t& line) : at_(at), line_(&line) {}

  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    if (*at_++ == '\n') ++*line_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const CountingIterator& one, const CountingIterator& other) {
    return one.at_ == other.at_;
  }

 private:
  const char* at_;
  std::size_t* line_;
};

/// Notes the line of the deepest part of a path that the document has.
class Finder : public nlohmann::json_sax<nlohmann::json> {
 public:
  Finder(std::string path, const std::size_t& line) : wanted_(std::move(path)), line_(line) {}

  [[nodiscard]] std::size_t found() const { return found_; }

  bool null() override { return value(); }
  bool boolean(bool /*value*/) override { return value(); }
  bool number_integer(number_integer_t /*value*/) override { return value(); }
  bool number_unsigned(number_unsigned_t /*value*/) override { return value(); }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return value(); }
  bool string(string_t& /*value*/) override { return value(); }
  bool binary(binary_t& /*value*/) override { return value(); }
  bool key(string_t& name) override {
    levels_.back().name = name;
    note();
    return true;
  }
  bool start_object(std::size_t /*elements*/) override { return start(false); }
  bool start_array(std::size_t /*elements*/) override { return start(true); }
  bool end_object() override { return end(); }
  bool end_array() override { return end(); }
  bool parse_error(std::size_t /*at*/, const std::string& /*token*/,
                   const nlohmann::json::exception& /*error*/) override {
    return false;
  }

 private:
  struct Level {
    bool is_array = false;
    std::size_t index = 0;
    std::string name{};
  };

  [[nodiscard]] std::string path() const {
    std::string text;
    for (const Level& level : levels_) {
      const std::string part =
          level.is_array ? "[" + std::to_string(level.index) + "]" : level.name;
      text += (text.empty() || level.is_array ? "" : ".") + part;
    }
    return text;
  }

  [[nodiscard]] bool leads_to_wanted(const std::string& here) const {
    const bool ends =
        here.size() == wanted_.size() || wanted_[here.size()] == '.' || wanted_[here.size()] == '[';
    return ends && here.size() > longest_ && !here.empty();
  }

  void note() {
    const std::string here = path();
    if (!wanted_.starts_with(here) || !leads_to_wanted(here)) return;
    longest_ = here.size();
    found_ = line_;
  }

  bool value() {
    if (levels_.empty()) return true;
    if (levels_.back().is_array) {
      note();
      ++levels_.back().index;
    }
    return true;
  }
  bool start(bool is_array) {
    if (!levels_.empty() && levels_.back().is_array) note();
    levels_.push_back({.is_array = is_array});
    return true;
  }
  bool end() {
    levels_.pop_back();
    if (!levels_.empty() && levels_.back().is_array) ++levels_.back().index;
    return true;
  }

  std::string wanted_;
  const std::size_t& line_;
  std::vector<Level> levels_{};
  std::size_t longest_ = 0;
  std::size_t found_ = 1;
};

}  // namespace

std::optional<std::size_t> line_of(std::string_view text, const std::string& path) {
  std::size_t line = 1;
  Finder finder(path, line);
  const CountingIterator begin(text.data(), line);
  const CountingIterator end(text.data() + text.size(), line);
  if (!nlohmann::json::sax_parse(begin, end, &finder)) return std::nullopt;
  return finder.found();
}

}  // namespace railgauge::json
