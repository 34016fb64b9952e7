#pragma once

#include <string>
#include <vector>

namespace railgauge::report {

/// "ring, rail 0, in place": the parts that are not empty, with commas.
std::string joined(const std::vector<std::string>& parts);

/// "in_place" as "in place".
std::string plain(std::string text);

}  // namespace railgauge::report
