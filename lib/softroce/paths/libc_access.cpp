// access(), in the names that libc has it in.

#include <fcntl.h>
#include <unistd.h>

#include "softroce/paths/libc.hpp"

using namespace railgauge::softroce::paths;

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
