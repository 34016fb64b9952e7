#pragma once

#include <infiniband/verbs.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <exception>

#include "softroce/device/completion_queue.hpp"
#include "softroce/device/context.hpp"
#include "softroce/device/port.hpp"
#include "softroce/engine/engine.hpp"

namespace railgauge::softroce {

// What ibv_query_device() promises, and what is then refused; and see Limits.
inline constexpr int kMaxQueuePairs = 32768;
inline constexpr int kMaxDomains = 1 << 16;
inline constexpr int kMaxRegions = 1 << 20;
inline constexpr int kMaxWindows = 1 << 18;
inline constexpr int kMaxCompletionQueues = 1 << 16;
inline constexpr int kMaxSharedReceiveQueues = 1 << 15;
inline constexpr int kMaxAddressHandles = 1 << 17;

/// A protection domain; it cannot be freed while something is in it.
struct Domain : ibv_pd {
  unsigned users = 0;
  const ibv_context* owner = nullptr;  ///< what `context` was when it was allocated
};

/// An address handle: where datagrams go.
struct AddressHandle : ibv_ah {
  Path path{};
};

/// A soft device, before and after it is opened. mlx5dv and the like read behind an ibv_device to
/// see whether it is theirs: they find zeros.
struct Device : ibv_device {
  std::byte behind[256]{};
  int rail = 0;
  std::atomic<std::uint32_t> told_guid = 0;  ///< the low bytes, once they were told
};

inline Device& device_of(ibv_device* device) {
  return *static_cast<Device*>(device);
}
inline Engine& engine_of(ibv_context* context) {
  return *context_of(context).engine;
}
inline Port& port_of(ibv_context* context) {
  return *context_of(context).port;
}
inline Domain& domain_of(ibv_pd* domain) {
  return *static_cast<Domain*>(domain);
}

/// What verbs that return a pointer return on failure: null, with errno set.
inline std::nullptr_t refuse(int error) {
  errno = error;
  return nullptr;
}
/// What verbs that return an error return: the error, which is then in errno too.
inline int failed(int error) {
  if (error != 0) errno = error;
  return error;
}

/// Says on stderr why `what` cannot be made, and what to do about it. Returns its errno, or ENODEV.
int complain(const char* what, const std::exception& error);

/// The `handle` of an object at this address. A program that overwrites it, or passes an object
/// that is none of ours, gets ENOENT, which is what the kernel says to a handle it does not know.
inline std::uint32_t handle_of(const void* object) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(object) >> 4);
}
template <class Object>
bool known(const Object& object) {
  return object.handle == handle_of(&object);
}
/// A queue pair's is its number.
inline bool known(const ibv_qp& qp) {
  return qp.handle == qp.qp_num;
}
inline bool known(const Domain& domain) {
  return domain.handle == handle_of(&domain) && domain.context == domain.owner;
}

/// The path that an address vector describes. 0, or why there is none: EINVAL; EOPNOTSUPP for a
/// RoCE v1 GID, with a sentence on stderr, once; EHOSTUNREACH for a GID from which no address can
/// be read that this port's packets could have; or why it cannot be prepared (a flow label takes a
/// socket: EMFILE). Who has it releases it.
int path_of(const Port& port, const ibv_ah_attr& attributes, Path& out);

/// The operations of a context that have no symbol of their own.
void set_operations(Context& context);

ibv_cq_ex* create_cq_ex(ibv_context*, ibv_cq_init_attr_ex*);
int modify_cq(ibv_cq*, ibv_modify_cq_attr*);
int poll_cq(ibv_cq*, int entries, ibv_wc*);
int req_notify_cq(ibv_cq*, int solicited_only);
void set_polling(CompletionQueue& queue, std::uint64_t wc_flags);

/// 0, or what registering memory with such ibv_access_flags fails with.
int check_access(unsigned access);
/// Null with errno if the domain is not known or has no room; then `imported` is still the
/// caller's.
ibv_mr* add_region(ibv_pd*, void* address, std::size_t length, std::uint64_t iova, unsigned access,
                   Imported& imported);

ibv_mw* alloc_mw(ibv_pd*, ibv_mw_type);
int dealloc_mw(ibv_mw*);

ibv_srq* create_srq_ex(ibv_context*, ibv_srq_init_attr_ex*);
int post_srq_recv(ibv_srq*, ibv_recv_wr*, ibv_recv_wr** bad);

ibv_qp* create_qp_ex(ibv_context*, ibv_qp_init_attr_ex*);
int post_send(ibv_qp*, ibv_send_wr*, ibv_send_wr** bad);
int bind_mw(ibv_qp*, ibv_mw*, ibv_mw_bind*);
int post_recv(ibv_qp*, ibv_recv_wr*, ibv_recv_wr** bad);
void set_work_requests(ibv_qp_ex& queue_pair, std::uint64_t operations);

int query_device_ex(ibv_context*, const ibv_query_device_ex_input*, ibv_device_attr_ex*,
                    std::size_t bytes);
int query_rt_values(ibv_context*, ibv_values_ex*);

}  // namespace railgauge::softroce
