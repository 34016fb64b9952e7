#include "reduce/few_threads.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <limits>

namespace {

constexpr int kAnyNumber = std::numeric_limits<int>::max();
std::atomic<int> left = kAnyNumber;  // NOLINT

}  // namespace

/// In place of the C library's, since RLIMIT_NPROC does not bind root.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*run)(void*), void* argument) noexcept {
  static const auto next =
      reinterpret_cast<decltype(&pthread_create)>(::dlsym(RTLD_NEXT, "pthread_create"));
  if (left != kAnyNumber && left-- <= 0) return EAGAIN;
  return next(thread, attributes, run, argument);
}

namespace railgauge::reduce {

FewThreads::FewThreads(int count) {
  left = count;
}

FewThreads::~FewThreads() {
  left = kAnyNumber;
}

}  // namespace railgauge::reduce
