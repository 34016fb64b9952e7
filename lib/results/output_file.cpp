#include "results/output_file.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace railgauge::results {

void OutputFile::check() const {
  if (!path.empty() && !overwrite && std::filesystem::exists(path)) {
    throw std::invalid_argument(path + " exists; --force replaces it");
  }
}

void OutputFile::write(const std::string& text, std::ostream& out) const {
  if (path.empty()) {
    out << text;
    return;
  }
  check();
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) {
    throw std::runtime_error("cannot write " + path + ": " +
                             std::generic_category().message(errno));
  }
}

}  // namespace railgauge::results
