#pragma once

#include <string>

namespace railgauge {

/// What is at `path` in the source tree: in_tree("results-schema/validate"). A test that had the
/// path of its tree in its own object files would be compiled again in each clone.
[[nodiscard]] std::string in_tree(const std::string& path);

/// What is at `path` in the build folder.
[[nodiscard]] std::string in_build(const std::string& path);

}  // namespace railgauge
