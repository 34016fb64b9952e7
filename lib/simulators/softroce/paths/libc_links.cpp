// readlink() and realpath().

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>

#include "softroce/paths/libc.hpp"

using namespace railgauge::softroce::paths;

namespace {

template <class Real>
ssize_t read_link(const char* path, char* out, std::size_t size, Real real) {
  const auto node = ours(path, LastLink::keep);
  if (!node) return real();
  if (node->kind != Kind::link) return fail(EINVAL);
  return static_cast<ssize_t>(node->text.copy(out, size));  // no zero at the end: readlink(2)
}

/// `out` has PATH_MAX bytes, which no path of ours needs, or is null: then the result is to be
/// freed.
template <class Real>
char* real_path(const char* path, char* out, Real real) {
  const auto node = ours(path, LastLink::follow);
  if (!node) return real();
  if (out == nullptr) return ::strdup(node->path.c_str());
  out[node->path.copy(out, PATH_MAX - 1)] = '\0';
  return out;
}

}  // namespace

SOFTROCE_LIBC(ssize_t, readlink, (const char* path, char* out, std::size_t size)) {
  static constinit Next<ssize_t(const char*, char*, std::size_t)> real("readlink");
  return read_link(path, out, size, [&] { return real(path, out, size); });
}

SOFTROCE_LIBC(ssize_t, __readlink_chk,
              (const char* path, char* out, std::size_t size, std::size_t room)) {
  static constinit Next<ssize_t(const char*, char*, std::size_t, std::size_t)> real(
      "__readlink_chk");
  return read_link(path, out, std::min(size, room), [&] { return real(path, out, size, room); });
}

SOFTROCE_LIBC(ssize_t, readlinkat, (int folder, const char* path, char* out, std::size_t size)) {
  static constinit Next<ssize_t(int, const char*, char*, std::size_t)> real("readlinkat");
  const FromRoot from_root(folder, path);
  return read_link(path, out, size, [&] { return real(folder, path, out, size); });
}

SOFTROCE_LIBC(char*, realpath, (const char* path, char* out)) {
  static constinit Next<char*(const char*, char*)> real("realpath", "GLIBC_2.3");
  return real_path(path, out, [&] { return real(path, out); });
}

SOFTROCE_LIBC(char*, __realpath_chk, (const char* path, char* out, std::size_t room)) {
  static constinit Next<char*(const char*, char*, std::size_t)> real("__realpath_chk");
  return real_path(path, out, [&] { return real(path, out, room); });
}

SOFTROCE_LIBC(char*, canonicalize_file_name, (const char* path)) {
  static constinit Next<char*(const char*)> real("canonicalize_file_name");
  return real_path(path, nullptr, [&] { return real(path); });
}
