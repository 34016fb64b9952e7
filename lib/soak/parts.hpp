#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

namespace railgauge::soak {

/// A file that was packed, or is about to be: FILE.3.gz, or FILE.3 as long as it is not yet.
struct Part {
  std::size_t number = 0;
  std::filesystem::path path{};
};

/// The parts of a record but FILE itself, in order. Throws std::filesystem::filesystem_error if its
/// folder cannot be read.
[[nodiscard]] std::vector<Part> parts_of(const std::filesystem::path& record);

/// Compresses `plain` to `plain`.gz, and removes it when that is whole and on the disk. False, with
/// nothing changed, if it cannot be done.
bool pack(const std::filesystem::path& plain);

}  // namespace railgauge::soak
