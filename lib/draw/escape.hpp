#pragma once

#include <string>
#include <string_view>

// lib/draw holds what every picture and page needs: SVG, and text made safe for XML and HTML. It
// must not know what is drawn.

namespace railgauge::draw {

/// Text that may stand in HTML, XML and SVG, between tags and in attributes: characters with a
/// meaning there become entities, control characters that XML does not allow are left out, and
/// bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string escaped(std::string_view text);

}  // namespace railgauge::draw
