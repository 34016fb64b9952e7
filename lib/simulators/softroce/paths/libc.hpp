#pragma once

#include <dlfcn.h>

#include <atomic>
#include <cerrno>

#include <string>

#include "softroce/paths/tree.hpp"

/// A function of libc, as programs call it. The name is given to the assembler only: libc's headers
/// declare the same functions with attributes, and inline some.
#define SOFTROCE_LIBC(result, name, ...)             \
  extern "C" __attribute__((visibility("default")))  \
  result softroce_##name __VA_ARGS__ __asm__(#name); \
  result softroce_##name __VA_ARGS__

namespace railgauge::softroce::paths {

/// libc's own function, or that of another library loaded before libc, looked up on first use,
/// which is often before the constructors. Initialized at compile time; preserves errno.
template <class Function>
class Next {
 public:
  /// `version`: of a function of which glibc keeps an older one. Before 2.36 dlsym() finds that
  /// behind us (sourceware.org bug 14932); processors that never had it do not know the version.
  explicit constexpr Next(const char* name, const char* version = nullptr)
      : name_(name), version_(version) {}

  template <class... Arguments>
  auto operator()(Arguments... arguments) {
    return find()(arguments...);
  }
  /// Before it is needed, where looking it up could wait for a lock.
  void find_now() { static_cast<void>(find()); }

  Function* find() {
    Function* function = found_.load(std::memory_order_acquire);
    if (function == nullptr) {
      const int error = errno;
      void* found = version_ == nullptr ? nullptr : ::dlvsym(RTLD_NEXT, name_, version_);
      if (found == nullptr) found = ::dlsym(RTLD_NEXT, name_);
      function = reinterpret_cast<Function*>(found);
      found_.store(function, std::memory_order_release);
      errno = error;
    }
    return function;
  }

 private:
  const char* name_;
  const char* version_;
  std::atomic<Function*> found_ = nullptr;
};

/// What we have at the path; nothing for all other paths, or if memory is short.
std::optional<Node> ours(const char* path, LastLink last) noexcept;

/// What the flags of a call say. `no_follow` is O_NOFOLLOW or AT_SYMLINK_NOFOLLOW.
inline LastLink last_link(int flags, int no_follow) {
  return (flags & no_follow) != 0 ? LastLink::keep : LastLink::follow;
}

/// Sets errno and returns -1, as most functions of libc do.
inline int fail(int error) {
  errno = error;
  return -1;
}

/// open(): a file with the content; for a folder, one that folder_of() knows; for a device,
/// /dev/null, but for that of the connection manager a channel.
int open_node(const Node& node, int flags);

/// The path of the folder that open_node() opened; empty for all other files.
std::string folder_of(int file);

/// `path` as it is, or, if it is relative to a folder that open_node() opened, from the root.
class FromRoot {
 public:
  FromRoot(int& folder, const char*& path);

 private:
  std::string absolute_;
};

}  // namespace railgauge::softroce::paths
