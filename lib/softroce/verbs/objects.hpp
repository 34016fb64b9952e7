#pragma once

#include <infiniband/verbs.h>

#include <atomic>
#include <cstdint>

#include "softroce/device/context.hpp"
#include "softroce/device/port.hpp"
#include "softroce/engine/engine.hpp"

namespace railgauge::softroce {

// What ibv_query_device() promises. Generous, but bounded, so that a mistaken request is an error
// and does not exhaust memory.
inline constexpr int kMaxQueuePairs = 32768;
inline constexpr int kMaxRequests = 32768;
inline constexpr int kMaxCompletions = 1 << 22;
inline constexpr int kMaxObjects = 1 << 20;
inline constexpr int kMaxReads = 128;
inline constexpr std::uint32_t kMaxInlineBytes = 1024;

/// A protection domain; it cannot be freed while something is in it.
struct Domain : ibv_pd {
  unsigned users = 0;
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

/// The path that an address vector describes. False if it is not one of this port's.
bool path_of(const Port& port, const ibv_ah_attr& attributes, Path& out);

/// The operations of a context that have no symbol of their own.
void set_operations(Context& context);

ibv_cq_ex* create_cq_ex(ibv_context*, ibv_cq_init_attr_ex*);
int modify_cq(ibv_cq*, ibv_modify_cq_attr*);
int poll_cq(ibv_cq*, int entries, ibv_wc*);
int req_notify_cq(ibv_cq*, int solicited_only);
void set_polling(ibv_cq_ex& queue, std::uint64_t wc_flags);

ibv_srq* create_srq_ex(ibv_context*, ibv_srq_init_attr_ex*);
int post_srq_recv(ibv_srq*, ibv_recv_wr*, ibv_recv_wr** bad);

ibv_qp* create_qp_ex(ibv_context*, ibv_qp_init_attr_ex*);
int post_send(ibv_qp*, ibv_send_wr*, ibv_send_wr** bad);
int post_recv(ibv_qp*, ibv_recv_wr*, ibv_recv_wr** bad);
void set_work_requests(ibv_qp_ex& queue_pair, std::uint64_t operations);

int query_device_ex(ibv_context*, const ibv_query_device_ex_input*, ibv_device_attr_ex*,
                    std::size_t bytes);
int query_rt_values(ibv_context*, ibv_values_ex*);

}  // namespace railgauge::softroce
