#include "verbs/error.hpp"

#include <sys/resource.h>

#include <string>
#include <system_error>

namespace railgauge::verbs {

namespace {

/// The advice for a process that may open no more files.
std::string descriptor_advice() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  return " (every device, queue and connection takes a file descriptor, and `ulimit -n` allows " +
         std::to_string(limit.rlim_cur) +
         "; raise it: `nofile 1048576` in /etc/security/limits.conf, LimitNOFILE=1048576 in a "
         "systemd "
         "unit, --ulimit nofile=1048576 for a container)";
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

// The meanings follow InfiniBand Architecture Specification 1.x, chapter 11.6.2 (completion return
// status), said for an operator of RoCE.
std::string_view meaning(ibv_wc_status status) {
  switch (status) {
    case IBV_WC_SUCCESS: return "success";
    case IBV_WC_LOC_LEN_ERR: return "local length error: a message was longer than allowed";
    case IBV_WC_LOC_QP_OP_ERR:
      return "local queue-pair error: the device is gone, or found the request inconsistent, which "
             "would be a bug here";
    case IBV_WC_LOC_EEC_OP_ERR: return "local end-to-end context error";
    case IBV_WC_LOC_PROT_ERR:
      return "local protection error: the memory written from is not registered, or the key is "
             "wrong";
    case IBV_WC_WR_FLUSH_ERR:
      return "flushed: the queue pair had already failed; look at its first failed completion";
    case IBV_WC_MW_BIND_ERR: return "memory-window bind error";
    case IBV_WC_BAD_RESP_ERR: return "bad response: the peer answered with an unexpected packet";
    case IBV_WC_LOC_ACCESS_ERR:
      return "local access error: a peer's data could not be stored in the memory meant for it";
    case IBV_WC_REM_INV_REQ_ERR:
      return "remote invalid request: the peer's device refused the request; its length or kind is "
             "not allowed there";
    case IBV_WC_REM_ACCESS_ERR:
      return "remote access error: the peer refused the address or the key of its memory";
    case IBV_WC_REM_OP_ERR:
      return "remote operation error: the peer's device could not carry out the request";
    case IBV_WC_RETRY_EXC_ERR:
      return "transport retries exhausted: the peer or a link on the way did not answer; look at "
             "link "
             "state, routes, MTU and packet drops along the path";
    case IBV_WC_RNR_RETRY_EXC_ERR:
      return "receiver not ready: the peer had no receive posted; a bug in flow control, not in "
             "the "
             "fabric";
    case IBV_WC_LOC_RDD_VIOL_ERR: return "local reliable-datagram domain violation";
    case IBV_WC_REM_INV_RD_REQ_ERR: return "remote invalid reliable-datagram request";
    case IBV_WC_REM_ABORT_ERR: return "remote aborted: the peer gave the operation up";
    case IBV_WC_INV_EECN_ERR: return "invalid end-to-end context number";
    case IBV_WC_INV_EEC_STATE_ERR: return "invalid end-to-end context state";
    case IBV_WC_FATAL_ERR:
      return "fatal: the device failed; look at the kernel log, it may need a reset";
    case IBV_WC_RESP_TIMEOUT_ERR: return "response time-out: the peer did not answer in time";
    case IBV_WC_GENERAL_ERR: return "general error: the transport failed without saying why";
    case IBV_WC_TM_ERR: return "tag-matching error";
    case IBV_WC_TM_RNDV_INCOMPLETE: return "tag-matching rendezvous incomplete";
  }
  return "a status that this program does not know";
}

std::string_view name(ibv_wc_status status) {
  switch (status) {
    case IBV_WC_SUCCESS: return "SUCCESS";
    case IBV_WC_LOC_LEN_ERR: return "LOC_LEN_ERR";
    case IBV_WC_LOC_QP_OP_ERR: return "LOC_QP_OP_ERR";
    case IBV_WC_LOC_EEC_OP_ERR: return "LOC_EEC_OP_ERR";
    case IBV_WC_LOC_PROT_ERR: return "LOC_PROT_ERR";
    case IBV_WC_WR_FLUSH_ERR: return "WR_FLUSH_ERR";
    case IBV_WC_MW_BIND_ERR: return "MW_BIND_ERR";
    case IBV_WC_BAD_RESP_ERR: return "BAD_RESP_ERR";
    case IBV_WC_LOC_ACCESS_ERR: return "LOC_ACCESS_ERR";
    case IBV_WC_REM_INV_REQ_ERR: return "REM_INV_REQ_ERR";
    case IBV_WC_REM_ACCESS_ERR: return "REM_ACCESS_ERR";
    case IBV_WC_REM_OP_ERR: return "REM_OP_ERR";
    case IBV_WC_RETRY_EXC_ERR: return "RETRY_EXC_ERR";
    case IBV_WC_RNR_RETRY_EXC_ERR: return "RNR_RETRY_EXC_ERR";
    case IBV_WC_LOC_RDD_VIOL_ERR: return "LOC_RDD_VIOL_ERR";
    case IBV_WC_REM_INV_RD_REQ_ERR: return "REM_INV_RD_REQ_ERR";
    case IBV_WC_REM_ABORT_ERR: return "REM_ABORT_ERR";
    case IBV_WC_INV_EECN_ERR: return "INV_EECN_ERR";
    case IBV_WC_INV_EEC_STATE_ERR: return "INV_EEC_STATE_ERR";
    case IBV_WC_FATAL_ERR: return "FATAL_ERR";
    case IBV_WC_RESP_TIMEOUT_ERR: return "RESP_TIMEOUT_ERR";
    case IBV_WC_GENERAL_ERR: return "GENERAL_ERR";
    case IBV_WC_TM_ERR: return "TM_ERR";
    case IBV_WC_TM_RNDV_INCOMPLETE: return "TM_RNDV_INCOMPLETE";
  }
  return "UNKNOWN";
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
