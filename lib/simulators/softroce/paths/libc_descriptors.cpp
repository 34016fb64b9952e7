// What programs do with the descriptor of a channel: write(), close(), dup() and fcntl(), which
// everybody calls all the time. For any other descriptor they cost one look at an array.

#include <fcntl.h>
#include <unistd.h>

#include "softroce/paths/channels.hpp"
#include "softroce/paths/libc.hpp"

using namespace railgauge::softroce::paths;

namespace {

constinit Next<ssize_t(int, const void*, std::size_t)> real_write("write");
constinit Next<int(int)> real_close("close");
constinit Next<int(int)> real_dup("dup");
constinit Next<int(int, int)> real_dup2("dup2");
constinit Next<int(int, int, int)> real_dup3("dup3");
constinit Next<int(int, int, ...)> real_fcntl("fcntl");
constinit Next<int(int, int, ...)> real_fcntl64("fcntl64");
constinit Next<int(unsigned, unsigned, int)> real_close_range("close_range");
constinit Next<void(int)> real_closefrom("closefrom");

/// Signal handlers and children of vfork() call these, and must find them found.
[[gnu::constructor]] void find_early() {
  real_write.find_now();
  real_close.find_now();
  real_dup.find_now();
  real_dup2.find_now();
  real_dup3.find_now();
  real_fcntl.find_now();
  real_fcntl64.find_now();
  real_close_range.find_now();
  real_closefrom.find_now();
}

/// `copy` is what a call made of `file`; it may have closed what it was before.
int copied(int file, int copy) {
  if (copy < 0 || copy == file) return copy;
  if (is_channel(copy)) release_channel(copy);
  if (is_channel(file)) copy_channel(file, copy);
  return copy;
}

int control(Next<int(int, int, ...)>& real, int file, int command, void* argument) {
  const int result = real(file, command, argument);
  const bool copies = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
  return copies ? copied(file, result) : result;
}

void release_all(unsigned first, unsigned last) {
  for (int file = next_channel(first, last); file >= 0; file = next_channel(first, last)) {
    release_channel(file);
    if (is_channel(file)) return;  // not ours to release
  }
}

}  // namespace

SOFTROCE_LIBC(ssize_t, write, (int file, const void* data, std::size_t size)) {
  return is_channel(file) ? write_to_channel(file, data, size) : real_write(file, data, size);
}

SOFTROCE_LIBC(int, close, (int file)) {
  if (is_channel(file)) release_channel(file);
  return real_close(file);
}

SOFTROCE_LIBC(int, dup, (int file)) {
  return copied(file, real_dup(file));
}
SOFTROCE_LIBC(int, dup2, (int file, int copy)) {
  return copied(file, real_dup2(file, copy));
}
SOFTROCE_LIBC(int, dup3, (int file, int copy, int flags)) {
  return copied(file, real_dup3(file, copy, flags));
}

// The argument is passed on whether or not the caller gave one: libc looks at it only if the
// command has one.
SOFTROCE_LIBC(int, fcntl, (int file, int command, void* argument)) {
  return control(real_fcntl, file, command, argument);
}
SOFTROCE_LIBC(int, fcntl64, (int file, int command, void* argument)) {
  return control(real_fcntl64, file, command, argument);
}

// Only what looks like a program that goes on: a child before exec() closes its parent's files.
SOFTROCE_LIBC(int, close_range, (unsigned first, unsigned last, int flags)) {
  if (flags == 0) release_all(first, last);
  return real_close_range(first, last, flags);
}
SOFTROCE_LIBC(void, closefrom, (int first)) {
  release_all(first < 0 ? 0U : static_cast<unsigned>(first), ~0U);
  real_closefrom(first);
}
