#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// How text stands on a terminal: lines, sections and tables. Nothing is escaped.

namespace railgauge::manual {

constexpr std::size_t kColumns = 100;  // of a line

/// The words of `text` in lines of at most kColumns, each indented by so many blanks; a word that
/// is longer has a line of its own. Ends in a line feed unless the text is empty.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent);

/// A blank line, a title, and sentences below it, wrapped; "" without any.
[[nodiscard]] std::string section_text(const std::string& title,
                                       const std::vector<std::string>& sentences);

using TextRow = std::vector<std::string>;

/// A table whose first row is its head; columns are aligned to the left.
[[nodiscard]] std::string table_text(const std::vector<TextRow>& rows);

}  // namespace railgauge::manual
