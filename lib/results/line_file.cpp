#include "results/line_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace railgauge::results {
namespace {

[[noreturn]] void fail(int error, const std::string& path, const std::string& why) {
  throw std::system_error(error, std::generic_category(), "cannot write '" + path + "': " + why);
}

bool is_there(const std::string& path) {
  struct stat found {};
  const bool there = ::stat(path.c_str(), &found) == 0;
  if (there && !S_ISREG(found.st_mode)) fail(EEXIST, path, "it is no ordinary file");
  return there;
}

FileDescriptor make(const std::string& path, Writer::Existing existing) {
  constexpr mode_t kReadableByAll = 0666;  // less what the user's umask forbids
  const int how = existing == Writer::Existing::refuse ? O_EXCL : 0;
  FileDescriptor file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | how, kReadableByAll));
  if (file.number() >= 0) return file;
  if (errno == EEXIST) {
    fail(EEXIST, path, "no file is overwritten unless forced; name another one or remove it");
  }
  fail(errno, path, "is its directory there?");
}

}  // namespace

LineFile::LineFile(const std::string& path, Writer::Existing existing)
    : path_(path), file_(FileDescriptor(-1)), is_new_(!is_there(path)) {
  file_ = make(path, existing);
}

LineFile::~LineFile() {
  if (is_new_ && !has_lines_ && file_.number() >= 0) ::unlink(path_.c_str());
}

void LineFile::add(std::string_view line) {
  if (!std::exchange(has_lines_, true) && ::ftruncate(file_.number(), 0) != 0)
    fail(errno, path_, "what it had cannot be replaced");
  std::string text(line);
  text += '\n';
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t taken = ::write(file_.number(), rest.data(), rest.size());
    if (taken < 0 && errno == EINTR) continue;
    if (taken < 0) fail(errno, path_, "what was written before is kept");
    rest.remove_prefix(static_cast<std::size_t>(taken));
  }
}

}  // namespace railgauge::results
