#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "verdict/logs/log.hpp"

namespace railgauge::verdict {

/// What a reader has found so far: one run after another, numbered from 1, and complaints.
class Gathering {
 public:
  /// What is added from here on belongs to such a run; one that nothing was added to is forgotten.
  void begin(const Run& run);

  /// The run that is gathered. What is set here also holds for what was added to it before.
  [[nodiscard]] Run& run() { return run_; }
  [[nodiscard]] const Run& run() const { return run_; }

  /// A point that the run has already opens the next one, of the same ranks: a cycle of -N.
  void add(const Point& point);

  void complain(std::size_t line, const std::string& text);

  /// All of it; nothing is left.
  [[nodiscard]] LogContent result();

 private:
  LogContent content_;
  Run run_;
};

/// Has a reader, with line() and result(), read a text line by line, counted from 1.
template <class Reader>
LogContent read_lines(Reader reader, std::string_view text) {
  std::size_t number = 0;
  for (const std::string_view line : lines_of(text)) reader.line(++number, line);
  return reader.result();
}

}  // namespace railgauge::verdict
