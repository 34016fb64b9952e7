#pragma once

#include <string>
#include <vector>

#include "reachability/matrix.hpp"

namespace railgauge::reachability {

/// A run, besides what it found.
struct Circumstances {
  std::string version{};  // of railgauge
  std::string commit{};
  std::string start{};  // ISO 8601, UTC
  std::vector<std::string> command_line{};
};

/// The document railgauge/reachability/1, of results-schema/. `complaints` are all that there are:
/// those of complaints.hpp, and what the hosts' rails and addresses told beforehand.
std::string as_json(const Matrix& matrix, const std::vector<std::string>& complaints,
                    const Circumstances& run);

}  // namespace railgauge::reachability
