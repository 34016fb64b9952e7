#include "results/output_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace railgauge::results {
namespace {

[[noreturn]] void fail(const std::string& path, int error) {
  throw std::runtime_error("cannot write " + path + ": " + std::generic_category().message(error));
}

}  // namespace

void OutputFile::check() const {
  namespace fs = std::filesystem;
  if (path.empty()) return;
  if (!overwrite && fs::exists(path))
    throw std::invalid_argument(path + " exists; --force replaces it");
  if (fs::is_directory(path)) fail(path, EISDIR);
  const fs::path folder = fs::absolute(path).parent_path();
  if (::access(fs::exists(path) ? path.c_str() : folder.c_str(), W_OK) != 0) fail(path, errno);
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
  if (!file) fail(path, errno);
}

}  // namespace railgauge::results
