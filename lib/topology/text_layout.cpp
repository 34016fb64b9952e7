#include "topology/text_layout.hpp"

#include <algorithm>

namespace railgauge::topology {
namespace {

using Columns = std::vector<std::size_t>;

constexpr std::size_t kIndent = 2;  // and between columns
constexpr std::size_t kListWidth = 24;

/// Breaks after `mark`, which stays at the end of its line unless it is a blank.
std::vector<std::string> broken(const std::string& text, char mark, std::size_t width) {
  std::vector<std::string> lines(1);
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t found = text.find(mark, at);
    const std::size_t end = found == std::string::npos ? text.size() : found + 1;
    const std::string word = text.substr(at, end - at);
    const std::size_t seen = word.size() - (mark == ' ' && found != std::string::npos ? 1 : 0);
    if (!lines.back().empty() && lines.back().size() + seen > width) lines.emplace_back();
    lines.back() += word;
    at = end;
  }
  for (std::string& line : lines) line.resize(line.find_last_not_of(' ') + 1);
  return lines;
}

std::size_t width_of(const std::vector<TextRow>& rows, std::size_t column) {
  std::size_t width = 0;
  for (const TextRow& row : rows) width = std::max(width, row[column].size());
  return width;
}

/// A column of lists, too wide, is of this width; 0: any other column.
std::size_t list_width(const std::vector<TextRow>& rows, std::size_t column) {
  const bool list = std::ranges::any_of(rows, [&](const TextRow& row) {
    return row[column].size() > kListWidth && row[column].find(',') != std::string::npos;
  });
  return list ? std::max(kListWidth, rows.front()[column].size()) : 0;
}

std::size_t total(const std::vector<std::size_t>& widths, const Columns& columns) {
  std::size_t sum = 0;
  for (const std::size_t column : columns) sum += kIndent + widths[column];
  return sum;
}

Columns first(std::size_t count) {
  Columns columns;
  columns.reserve(count);
  for (std::size_t i = 0; i < count; ++i) columns.push_back(i);
  return columns;
}

/// The columns of each table.
std::vector<Columns> packed(const std::vector<std::size_t>& widths, std::size_t keys,
                            std::size_t second) {
  if (total(widths, first(widths.size())) <= kTextWidth) return {first(widths.size())};
  std::vector<Columns> tables{first(std::min(keys, widths.size()))};
  for (std::size_t column = keys; column < widths.size(); ++column) {
    Columns& last = tables.back();
    last.push_back(column);
    const bool fits = total(widths, last) <= kTextWidth && column != second;
    if (fits || last.size() == keys + 1) continue;
    last.pop_back();
    tables.push_back(first(keys));
    tables.back().push_back(column);
  }
  return tables;
}

std::string padded(const std::string& text, std::size_t width) {
  return std::string(kIndent, ' ') + text + std::string(width - std::min(width, text.size()), ' ');
}

std::string row_text(const TextRow& row, const std::vector<std::size_t>& widths,
                     const Columns& columns) {
  std::vector<std::vector<std::string>> cells;
  std::size_t height = 1;
  for (const std::size_t column : columns) {
    const std::string& cell = row[column];
    cells.push_back(cell.size() <= widths[column] ? std::vector{cell}
                                                  : broken(cell, ',', widths[column]));
    height = std::max(height, cells.back().size());
  }
  std::string text;
  for (std::size_t line = 0; line < height; ++line) {
    std::string one;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      one += padded(line < cells[i].size() ? cells[i][line] : "", widths[columns[i]]);
    }
    one.resize(one.find_last_not_of(' ') + 1);
    text += one + "\n";
  }
  return text;
}

}  // namespace

std::string table_text(const std::vector<TextRow>& rows, std::size_t keys, std::size_t second) {
  const std::size_t count = rows.front().size();
  std::vector<std::size_t> widths;
  widths.reserve(count);
  for (std::size_t column = 0; column < count; ++column) widths.push_back(width_of(rows, column));
  for (std::size_t column = 0; column < count; ++column) {
    if (total(widths, first(count)) <= kTextWidth) break;
    const std::size_t narrower = list_width(rows, column);
    if (narrower > 0) widths[column] = std::min(widths[column], narrower);
  }
  std::string text;
  for (const Columns& columns : packed(widths, keys, second)) {
    if (!text.empty()) text += "\n";
    for (const TextRow& row : rows) text += row_text(row, widths, columns);
  }
  return text;
}

std::string sentence_text(const std::string& sentence) {
  std::string text;
  for (const std::string& line : wrapped(sentence, kTextWidth - 2 * kIndent)) {
    text += std::string(text.empty() ? kIndent : 2 * kIndent, ' ') + line + "\n";
  }
  return text;
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  return broken(text, ' ', width);
}

}  // namespace railgauge::topology
