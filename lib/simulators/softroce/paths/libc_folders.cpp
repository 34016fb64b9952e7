// opendir(), and what is done with what it gives.

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <new>

#include "softroce/paths/folder.hpp"
#include "softroce/paths/libc.hpp"

using namespace railgauge::softroce::paths;

namespace {

/// Closes the file if there is no memory for it.
DIR* make_handle(int file, const std::string& path) noexcept {
  try {
    return (new Folder(file, path))->handle();
  } catch (const std::bad_alloc&) {
    ::close(file);
    errno = ENOMEM;
    return nullptr;
  }
}

}  // namespace

// The structures with and without 64 are the same where long has 64 bits.
static_assert(sizeof(dirent) == sizeof(dirent64));

SOFTROCE_LIBC(DIR*, opendir, (const char* path)) {
  static constinit Next<DIR*(const char*)> real("opendir");
  const auto node = ours(path, LastLink::follow);
  if (!node) return real(path);
  const int file = open_node(*node, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return file < 0 ? nullptr : make_handle(file, node->path);
}

SOFTROCE_LIBC(DIR*, fdopendir, (int file)) {
  static constinit Next<DIR*(int)> real("fdopendir");
  const std::string path = folder_of(file);
  return path.empty() ? real(file) : make_handle(file, path);
}

SOFTROCE_LIBC(int, closedir, (DIR * handle)) {
  static constinit Next<int(DIR*)> real("closedir");
  const Folder* const folder = Folder::of(handle);
  if (folder == nullptr) return real(handle);
  const int file = folder->file();
  delete folder;
  return ::close(file);
}

#define SOFTROCE_READ_FOLDER(name)                            \
  SOFTROCE_LIBC(dirent*, name, (DIR * handle)) {              \
    static constinit Next<dirent*(DIR*)> real(#name);         \
    Folder* const folder = Folder::of(handle);                \
    return folder == nullptr ? real(handle) : folder->next(); \
  }
SOFTROCE_READ_FOLDER(readdir)
SOFTROCE_READ_FOLDER(readdir64)

#define SOFTROCE_READ_FOLDER_R(name)                                           \
  SOFTROCE_LIBC(int, name, (DIR * handle, dirent * entry, dirent * *result)) { \
    static constinit Next<int(DIR*, dirent*, dirent**)> real(#name);           \
    Folder* const folder = Folder::of(handle);                                 \
    if (folder == nullptr) return real(handle, entry, result);                 \
    const dirent* const next = folder->next();                                 \
    if (next != nullptr) *entry = *next;                                       \
    *result = next == nullptr ? nullptr : entry;                               \
    return 0;                                                                  \
  }
SOFTROCE_READ_FOLDER_R(readdir_r)
SOFTROCE_READ_FOLDER_R(readdir64_r)

SOFTROCE_LIBC(int, dirfd, (DIR * handle)) {
  static constinit Next<int(DIR*)> real("dirfd");
  const Folder* const folder = Folder::of(handle);
  return folder == nullptr ? real(handle) : folder->file();
}

SOFTROCE_LIBC(void, rewinddir, (DIR * handle)) {
  static constinit Next<void(DIR*)> real("rewinddir");
  Folder* const folder = Folder::of(handle);
  return folder == nullptr ? real(handle) : folder->seek(0);
}

SOFTROCE_LIBC(long, telldir, (DIR * handle)) {
  static constinit Next<long(DIR*)> real("telldir");
  const Folder* const folder = Folder::of(handle);
  return folder == nullptr ? real(handle) : folder->position();
}

SOFTROCE_LIBC(void, seekdir, (DIR * handle, long position)) {
  static constinit Next<void(DIR*, long)> real("seekdir");
  Folder* const folder = Folder::of(handle);
  return folder == nullptr ? real(handle, position) : folder->seek(position);
}
