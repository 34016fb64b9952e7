// What a path is and who may use it: stat(), statx() and access(), under all names libc has for
// them.

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <functional>

#include "softroce/paths/channels.hpp"
#include "softroce/paths/libc.hpp"

using namespace railgauge::softroce::paths;

// stat() and statx(), in the names and widths that libc has them in.

namespace {

/// As every file of sysfs says.
constexpr off_t kFileSize = 4096;

mode_t mode_of(const Node& node) {
  switch (node.kind) {
    case Kind::directory: return S_IFDIR | 0755;
    case Kind::file: return S_IFREG | 0444;
    case Kind::link: return S_IFLNK | 0777;
    case Kind::device: return S_IFCHR | 0666;
  }
  return 0;
}

struct stat status_of(const Node& node) {
  struct stat status {};
  status.st_mode = mode_of(node);
  status.st_nlink = node.kind == Kind::directory ? 2 : 1;
  status.st_ino = std::hash<std::string>()(node.path);
  status.st_blksize = kFileSize;
  if (node.kind == Kind::file) status.st_size = kFileSize;
  if (node.kind == Kind::link) status.st_size = static_cast<off_t>(node.text.size());
  if (node.kind == Kind::device) status.st_rdev = makedev(node.major, node.minor);
  return status;
}

/// The kernel's own folder of that name is as good as ours, and is there if it has devices.
template <class Real>
int stat_path(const char* path, LastLink last, struct stat* out, Real real) {
  const auto node = ours(path, last);
  if (!node) return real();
  const int error = errno;
  if (node->shared && real() == 0) return 0;
  errno = error;
  *out = status_of(*node);
  return 0;
}

struct statx extended(const struct stat& status) {
  struct statx all {};
  all.stx_mask = STATX_BASIC_STATS;
  all.stx_mode = static_cast<std::uint16_t>(status.st_mode);
  all.stx_nlink = static_cast<std::uint32_t>(status.st_nlink);
  all.stx_ino = status.st_ino;
  all.stx_blksize = static_cast<std::uint32_t>(status.st_blksize);
  all.stx_size = static_cast<std::uint64_t>(status.st_size);
  all.stx_rdev_major = major(status.st_rdev);
  all.stx_rdev_minor = minor(status.st_rdev);
  return all;
}

}  // namespace

// The structures with and without 64 are the same where long has 64 bits.
static_assert(sizeof(struct stat) == sizeof(struct stat64) && sizeof(off_t) == sizeof(off64_t));

