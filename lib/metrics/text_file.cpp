#include "metrics/text_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace railgauge::metrics {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFirstLine = "# Written by railgauge, which replaces this file.";

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw std::system_error(errno == 0 ? EIO : errno, std::generic_category(),
                          "cannot write the metrics file '" + path + "': " + why);
}

void refuse_foreign(const std::string& path) {
  std::error_code none;
  const fs::file_status status = fs::status(path, none);
  if (!fs::exists(status)) return;
  std::string line;
  std::ifstream file(path);
  const bool ours =
      fs::is_regular_file(status) && file && (!std::getline(file, line) || line == kFirstLine);
  if (ours) return;
  throw std::runtime_error("'" + path +
                           "' exists and is no metrics file of railgauge, so it is not replaced; "
                           "name another one or remove it");
}

std::string temporary_name(const fs::path& path) {
  const std::string name = "." + path.filename().string() + "." + std::to_string(::getpid());
  return path.parent_path() / (name + ".tmp");  // not *.prom, which would be read
}

}  // namespace

TextFile::TextFile(std::string path) : path_(std::move(path)), temporary_(temporary_name(path_)) {
  refuse_foreign(path_);
  errno = 0;
  if (!std::ofstream(temporary_)) fail(path_, "no file can be made in its folder");
  fs::remove(temporary_);
}

void TextFile::replace(std::string_view metrics) const {
  errno = 0;
  std::ofstream file(temporary_);
  file << kFirstLine << '\n' << metrics;
  file.close();
  if (file && std::rename(temporary_.c_str(), path_.c_str()) == 0) return;
  const int reason = errno;
  ::unlink(temporary_.c_str());
  errno = reason;
  fail(path_, "what was there before, if anything, is kept");
}

}  // namespace railgauge::metrics
