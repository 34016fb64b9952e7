#pragma once

#include <string>
#include <string_view>

namespace railgauge::verdict {

/// A text of any of the encodings that logs come in as UTF-8, without a byte order mark: UTF-16 is
/// known by its mark, or without one by the zeros between its first letters (PowerShell's `>`).
std::string in_utf8(std::string_view text);

/// Without terminals' control sequences (ECMA-48: "ESC [ 31 m", "ESC ] 0 ; title BEL"), and with
/// ordinary blanks for the hard ones of web pages.
std::string without_controls(std::string_view line);

}  // namespace railgauge::verdict
