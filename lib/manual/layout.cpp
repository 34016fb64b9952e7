#include "manual/layout.hpp"

#include <algorithm>
#include <sstream>

namespace railgauge::manual {

std::string wrapped(std::string_view text, std::size_t indent) {
  std::istringstream words{std::string(text)};
  const std::string blanks(indent, ' ');
  std::string lines;
  std::string line;
  for (std::string word; words >> word;) {
    if (!line.empty() && indent + line.size() + 1 + word.size() > kColumns) {
      lines += blanks + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return line.empty() ? lines : lines + blanks + line + "\n";
}

std::string section_text(const std::string& title, const std::vector<std::string>& sentences) {
  constexpr std::size_t kIndent = 2;
  std::string text;
  for (const std::string& one : sentences) {
    text += wrapped(one, 2 * kIndent).substr(kIndent);  // the first line hangs out
  }
  return text.empty() ? "" : "\n" + title + "\n" + text;
}

std::string table_text(const std::vector<TextRow>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const TextRow& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const TextRow& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += "  " + row[i] + std::string(widths[i] - row[i].size(), ' ');
    }
    line.resize(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace railgauge::manual
