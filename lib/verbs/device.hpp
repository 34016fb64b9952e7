#pragma once

// This folder holds RDMA devices, ports, memory, queue pairs and completions: RAII over libibverbs
// and librdmacm, with failures in words. It must not know collectives, ranks or MPI.
//
// Start here, then port.hpp, queue_pair.hpp, completion_queue.hpp. All headers share these rules:
// setup throws std::system_error naming the verb; completions are values; destructors print and
// carry on; an object belongs to one thread at a time.

#include <infiniband/verbs.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace railgauge::verbs {

/// Prints "verbs: cannot destroy the <what>: <reason>" to stderr. Destroying fails only while
/// something still uses the object, that is, when the order of ownership is wrong. A destructor
/// cannot throw, so it prints and leaks the object.
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
constexpr const char* name_of(const ibv_ah*) {
  return "address handle";
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
using AddressHandle = Handle<ibv_ah, ibv_destroy_ah>;

/// What libibverbs offers on this host, and where it was looked for.
struct DeviceSearch {
  std::vector<std::string> names{};  ///< in natural order: mlx5_2 before mlx5_10
  /// One line for the user: "libibverbs lists no device (Function not implemented);
  /// /sys/class/infiniband does not exist".
  std::string looked_at{};
};

/// Does not throw when there are no devices or the kernel has no RDMA: `names` is then empty, and
/// `looked_at` says why.
DeviceSearch search_devices();

/// Opens a device by name. Throws std::system_error; ENODEV when there is no such device.
/// take_async_events() reads its asynchronous events without blocking.
Context open_device(const std::string& name);

/// What the device allows. Throws std::system_error.
ibv_device_attr limits_of(ibv_context& context);

/// A protection domain: memory regions and queue pairs of one domain may work together.
/// `context` must outlive it.
ProtectionDomain allocate_domain(ibv_context& context);

/// The device's name: "mlx5_0".
std::string device_name(const ibv_context& context);

/// Orders names so that runs of digits compare as numbers.
bool natural_less(std::string_view left, std::string_view right);

/// Something that happened to a device outside any completion.
struct AsyncEvent {
  ibv_event_type type = IBV_EVENT_DEVICE_FATAL;
  int lost_port = 0;  ///< the port that went down; 0: it is about something else
  std::string words;  ///< "mlx5_0 port 1: port went down", "mlx5_0 queue pair 0x1a: ..."
};

/// Takes and acknowledges the pending events of a context made by open_device(), without blocking.
/// Call it when something is slow or broken; events wait until then. Throws std::system_error.
std::vector<AsyncEvent> take_async_events(ibv_context& context);

}  // namespace railgauge::verbs
