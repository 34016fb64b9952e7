#pragma once

#include <string>

namespace railgauge::results {

/// Of this build: "0.1.0", and git's description of the commit ("unknown" outside a checkout).
extern const char* const kVersion;
extern const char* const kCommit;

/// "0.1.0 1a2b3c4"
[[nodiscard]] inline std::string version_text() {
  return std::string(kVersion) + " " + kCommit;
}

}  // namespace railgauge::results
