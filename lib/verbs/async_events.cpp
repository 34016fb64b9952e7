#include "verbs/async_events.hpp"

#include <cerrno>
#include <sstream>

#include "verbs/error.hpp"
#include "verbs/status.hpp"

namespace railgauge::verbs {
namespace {

/// Which member of the event's union is meant depends on its type; the objects are alive until the
/// event is acknowledged.
std::string subject(const ibv_async_event& event) {
  std::ostringstream text;
  switch (event.event_type) {
    case IBV_EVENT_QP_FATAL:
    case IBV_EVENT_QP_REQ_ERR:
    case IBV_EVENT_QP_ACCESS_ERR:
    case IBV_EVENT_COMM_EST:
    case IBV_EVENT_SQ_DRAINED:
    case IBV_EVENT_PATH_MIG:
    case IBV_EVENT_PATH_MIG_ERR:
    case IBV_EVENT_QP_LAST_WQE_REACHED:
      text << " queue pair 0x" << std::hex << event.element.qp->qp_num;
      break;
    case IBV_EVENT_PORT_ACTIVE:
    case IBV_EVENT_PORT_ERR:
    case IBV_EVENT_LID_CHANGE:
    case IBV_EVENT_PKEY_CHANGE:
    case IBV_EVENT_SM_CHANGE:
    case IBV_EVENT_CLIENT_REREGISTER:
    case IBV_EVENT_GID_CHANGE: text << " port " << event.element.port_num; break;
    default: break;
  }
  return text.str();
}

AsyncEvent read(const ibv_async_event& event, const char* device) {
  std::string text = device + subject(event) + ": ";
  return {.type = event.event_type, .words = text.append(words(event.event_type))};
}

}  // namespace

std::vector<AsyncEvent> take_async_events(ibv_context& context) {
  std::vector<AsyncEvent> events;
  ibv_async_event event{};
  while (ibv_get_async_event(&context, &event) == 0) {
    events.push_back(read(event, context.device->name));
    // Destroying what the event is about waits for this.
    ibv_ack_async_event(&event);
  }
  if (errno != EAGAIN) answered(-1, "ibv_get_async_event", context.device->name);
  return events;
}

}  // namespace railgauge::verbs
