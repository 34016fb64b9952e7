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
  std::vector<std::string> remarks{};  // what the hosts' addresses and rails tell beforehand
};

/// The document railgauge/reachability/1, of results-schema/. `complaints` are those of
/// complaints.hpp.
std::string as_json(const Matrix& matrix, const std::vector<std::string>& complaints,
                    const Circumstances& run);

}  // namespace railgauge::reachability
