#include "results/writer.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace railgauge::results {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(int error, const std::string& path, const std::string& why) {
  throw std::system_error(error, std::generic_category(),
                          "cannot write the result document '" + path + "': " + why);
}

std::string directory_of(const std::string& path) {
  const std::string directory = fs::path(path).parent_path();
  return directory.empty() ? "." : directory;
}

FileDescriptor open_directory(const std::string& path) {
  const std::string directory = directory_of(path);
  FileDescriptor opened(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.number() < 0) {
    fail(errno, path, "its directory '" + directory + "' cannot be opened; make it first");
  }
  return opened;
}

/// Two runs may write different documents into one directory, so the process is in the name.
std::string temporary_name(const std::string& name) {
  return "." + name + "." + std::to_string(::getpid()) + ".tmp";
}

/// Removes what a killed process of the same number left, then makes it anew: never opens a file,
/// or follows a link, that somebody else put there.
FileDescriptor create(const FileDescriptor& directory, const std::string& name) {
  constexpr mode_t kReadableByAll = 0666;  // less what the user's umask forbids
  ::unlinkat(directory.number(), name.c_str(), 0);
  return FileDescriptor(::openat(directory.number(), name.c_str(),
                                 O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kReadableByAll));
}

/// False with the reason in errno. write() may take less than it was given: a nearly full disk.
bool write_all(const FileDescriptor& file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t taken = ::write(file.number(), text.data(), text.size());
    if (taken < 0 && errno == EINTR) continue;
    if (taken < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(taken));
  }
  return true;
}

/// False with the reason in errno: EEXIST if `to` is there and may not be replaced.
bool rename_in(const FileDescriptor& directory, const std::string& from, const std::string& to,
               bool may_replace) {
  const int where = directory.number();
  const unsigned how = may_replace ? 0 : RENAME_NOREPLACE;
  if (::renameat2(where, from.c_str(), where, to.c_str(), how) == 0) return true;
  // NFS and a few others know no such flag. That nothing was there was seen at the start.
  if (errno != EINVAL || may_replace) return false;
  return ::renameat(where, from.c_str(), where, to.c_str()) == 0;
}

void refuse_if_there(const FileDescriptor& directory, const std::string& path,
                     const std::string& name, Writer::Existing existing) {
  struct stat found {};
  if (::fstatat(directory.number(), name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) return;
  if (!S_ISREG(found.st_mode)) fail(EEXIST, path, "it is no ordinary file; name another one");
  if (existing == Writer::Existing::refuse) {
    fail(EEXIST, path, "no file is overwritten unless forced; name another one or remove it");
  }
}

}  // namespace

Writer::Writer(const std::string& path, Existing existing)
    : path_(path),
      name_(fs::path(path).filename()),
      temporary_(temporary_name(name_)),
      directory_(open_directory(path)),
      may_replace_(existing == Existing::overwrite) {
  if (name_.empty()) fail(EISDIR, path, "it names no file");
  refuse_if_there(directory_, path, name_, existing);
  if (create(directory_, temporary_).number() < 0) {
    fail(errno, path, "no file can be made in its directory '" + directory_of(path) + "'");
  }
  ::unlinkat(directory_.number(), temporary_.c_str(), 0);
}

void Writer::write(const Document& document) {
  const std::string text = json_text(document);
  const FileDescriptor file = create(directory_, temporary_);
  const bool written = file.number() >= 0 && write_all(file, text) && ::fsync(file.number()) == 0 &&
                       rename_in(directory_, temporary_, name_, may_replace_);
  if (!written) {
    const int reason = errno;
    ::unlinkat(directory_.number(), temporary_.c_str(), 0);
    fail(reason, path_, "what was written before, if anything, is kept");
  }
  may_replace_ = true;  // from here on it is this writer's own file
}

}  // namespace railgauge::results
