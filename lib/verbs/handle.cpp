#include "verbs/handle.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace railgauge::verbs {

void report_leak(const char* what, int error) noexcept {
  // ibv_close_device alone answers -1 and leaves the reason in errno.
  const int reason = error > 0 ? error : errno;
  std::fprintf(stderr, "verbs: cannot destroy the %s: %s\n", what, std::strerror(reason));
}

}  // namespace railgauge::verbs
