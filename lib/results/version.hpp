#pragma once

namespace railgauge::results {

/// Of this build: "0.1.0", and git's description of the commit ("unknown" outside a checkout).
extern const char* const kVersion;
extern const char* const kCommit;

}  // namespace railgauge::results
