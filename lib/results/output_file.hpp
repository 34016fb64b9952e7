#pragma once

#include <ostream>
#include <string>

namespace railgauge::results {

/// Where a command's output goes: to a file, or to standard output if none is named.
struct OutputFile {
  std::string path{};
  bool overwrite = false;

  /// Throws std::invalid_argument if the file exists and may not be replaced, std::runtime_error if
  /// it could not be written.
  void check() const;

  /// Throws as check() does, and std::runtime_error, which names the file and the reason, if it
  /// cannot be written.
  void write(const std::string& text, std::ostream& out) const;
};

}  // namespace railgauge::results
