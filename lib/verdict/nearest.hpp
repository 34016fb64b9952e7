#pragma once

#include <string>
#include <vector>

namespace railgauge::verdict {

/// The names that somebody may have meant by `wanted`, most likely first, three at most: those in
/// which it stands somewhere, or if there are none, nearly stands: a third of its letters may be
/// wrong, missing or too many.
std::vector<std::string> nearest(const std::vector<std::string>& names, const std::string& wanted);

}  // namespace railgauge::verdict
