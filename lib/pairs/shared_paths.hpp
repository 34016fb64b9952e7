#pragma once

#include <string>
#include <vector>

#include "results/pairs.hpp"

namespace railgauge::pairs {

/// "3 of 4 queue pairs share a path": of the most that do, and so share its links, where others
/// might have been taken. Empty if none are known to; over one switch there is nothing to share.
[[nodiscard]] std::string shared_path_text(const std::vector<results::PairPath>& paths);

}  // namespace railgauge::pairs
