// open() and fopen(), in the names and widths that libc has them in.

#include <fcntl.h>

#include <cstdio>

#include "softroce/paths/libc.hpp"

using namespace railgauge::softroce::paths;

namespace {

template <class Real, class... Mode>
int open_path(Real& real, const char* path, int flags, Mode... mode) {
  if (const auto node = ours(path, last_link(flags, O_NOFOLLOW))) return open_node(*node, flags);
  return real(path, flags, mode...);
}

template <class Real, class... Mode>
int open_at(Real& real, int folder, const char* path, int flags, Mode... mode) {
  const FromRoot from_root(folder, path);
  if (const auto node = ours(path, last_link(flags, O_NOFOLLOW))) return open_node(*node, flags);
  return real(folder, path, flags, mode...);
}

template <class Real>
std::FILE* open_stream(Real& real, const char* path, const char* mode) {
  const auto node = ours(path, LastLink::follow);
  if (!node) return real(path, mode);
  const bool writes = mode[0] != 'r' || std::strchr(mode, '+') != nullptr;
  const int kept = std::strchr(mode, 'e') != nullptr ? O_CLOEXEC : 0;
  const int file = open_node(*node, (writes ? O_RDWR : O_RDONLY) | kept);
  return file < 0 ? nullptr : ::fdopen(file, mode);
}

}  // namespace

// The mode is passed on whether or not the caller gave one: libc looks at it only when there is.
#define SOFTROCE_OPEN(name)                                              \
  SOFTROCE_LIBC(int, name, (const char* path, int flags, mode_t mode)) { \
    static constinit Next<int(const char*, int, ...)> real(#name);       \
    return open_path(real, path, flags, mode);                           \
  }
#define SOFTROCE_OPEN_AT(name)                                                       \
  SOFTROCE_LIBC(int, name, (int folder, const char* path, int flags, mode_t mode)) { \
    static constinit Next<int(int, const char*, int, ...)> real(#name);              \
    return open_at(real, folder, path, flags, mode);                                 \
  }
SOFTROCE_OPEN(open)
SOFTROCE_OPEN(open64)
SOFTROCE_OPEN_AT(openat)
SOFTROCE_OPEN_AT(openat64)

// What the compiler calls in their place with _FORTIFY_SOURCE.
#define SOFTROCE_OPEN_2(name)                                 \
  SOFTROCE_LIBC(int, name, (const char* path, int flags)) {   \
    static constinit Next<int(const char*, int)> real(#name); \
    return open_path(real, path, flags);                      \
  }
#define SOFTROCE_OPEN_AT_2(name)                                        \
  SOFTROCE_LIBC(int, name, (int folder, const char* path, int flags)) { \
    static constinit Next<int(int, const char*, int)> real(#name);      \
    return open_at(real, folder, path, flags);                          \
  }
SOFTROCE_OPEN_2(__open_2)
SOFTROCE_OPEN_2(__open64_2)
SOFTROCE_OPEN_AT_2(__openat_2)
SOFTROCE_OPEN_AT_2(__openat64_2)

#define SOFTROCE_OPEN_STREAM(name)                                           \
  SOFTROCE_LIBC(std::FILE*, name, (const char* path, const char* mode)) {    \
    static constinit Next<std::FILE*(const char*, const char*)> real(#name); \
    return open_stream(real, path, mode);                                    \
  }
SOFTROCE_OPEN_STREAM(fopen)
SOFTROCE_OPEN_STREAM(fopen64)
