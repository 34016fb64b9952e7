#pragma once

#include <cstddef>
#include <string>

namespace railgauge::results {

/// A file that is longer than this is refused: it is no result and no log (/dev/zero has no end).
constexpr std::size_t kMostInputBytes = std::size_t{1024} << 20U;

/// All of a file; of "-" what comes on standard input. Throws std::runtime_error, which names it
/// and the reason, if it cannot be read or is longer than that.
std::string read_input(const std::string& path);

/// The file's name for people: "-" is "standard input".
std::string name_of_input(const std::string& path);

}  // namespace railgauge::results
