#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace railgauge::manual {

constexpr std::size_t kColumns = 100;  // of a line of help

/// The words of `text` in lines of at most kColumns, each indented by so many blanks; a word that
/// is longer has a line of its own. Ends in a line feed unless the text is empty.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent);

}  // namespace railgauge::manual
