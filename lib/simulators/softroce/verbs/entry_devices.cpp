// Devices: the list has those of the real library and ours.

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <new>

#include "softroce/verbs/entry.hpp"

using namespace railgauge::softroce;

namespace {

constinit Real<ibv_device**(int*)> real_list("ibv_get_device_list");
constinit Real<void(ibv_device**)> free_real_list("ibv_free_device_list");

/// While the real library looks for a device in the list, which it takes for its own.
constinit thread_local bool only_real = false;

/// In front of the array that a program gets stands the real library's, to be given back with it: a
/// real device that nobody opened is alive while that is.
ibv_device** make_list(ibv_device** real, std::size_t size) {
  auto* const list = new (std::nothrow) ibv_device*[size + 2];
  if (list == nullptr) return nullptr;
  list[0] = reinterpret_cast<ibv_device*>(real);
  list[size + 1] = nullptr;
  return list + 1;
}

}  // namespace

/// Ours come first: a program that takes the first device, and was started with this library, is
/// meant to take ours. A real library that fails (no RDMA in this kernel: ENOSYS) has no devices.
SOFTROCE_EXPORT ibv_device** ibv_get_device_list(int* number) {
  if (number != nullptr) *number = 0;
  const auto soft = only_real ? std::span<ibv_device* const>{} : calls::devices();
  int real_number = 0;
  ibv_device** const real = real_list(&real_number);
  if (real == nullptr && soft.empty()) {
    // What is wrong with ours says more than that the kernel has none.
    if (const int error = only_real ? 0 : calls::devices_error()) errno = error;
    return nullptr;
  }
  const std::size_t real_size = real == nullptr ? 0 : static_cast<std::size_t>(real_number);
  ibv_device** const devices = make_list(real, soft.size() + real_size);
  if (devices == nullptr) {
    if (real != nullptr) free_real_list(real);
    return refuse<ibv_device**>(ENOMEM);
  }
  std::copy_n(real, real_size, std::ranges::copy(soft, devices).out);
  if (number != nullptr) *number = static_cast<int>(soft.size() + real_size);
  return devices;
}

/// The real library counts who has a device open, so that its list can go while they have.
SOFTROCE_EXPORT void ibv_free_device_list(ibv_device** devices) {
  auto* const real = reinterpret_cast<ibv_device**>(devices[-1]);
  if (real != nullptr) free_real_list(real);
  delete[](devices - 1);
}

/// Another process's device comes as its file, a character device; soft ones have none.
SOFTROCE_EXPORT ibv_context* ibv_import_device(int descriptor) {
  struct stat file {};
  if (fstat(descriptor, &file) == 0 && !S_ISCHR(file.st_mode)) {
    return refuse<ibv_context*>(EOPNOTSUPP);
  }
  static constinit Real<ibv_context*(int)> real("ibv_import_device");
  only_real = true;
  ibv_context* const context = real(descriptor);
  only_real = false;
  return context;
}

SOFTROCE_ENTRY(const char*, ibv_get_device_name, (ibv_device * device), (device), device,
               device->name)
SOFTROCE_ENTRY(__be64, ibv_get_device_guid, (ibv_device * device), (device), device,
               calls::device_guid(device))
SOFTROCE_ENTRY(int, ibv_get_device_index, (ibv_device * device), (device), device,
               calls::device_index(device))
SOFTROCE_ENTRY(ibv_context*, ibv_open_device, (ibv_device * device), (device), device,
               calls::open_device(device))
SOFTROCE_ENTRY(int, ibv_close_device, (ibv_context * context), (context), context,
               calls::close_device(context))

SOFTROCE_ENTRY(int, ibv_get_async_event, (ibv_context * context, ibv_async_event* event),
               (context, event), context, calls::get_async_event(context, event))

namespace {

/// Whose object the event is about; null for events of ports and devices, which need no
/// acknowledgement.
ibv_context* context_of(const ibv_async_event& event) {
  switch (event.event_type) {
    case IBV_EVENT_CQ_ERR: return event.element.cq->context;
    case IBV_EVENT_QP_FATAL:
    case IBV_EVENT_QP_REQ_ERR:
    case IBV_EVENT_QP_ACCESS_ERR:
    case IBV_EVENT_COMM_EST:
    case IBV_EVENT_SQ_DRAINED:
    case IBV_EVENT_PATH_MIG:
    case IBV_EVENT_PATH_MIG_ERR:
    case IBV_EVENT_QP_LAST_WQE_REACHED: return event.element.qp->context;
    case IBV_EVENT_SRQ_ERR:
    case IBV_EVENT_SRQ_LIMIT_REACHED: return event.element.srq->context;
    case IBV_EVENT_WQ_FATAL: return event.element.wq->context;
    default: return nullptr;
  }
}

}  // namespace

SOFTROCE_EXPORT void ibv_ack_async_event(ibv_async_event* event) {
  const ibv_context* const context = context_of(*event);
  if (context == nullptr) return;
  if (calls::ours(context)) return calls::ack_async_event(event);
  static constinit Real<void(ibv_async_event*)> real("ibv_ack_async_event");
  real(event);
}
