#pragma once

#include <infiniband/verbs.h>

#include <cerrno>
#include <string>
#include <string_view>

namespace railgauge::verbs {

// How calls into rdma-core fail, and what its codes mean.
//
// rdma-core reports failure in three ways. There is one helper for each, so that no call site has
// to remember which. All throw std::system_error: "ibv_create_cq on mlx5_0: Cannot allocate
// memory". `subject` is what the call was about; it is read only if the call failed, so that
// building it cannot disturb errno.

/// Throws std::system_error with `error`, an errno value, and "`call` on `subject`".
[[noreturn]] void fail(int error, std::string_view call, std::string_view subject = {});

/// Null, reason in errno: ibv_open_device, ibv_alloc_pd, ibv_create_cq, ibv_create_qp, ibv_reg_mr,
/// ibv_create_comp_channel, ibv_get_device_list, rdma_create_event_channel.
template <class T>
T* created(T* object, std::string_view call, std::string_view subject = {}) {
  if (object == nullptr) fail(errno, call, subject);
  return object;
}

/// The reason itself, positive: ibv_modify_qp, ibv_query_qp, ibv_query_port, ibv_query_device,
/// ibv_req_notify_cq, ibv_post_send, ibv_post_recv, and every ibv_destroy_*.
void succeeded(int error, std::string_view call, std::string_view subject = {});

/// -1, reason in errno: every rdma_* call that returns int, ibv_get_cq_event, ibv_get_async_event,
/// and the system's own calls (fcntl, poll).
void answered(int result, std::string_view call, std::string_view subject = {});

/// A file that rdma-core opened: "async_fd". Throws as the others do.
void make_non_blocking(int file, std::string_view what, std::string_view subject = {});

/// How a process may open more files: "raise it: ...".
std::string_view descriptor_remedy();

/// What a work-completion status means and where to look, for an operator:
/// "transport retries exhausted: no answer from the peer". Never empty.
std::string_view meaning(ibv_wc_status status);

/// Whether it says that the peer did not answer: the path or the peer is dead.
bool is_silence(ibv_wc_status status);

/// The name of a status as the verbs headers spell it, without the prefix: "RETRY_EXC_ERR".
std::string_view name(ibv_wc_status status);

/// A queue pair's state in words: "ready to send".
std::string_view words(ibv_qp_state state);

/// An asynchronous event in words: "port went down".
std::string_view words(ibv_event_type event);

}  // namespace railgauge::verbs
