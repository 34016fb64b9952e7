#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace railgauge::report {

/// Text in a cell or a line: no HTML, no bars, no marks of Markdown, no links, one line.
[[nodiscard]] std::string markdown_cell(std::string_view text);

/// A row of a table, and its head with the line under it. They escape all texts.
[[nodiscard]] std::string markdown_row(const std::vector<std::string>& cells);
[[nodiscard]] std::string markdown_head(const std::vector<std::string>& head);

}  // namespace railgauge::report