#define SOFTROCE_STAT(name, last)                                       \
  SOFTROCE_LIBC(int, name, (const char* path, struct stat* out)) {      \
    static constinit Next<int(const char*, struct stat*)> real(#name);  \
    return stat_path(path, last, out, [&] { return real(path, out); }); \
  }
SOFTROCE_STAT(stat, LastLink::follow)
SOFTROCE_STAT(stat64, LastLink::follow)
SOFTROCE_STAT(lstat, LastLink::keep)
SOFTROCE_STAT(lstat64, LastLink::keep)

#define SOFTROCE_STAT_AT(name)                                                            \
  SOFTROCE_LIBC(int, name, (int folder, const char* path, struct stat* out, int flags)) { \
    static constinit Next<int(int, const char*, struct stat*, int)> real(#name);          \
    const FromRoot from_root(folder, path);                                               \
    return stat_path(path, last_link(flags, AT_SYMLINK_NOFOLLOW), out,                    \
                     [&] { return real(folder, path, out, flags); });                     \
  }
SOFTROCE_STAT_AT(fstatat)
SOFTROCE_STAT_AT(fstatat64)

// What programs that were built before glibc 2.33 call. Its version is that of the structure, of
// which there is but one where long has 64 bits.
#define SOFTROCE_OLD_STAT(name, today)                                  \
  SOFTROCE_LIBC(int, name, (int, const char* path, struct stat* out)) { \
    return softroce_##today(path, out);                                 \
  }
SOFTROCE_OLD_STAT(__xstat, stat)
SOFTROCE_OLD_STAT(__xstat64, stat)
SOFTROCE_OLD_STAT(__lxstat, lstat)
SOFTROCE_OLD_STAT(__lxstat64, lstat)

SOFTROCE_LIBC(int, __fxstatat, (int, int folder, const char* path, struct stat* out, int flags)) {
  return softroce_fstatat(folder, path, out, flags);
}
SOFTROCE_LIBC(int, __fxstatat64, (int, int folder, const char* path, struct stat* out, int flags)) {
  return softroce_fstatat(folder, path, out, flags);
}

SOFTROCE_LIBC(int, statx,
              (int folder, const char* path, int flags, unsigned mask, struct statx* out)) {
  static constinit Next<int(int, const char*, int, unsigned, struct statx*)> real("statx");
  const FromRoot from_root(folder, path);
  const auto node = ours(path, last_link(flags, AT_SYMLINK_NOFOLLOW));
  if (!node) return real(folder, path, flags, mask, out);
  const int error = errno;
  if (node->shared && real(folder, path, flags, mask, out) == 0) return 0;
  errno = error;
  *out = extended(status_of(*node));
  return 0;
}

// fstat(): of a channel, whose file is not a device. librdmacm compares the number with what the
// kernel says, if its modules are loaded.

namespace {

template <class Real>
int stat_file(int file, struct stat* out, Real real) {
  if (!is_channel(file)) return real();
  static constinit Next<int(const char*, struct stat*)> kernels("stat");
  const int error = errno;
  if (kernels(std::string(kConnectionManager).c_str(), out) == 0) return 0;
  errno = error;
  const auto node = ours(std::string(kConnectionManager).c_str(), LastLink::follow);
  if (!node) return real();
  *out = status_of(*node);
  return 0;
}

}  // namespace

#define SOFTROCE_FSTAT(name)                                      \
  SOFTROCE_LIBC(int, name, (int file, struct stat* out)) {        \
    static constinit Next<int(int, struct stat*)> real(#name);    \
    return stat_file(file, out, [&] { return real(file, out); }); \
  }
SOFTROCE_FSTAT(fstat)
SOFTROCE_FSTAT(fstat64)
#define SOFTROCE_FXSTAT(name)                                              \
  SOFTROCE_LIBC(int, name, (int version, int file, struct stat* out)) {    \
    static constinit Next<int(int, int, struct stat*)> real(#name);        \
    return stat_file(file, out, [&] { return real(version, file, out); }); \
  }
SOFTROCE_FXSTAT(__fxstat)
SOFTROCE_FXSTAT(__fxstat64)

// access(), in the names that libc has it in.

namespace {

/// Everyone may read, nobody may write but to a device, as of sysfs and udev's rule for uverbs.
int check_access(const Node& node, int wanted) {
  const bool writes = (wanted & W_OK) != 0 && node.kind != Kind::device;
  const bool runs = (wanted & X_OK) != 0 && node.kind != Kind::directory;
  return writes || runs ? fail(EACCES) : 0;
}

}  // namespace

#define SOFTROCE_ACCESS(name)                                                               \
  SOFTROCE_LIBC(int, name, (const char* path, int wanted)) {                                \
    static constinit Next<int(const char*, int)> real(#name);                               \
    if (const auto node = ours(path, LastLink::follow)) return check_access(*node, wanted); \
    return real(path, wanted);                                                              \
  }
SOFTROCE_ACCESS(access)
SOFTROCE_ACCESS(eaccess)
SOFTROCE_ACCESS(euidaccess)

SOFTROCE_LIBC(int, faccessat, (int folder, const char* path, int wanted, int flags)) {
  static constinit Next<int(int, const char*, int, int)> real("faccessat");
  const FromRoot from_root(folder, path);
  if (const auto node =
          ours(path, (flags & AT_SYMLINK_NOFOLLOW) != 0 ? LastLink::keep : LastLink::follow))
    return check_access(*node, wanted);
  return real(folder, path, wanted, flags);
}
