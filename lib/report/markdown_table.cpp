#include "report/markdown_table.hpp"

#include "draw/escape.hpp"

namespace railgauge::report {

std::string markdown_cell(std::string_view text) {
  std::string safe;
  for (const char character : draw::escaped(text)) {
    if (std::string_view("\\`*_[]|~@#").find(character) != std::string_view::npos &&
        !(character == '#' && safe.ends_with('&'))) {
      safe += '\\';
    }
    safe += character == '\n' ? ' ' : character;
  }
  return safe;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& one : cells) text += " " + markdown_cell(one) + " |";
  return text + "\n";
}

std::string markdown_head(const std::vector<std::string>& head) {
  std::string rule = "|";
  for (std::size_t column = 0; column < head.size(); ++column) rule += "---|";
  return markdown_row(head) + rule + "\n";
}

}  // namespace railgauge::report
