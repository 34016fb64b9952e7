#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace railgauge::topology {

/// What a terminal shows without breaking lines itself. Words longer than that stay whole.
constexpr std::size_t kTextWidth = 80;

using TextRow = std::vector<std::string>;

/// A table: columns aligned to the left, two blanks between them, indented by two. The first row is
/// its head; all rows have as many cells. If it is too wide, lists ("0-3,8,10-11") are continued on
/// the next line. If it still is, it becomes several tables, each of which begins with the first
/// `keys` columns, and one of them with column `second` after these. Ends with a line break.
std::string table_text(const std::vector<TextRow>& rows, std::size_t keys = 1,
                       std::size_t second = 0);

/// A sentence, broken between words; indented by two, and by four from its second line on. Ends
/// with a line break.
std::string sentence_text(const std::string& sentence);

/// A text broken between words into lines of at most `width` letters.
std::vector<std::string> wrapped(const std::string& text, std::size_t width);

}  // namespace railgauge::topology
