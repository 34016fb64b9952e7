#include "benchmarks/output_file.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace railgauge::benchmarks {

void check_output_file(const std::string& file, bool overwrite) {
  if (!overwrite && std::filesystem::exists(file)) {
    throw std::invalid_argument(file + " exists; --force replaces it");
  }
}

void write_output_file(const std::string& file, const std::string& text, bool overwrite) {
  check_output_file(file, overwrite);
  std::ofstream out(file);
  out << text;
  out.close();
  if (!out) {
    throw std::runtime_error("cannot write " + file + ": " +
                             std::generic_category().message(errno));
  }
}

}  // namespace railgauge::benchmarks
