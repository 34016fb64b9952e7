// Asynchronous events.

#include <cerrno>

#include "softroce/device/queue_pair.hpp"
#include "softroce/verbs/calls.hpp"
#include "softroce/verbs/objects.hpp"

namespace railgauge::softroce {

namespace {

/// What an event is about, if it is about something that can be destroyed, and whose it is.
struct Subject {
  EventCount* count = nullptr;
  ibv_context* context = nullptr;
};

Subject subject_of(const ibv_async_event& event) {
  switch (event.event_type) {
    case IBV_EVENT_CQ_ERR:
      return {&QueuePair::queue_of(event.element.cq)->async_events, event.element.cq->context};
    case IBV_EVENT_SRQ_ERR:
    case IBV_EVENT_SRQ_LIMIT_REACHED:
      return {&static_cast<SharedReceiveQueue*>(event.element.srq)->async_events,
              event.element.srq->context};
    case IBV_EVENT_QP_FATAL:
    case IBV_EVENT_QP_REQ_ERR:
    case IBV_EVENT_QP_ACCESS_ERR:
    case IBV_EVENT_COMM_EST:
    case IBV_EVENT_SQ_DRAINED:
    case IBV_EVENT_QP_LAST_WQE_REACHED:
      return {&queue_pair_of(event.element.qp).async_events, event.element.qp->context};
    default: return {};
  }
}

}  // namespace

namespace calls {

int get_async_event(ibv_context* context, ibv_async_event* out) {
  AsyncEvents& events = context_of(context).events;
  for (;;) {
    if (!events.signal.take()) return -1;
    const Engine::Lock lock(engine_of(context));
    if (events.waiting.empty()) continue;  // it was about an object that is gone
    *out = events.waiting.front();
    events.waiting.pop_front();
    if (EventCount* count = subject_of(*out).count) ++count->handed_out;
    return 0;
  }
}

void ack_async_event(ibv_async_event* event) {
  const Subject subject = subject_of(*event);
  if (subject.count == nullptr) return;
  Engine& engine = engine_of(subject.context);
  const Engine::Lock lock(engine);
  ++subject.count->acknowledged;
  engine.acknowledged.notify_all();
}

}  // namespace calls
}  // namespace railgauge::softroce
