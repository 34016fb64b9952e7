#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "draw/escape.hpp"

namespace railgauge::report {

using draw::escaped;

/// "<tag>text</tag>" of text that is escaped already.
std::string element(std::string_view tag, std::string_view inner);

/// A cell of a table: escaped text, and its class or none.
struct Cell {
  std::string text{};
  std::string style_class{};
};

/// A table that scrolls sideways where it is too wide. Escapes all texts.
std::string table(const std::vector<std::string>& head, const std::vector<std::vector<Cell>>& rows);

/// What is folded up until it is asked for. `inner` is HTML.
std::string folded(std::string_view summary, const std::string& inner, bool open = false);

/// A heading of the second level and what is under it; nothing if that is nothing.
std::string section(std::string_view title, const std::string& inner);

/// With at most four significant digits: "0.3932", "1234000"; "-" if it is none.
std::string number_text(double value);

}  // namespace railgauge::report
