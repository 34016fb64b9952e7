#pragma once

#include <atomic>
#include <cerrno>
#include <new>
#include <type_traits>

#include "softroce/verbs/calls.hpp"

// verbs.h wraps these symbols in inline functions of the same name.
#undef ibv_get_device_list
#undef ibv_query_port
#undef ibv_reg_mr
#undef ibv_reg_mr_iova

/// A symbol that programs find: everything else in the library is hidden.
#define SOFTROCE_EXPORT extern "C" __attribute__((visibility("default")))

namespace railgauge::softroce {

/// The address of `name` in the machine's own libibverbs; null if there is none, or it is too old
/// to have it.
void* real_symbol(const char* name);

/// What an entry point returns for an object that nobody owns, and for verbs that soft devices do
/// not have: the error, or null. errno is the error, too.
template <class Result>
Result refuse(int error) {
  errno = error;
  if constexpr (std::is_pointer_v<Result>) {
    return nullptr;
  } else if constexpr (!std::is_void_v<Result>) {
    return static_cast<Result>(error);
  }
}

template <class Function>
class Real;

/// One function of the machine's own libibverbs, looked up on first use. It is initialized at
/// compile time, so that no entry point takes the lock of a static local; two threads that look it
/// up at once find the same.
template <class Result, class... Arguments>
class Real<Result(Arguments...)> {
 public:
  explicit constexpr Real(const char* name) : name_(name) {}

  Result operator()(Arguments... arguments) {
    const auto function = find();
    if (function == nullptr) return refuse<Result>(ENOSYS);
    return function(arguments...);
  }

 private:
  using Pointer = Result (*)(Arguments...);

  Pointer find() {
    Pointer function = found_.load(std::memory_order_acquire);
    if (function == nullptr) {
      function = reinterpret_cast<Pointer>(real_symbol(name_));
      found_.store(function, std::memory_order_release);
    }
    return function;
  }

  const char* name_;
  std::atomic<Pointer> found_ = nullptr;
};

}  // namespace railgauge::softroce

/// The entry point `name` for a verb on an object of `context`: `soft` for a soft device, and the
/// real library's function of that name, with the same arguments, for any other. Programs in C know
/// no exceptions: too little memory is ENOMEM.
#define SOFTROCE_ENTRY(result, name, parameters, arguments, context, soft)     \
  SOFTROCE_EXPORT result name parameters {                                     \
    if (railgauge::softroce::calls::ours(context)) {                           \
      try {                                                                    \
        return soft;                                                           \
      } catch (const std::bad_alloc&) {                                        \
        return railgauge::softroce::refuse<result>(ENOMEM);                    \
      }                                                                        \
    }                                                                          \
    static constinit railgauge::softroce::Real<result parameters> real(#name); \
    return real arguments;                                                     \
  }

/// The entry point for a verb that soft devices do not have.
#define SOFTROCE_REFUSED(result, name, parameters, arguments, context) \
  SOFTROCE_ENTRY(result, name, parameters, arguments, context,         \
                 railgauge::softroce::refuse<result>(EOPNOTSUPP))
