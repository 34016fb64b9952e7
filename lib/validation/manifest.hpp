#pragma once

#include <string>
#include <vector>

#include "validation/files.hpp"

namespace railgauge::validation {

/// Writes SHA256SUMS: the SHA-256 of every file of the folder, in the form of coreutils' sha256sum,
/// which computes it. Throws std::runtime_error with its message.
void write_manifest(const Site& site);

/// What is wrong with a folder, a sentence each; empty: all files are as they were when the
/// manifest was written, and there are no others. It does not protect from whoever replaces the
/// manifest, too. Throws std::runtime_error if there is no manifest, or it cannot be checked.
[[nodiscard]] std::vector<std::string> verified(const Site& site);

}  // namespace railgauge::validation
