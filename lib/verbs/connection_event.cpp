#include "verbs/connection_event.hpp"

#include <cstring>

namespace railgauge::verbs {
namespace {

// Reason codes: InfiniBand Architecture Specification 1.x, 12.6.7.2; enum ib_cm_rej_reason of the
// kernel's rdma/ib_cm.h.
std::string rejection(int reason) {
  switch (reason) {
    case 4: return "time-out on the peer's side";
    case 8: return "nobody listens on that port";
    case 10: return "stale connection: the queue-pair number was in use a moment ago; try again";
    case 28: return "by the program there: it does not expect this connection";
    default: return "reason code " + std::to_string(reason);
  }
}

std::string status_words(rdma_cm_event_type event, int status) {
  if (status < 0) return std::strerror(-status);
  return event == RDMA_CM_EVENT_REJECTED ? rejection(status) : "status " + std::to_string(status);
}

}  // namespace

std::string_view meaning(rdma_cm_event_type event) {
  switch (event) {
    case RDMA_CM_EVENT_ADDR_RESOLVED: return "the address is resolved";
    case RDMA_CM_EVENT_ADDR_ERROR:
      return "the address cannot be resolved; is the peer on this rail?";
    case RDMA_CM_EVENT_ROUTE_RESOLVED: return "the route is resolved";
    case RDMA_CM_EVENT_ROUTE_ERROR: return "there is no route to the peer";
    case RDMA_CM_EVENT_CONNECT_REQUEST: return "a peer asks for a connection";
    case RDMA_CM_EVENT_CONNECT_RESPONSE: return "the peer accepted";
    case RDMA_CM_EVENT_CONNECT_ERROR: return "the connection could not be completed";
    case RDMA_CM_EVENT_UNREACHABLE: return "the peer did not answer";
    case RDMA_CM_EVENT_REJECTED: return "the peer refused";
    case RDMA_CM_EVENT_ESTABLISHED: return "connected";
    case RDMA_CM_EVENT_DISCONNECTED: return "the peer hung up";
    case RDMA_CM_EVENT_DEVICE_REMOVAL: return "the device was removed";
    case RDMA_CM_EVENT_MULTICAST_JOIN: return "joined a multicast group";
    case RDMA_CM_EVENT_MULTICAST_ERROR: return "a multicast group failed";
    case RDMA_CM_EVENT_ADDR_CHANGE: return "the network interface changed its hardware address";
    case RDMA_CM_EVENT_TIMEWAIT_EXIT: return "the queue-pair number may be used again";
  }
  return "event that this program does not know";
}

std::string describe(rdma_cm_event_type event, int status) {
  std::string text = rdma_event_str(event);
  text.append(": ").append(meaning(event));
  return status == 0 ? text : text + " (" + status_words(event, status) + ")";
}

}  // namespace railgauge::verbs
