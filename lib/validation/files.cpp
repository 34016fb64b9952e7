#include "validation/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "results/table.hpp"

namespace railgauge::validation {
namespace {

namespace fs = std::filesystem;
using results::FileDescriptor;

[[noreturn]] void fail(const std::string& what, const fs::path& path, int error) {
  throw std::system_error(error, std::generic_category(), "cannot " + what + " " + path.string());
}

void write_all(const FileDescriptor& file, std::string_view text, const fs::path& path) {
  while (!text.empty()) {
    const ssize_t written = ::write(file.number(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write", path, errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::fsync(file.number()) != 0) fail("write", path, errno);
}

FileDescriptor locked_file(const Site& site) {
  constexpr mode_t kMode = 0644;
  std::error_code failed;
  fs::create_directories(site.folder, failed);
  if (failed) fail("make the folder", site.folder, failed.value());
  const fs::path path = site.folder / ".lock";
  // Inherited by the programs that are started: no O_CLOEXEC.
  FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT, kMode));
  if (file.number() < 0) fail("write", path, errno);
  return file;
}

}  // namespace

fs::path Site::of(const Plan& plan, std::size_t stage, std::string_view ending) const {
  return folder /
         (results::printed("%02zu-", stage + 1) + plan.stages.at(stage).name + std::string(ending));
}

void replace_file(const fs::path& path, std::string_view text) {
  constexpr mode_t kMode = 0644;
  const fs::path next = path.parent_path() / ("." + path.filename().string() + ".new");
  try {
    const FileDescriptor file(
        ::open(next.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode));
    if (file.number() < 0) fail("write", path, errno);
    write_all(file, text, path);
  } catch (...) {
    ::unlink(next.c_str());
    throw;
  }
  if (::rename(next.c_str(), path.c_str()) != 0) fail("write", path, errno);
}

SiteLock::SiteLock(const Site& site) : file_(locked_file(site)) {
  constexpr int kTries = 300;
  for (int attempt = 0; ::flock(file_.number(), LOCK_EX | LOCK_NB) != 0; ++attempt) {
    if (errno != EWOULDBLOCK && errno != EINTR) fail("lock", site.folder, errno);
    if (attempt == kTries)
      throw std::runtime_error(
          site.folder.string() +
          ": another railgauge validate, or a program that one has left, still "
          "runs there after 30 s; end it, or give another folder");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

}  // namespace railgauge::validation
