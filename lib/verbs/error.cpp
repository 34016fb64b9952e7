#include "verbs/error.hpp"

#include <fcntl.h>
#include <sys/resource.h>

#include <array>
#include <cstddef>
#include <string>
#include <system_error>

namespace railgauge::verbs {

namespace {

/// The advice for a process that may open no more files.
std::string descriptor_advice() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  return " (every device, queue and connection takes a file descriptor, and `ulimit -n` allows " +
         std::to_string(limit.rlim_cur) + "; " + std::string(descriptor_remedy()) + ")";
}

struct StatusFacts {
  std::string_view name;
  std::string_view meaning;
};

/// In the order of ibv_wc_status. The meanings follow InfiniBand Architecture Specification 1.x,
/// chapter 11.6.2 (completion return status), said for an operator of RoCE.
constexpr std::array kStatuses{
    StatusFacts{"SUCCESS", "success"},
    StatusFacts{"LOC_LEN_ERR", "local length error: a message was longer than allowed"},
    StatusFacts{"LOC_QP_OP_ERR",
                "local queue-pair error: the device is gone, or found the request inconsistent, "
                "which would be a bug here"},
    StatusFacts{"LOC_EEC_OP_ERR", "local end-to-end context error"},
    StatusFacts{
        "LOC_PROT_ERR",
        "local protection error: the memory written from is not registered, or the key is wrong"},
    StatusFacts{"WR_FLUSH_ERR",
                "flushed: the queue pair had already failed; look at its first failed completion"},
    StatusFacts{"MW_BIND_ERR", "memory-window bind error"},
    StatusFacts{"BAD_RESP_ERR", "bad response: the peer answered with an unexpected packet"},
    StatusFacts{"LOC_ACCESS_ERR",
                "local access error: a peer's data could not be stored in the memory meant for it"},
    StatusFacts{"REM_INV_REQ_ERR",
                "remote invalid request: the peer's device refused the request; its length or kind "
                "is not allowed there"},
    StatusFacts{"REM_ACCESS_ERR",
                "remote access error: the peer refused the address or the key of its memory"},
    StatusFacts{"REM_OP_ERR",
                "remote operation error: the peer's device could not carry out the request"},
    StatusFacts{"RETRY_EXC_ERR",
                "transport retries exhausted: no answer from the peer; check link state, routes, "
                "MTU and packet drops along the path"},
    StatusFacts{"RNR_RETRY_EXC_ERR",
                "receiver not ready: the peer had no receive posted; a bug in flow control, not in "
                "the fabric"},
    StatusFacts{"LOC_RDD_VIOL_ERR", "local reliable-datagram domain violation"},
    StatusFacts{"REM_INV_RD_REQ_ERR", "remote invalid reliable-datagram request"},
    StatusFacts{"REM_ABORT_ERR", "remote aborted: the peer gave the operation up"},
    StatusFacts{"INV_EECN_ERR", "invalid end-to-end context number"},
    StatusFacts{"INV_EEC_STATE_ERR", "invalid end-to-end context state"},
    StatusFacts{"FATAL_ERR",
                "fatal: the device failed; look at the kernel log, it may need a reset"},
    StatusFacts{"RESP_TIMEOUT_ERR", "response time-out: the peer did not answer in time"},
    StatusFacts{"GENERAL_ERR", "general error: the transport failed without saying why"},
    StatusFacts{"TM_ERR", "tag-matching error"},
    StatusFacts{"TM_RNDV_INCOMPLETE", "tag-matching rendezvous incomplete"},
};
static_assert(kStatuses.size() == IBV_WC_TM_RNDV_INCOMPLETE + 1);

StatusFacts facts_of(ibv_wc_status status) {
  const auto number = static_cast<std::size_t>(status);
  return number < kStatuses.size()
             ? kStatuses.at(number)
             : StatusFacts{"UNKNOWN", "a status that this program does not know"};
}

}  // namespace

void fail(int error, std::string_view call, std::string_view subject) {
  std::string what(call);
  if (!subject.empty()) what.append(" on ").append(subject);
  if (error == EMFILE) what += descriptor_advice();
  throw std::system_error(error, std::generic_category(), what);
}

void succeeded(int error, std::string_view call, std::string_view subject) {
  if (error != 0) fail(error, call, subject);
}

void answered(int result, std::string_view call, std::string_view subject) {
  if (result < 0) fail(errno, call, subject);
}

void make_non_blocking(int file, std::string_view what, std::string_view subject) {
  const int flags = fcntl(file, F_GETFL);
  if (flags >= 0 && fcntl(file, F_SETFL, flags | O_NONBLOCK) >= 0) return;
  const int error = errno;
  fail(error, "fcntl of " + std::string(what), subject);
}

std::string_view descriptor_remedy() {
  return "raise it: `nofile 1048576` in /etc/security/limits.conf, LimitNOFILE=1048576 in a "
         "systemd unit, --ulimit nofile=1048576 for a container";
}

std::string_view meaning(ibv_wc_status status) {
  return facts_of(status).meaning;
}

std::string_view name(ibv_wc_status status) {
  return facts_of(status).name;
}

bool is_silence(ibv_wc_status status) {
  return status == IBV_WC_RETRY_EXC_ERR || status == IBV_WC_RESP_TIMEOUT_ERR;
}

std::string_view words(ibv_qp_state state) {
  switch (state) {
    case IBV_QPS_RESET: return "reset";
    case IBV_QPS_INIT: return "initialised, not connected";
    case IBV_QPS_RTR: return "ready to receive";
    case IBV_QPS_RTS: return "ready to send";
    case IBV_QPS_SQD: return "send queue drained";
    case IBV_QPS_SQE: return "send queue in error";
    case IBV_QPS_ERR: return "error";
    case IBV_QPS_UNKNOWN: break;
  }
  return "unknown";
}

std::string_view words(ibv_event_type event) {
  switch (event) {
    case IBV_EVENT_CQ_ERR: return "completion queue overran or failed";
    case IBV_EVENT_QP_FATAL: return "failed fatally";
    case IBV_EVENT_QP_REQ_ERR: return "received an invalid request";
    case IBV_EVENT_QP_ACCESS_ERR: return "received a request for memory it may not touch";
    case IBV_EVENT_COMM_EST: return "first packet arrived before the connection was complete";
    case IBV_EVENT_SQ_DRAINED: return "send queue drained";
    case IBV_EVENT_PATH_MIG: return "moved to its alternate path";
    case IBV_EVENT_PATH_MIG_ERR: return "could not move to its alternate path";
    case IBV_EVENT_DEVICE_FATAL: return "device failed fatally; look at the kernel log";
    case IBV_EVENT_PORT_ACTIVE: return "port became active";
    case IBV_EVENT_PORT_ERR: return "port went down";
    case IBV_EVENT_LID_CHANGE: return "LID changed";
    case IBV_EVENT_PKEY_CHANGE: return "partition keys changed";
    case IBV_EVENT_SM_CHANGE: return "subnet manager changed";
    case IBV_EVENT_SRQ_ERR: return "shared receive queue failed";
    case IBV_EVENT_SRQ_LIMIT_REACHED: return "shared receive queue is low";
    case IBV_EVENT_QP_LAST_WQE_REACHED: return "last receive of a shared queue was used";
    case IBV_EVENT_CLIENT_REREGISTER: return "subnet manager asks clients to register again";
    case IBV_EVENT_GID_CHANGE: return "GID table changed: an IP address came or went";
    case IBV_EVENT_WQ_FATAL: return "work queue failed fatally";
  }
  return "event that this program does not know";
}

}  // namespace railgauge::verbs
