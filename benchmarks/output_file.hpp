#pragma once

#include <string>

namespace railgauge::benchmarks {

/// Throws std::invalid_argument if there is such a file and it is not to be overwritten.
void check_output_file(const std::string& file, bool overwrite);

/// Writes a file as a whole. Throws as check_output_file() does, and std::runtime_error if it
/// cannot be written.
void write_output_file(const std::string& file, const std::string& text, bool overwrite);

}  // namespace railgauge::benchmarks
