#pragma once

#include <string>
#include <string_view>

// lib/draw holds what every picture and page needs: SVG, and text made safe for XML and HTML. It
// must not know what is drawn.

namespace railgauge::draw {

/// Makes any text safe to stand in HTML, XML and SVG, between tags and in attributes of either
/// quote:
/// - & < > " ' become entities;
/// - control characters that XML 1.0 does not allow are left out, and a carriage return as well;
/// - bytes that are not UTF-8 become U+FFFD, one for each malformed sequence.
[[nodiscard]] std::string escaped(std::string_view text);

}  // namespace railgauge::draw
