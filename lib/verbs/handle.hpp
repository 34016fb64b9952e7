#pragma once

#include <infiniband/verbs.h>

#include <memory>

namespace railgauge::verbs {

/// Prints "verbs: cannot destroy the <what>: <reason>" to stderr. Destroying fails only when
/// something still uses the object, which is a wrong order of ownership; a destructor cannot throw,
/// so it says so and the object leaks.
void report_leak(const char* what, int error) noexcept;

constexpr const char* name_of(const ibv_context*) {
  return "device context";
}
constexpr const char* name_of(const ibv_pd*) {
  return "protection domain";
}
constexpr const char* name_of(const ibv_mr*) {
  return "memory region";
}
constexpr const char* name_of(const ibv_cq*) {
  return "completion queue";
}
constexpr const char* name_of(const ibv_comp_channel*) {
  return "completion channel";
}
constexpr const char* name_of(const ibv_qp*) {
  return "queue pair";
}

/// Destroys with the verb of the type. All of them return the reason itself (error.hpp).
template <auto destroy>
struct Destroy {
  template <class T>
  void operator()(T* object) const noexcept {
    if (const int error = destroy(object); error != 0) report_leak(name_of(object), error);
  }
};

template <class T, auto destroy>
using Handle = std::unique_ptr<T, Destroy<destroy>>;

// One owner per object. Declaration order is lifetime order: whatever is made from an object is
// declared after it. Verbs answers a wrong order with EBUSY.
using Context = Handle<ibv_context, ibv_close_device>;
using ProtectionDomain = Handle<ibv_pd, ibv_dealloc_pd>;
using MemoryRegion = Handle<ibv_mr, ibv_dereg_mr>;
using CompletionChannel = Handle<ibv_comp_channel, ibv_destroy_comp_channel>;
using CompletionQueueHandle = Handle<ibv_cq, ibv_destroy_cq>;
using QueuePairHandle = Handle<ibv_qp, ibv_destroy_qp>;

}  // namespace railgauge::verbs
