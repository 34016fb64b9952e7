// Completion channels, completion queues, and asynchronous events.

#include <atomic>
#include <cerrno>
#include <memory>
#include <system_error>

#include "softroce/device/queue_pair.hpp"
#include "softroce/verbs/calls.hpp"
#include "softroce/verbs/objects.hpp"

namespace railgauge::softroce {
namespace {

CompletionQueue& queue_of(ibv_cq* cq) {
  return *static_cast<CompletionQueue*>(reinterpret_cast<ibv_cq_ex*>(cq));
}

CompletionChannel& channel_of(ibv_comp_channel* channel) {
  return *static_cast<CompletionChannel*>(channel);
}

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

int poll_cq(ibv_cq* cq, int entries, ibv_wc* out) {
  CompletionQueue& queue = queue_of(cq);
  Engine& engine = engine_of(cq->context);
  Engine::Lock lock(engine);
  if (queue.size() == 0) engine.poll(queue, lock);
  if (queue.broken()) return -failed(EIO);
  int taken = 0;
  for (Completion entry; taken < entries && queue.take(entry);) out[taken++] = entry.wc;
  return taken;
}

int req_notify_cq(ibv_cq* cq, int solicited_only) {
  CompletionQueue& queue = queue_of(cq);
  if (!known(queue)) return failed(ENOENT);
  Engine& engine = engine_of(cq->context);
  const Engine::Lock lock(engine);
  // Asked for both ways, every completion counts (InfiniBand volume 1, 11.4.2.2).
  queue.armed_for_solicited = solicited_only != 0 && (!queue.armed || queue.armed_for_solicited);
  queue.armed = true;
  engine.expect_events();
  return 0;
}

ibv_cq_ex* create_cq_ex(ibv_context* context, ibv_cq_init_attr_ex* init) {
  constexpr std::uint64_t kKnownFlags = std::uint64_t{IBV_WC_STANDARD_FLAGS} |
                                        IBV_WC_EX_WITH_COMPLETION_TIMESTAMP |
                                        IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK;
  const Port& port = port_of(context);
  if (init->cqe == 0 || init->cqe > static_cast<unsigned>(port.profile.limits.completions) ||
      init->comp_vector >= 1) {
    return refuse(EINVAL);
  }
  if ((init->wc_flags & ~kKnownFlags) != 0) return refuse(EOPNOTSUPP);
  if (init->comp_mask != 0 &&
      (init->comp_mask != IBV_CQ_INIT_ATTR_MASK_FLAGS ||
       (init->flags & ~std::uint32_t{IBV_CREATE_CQ_ATTR_SINGLE_THREADED}) != 0)) {
    return refuse(EOPNOTSUPP);
  }
  if (init->channel != nullptr && &engine_of(init->channel->context) != &engine_of(context)) {
    return refuse(EINVAL);  // another device's
  }
  auto queue = std::make_unique<CompletionQueue>();
  static_cast<ibv_cq_ex&>(*queue) = {};
  queue->context = context;
  queue->handle = handle_of(static_cast<ibv_cq_ex*>(queue.get()));
  queue->channel = init->channel;
  queue->cq_context = init->cq_context;
  queue->ring.resize(init->cqe);
  queue->cqe = static_cast<int>(init->cqe);
  pthread_mutex_init(&queue->mutex, nullptr);
  pthread_cond_init(&queue->cond, nullptr);
  set_polling(*queue, init->wc_flags);
  const Engine::Lock lock(engine_of(context));
  if (port_of(context).census.completion_queues >= kMaxCompletionQueues) return refuse(ENOMEM);
  ++port_of(context).census.completion_queues;
  queue->strict = port.strict;
  if (port.strict) engine_of(context).moderate(*queue);
  if (init->channel != nullptr) ++init->channel->refcnt;
  ++context_of(context).objects;
  return queue.release();
}

int modify_cq(ibv_cq* cq, ibv_modify_cq_attr* attributes) {
  if (attributes->attr_mask != IBV_CQ_ATTR_MODERATE) return failed(EINVAL);
  CompletionQueue& queue = queue_of(cq);
  if (!known(queue)) return failed(ENOENT);
  const Engine::Lock lock(engine_of(cq->context));
  queue.moderation_count = attributes->moderate.cq_count;
  queue.moderation_period = std::chrono::microseconds(attributes->moderate.cq_period);
  engine_of(cq->context).moderate(queue);
  return 0;
}

namespace calls {

ibv_comp_channel* create_comp_channel(ibv_context* context) {
  try {
    auto channel = std::make_unique<CompletionChannel>();
    channel->context = context;
    channel->fd = channel->signal.descriptor();
    channel->refcnt = 0;
    const Engine::Lock lock(engine_of(context));
    ++context_of(context).objects;
    return channel.release();
  } catch (const std::system_error& error) {
    // A program may try again and again: once is enough.
    static std::atomic_flag said = ATOMIC_FLAG_INIT;
    return refuse(said.test_and_set() ? error.code().value()
                                      : complain("no completion channel", error));
  }
}

int destroy_comp_channel(ibv_comp_channel* channel) {
  {
    const Engine::Lock lock(engine_of(channel->context));
    if (channel->refcnt != 0) return failed(EBUSY);
    --context_of(channel->context).objects;
  }
  delete &channel_of(channel);  // NOLINT(cppcoreguidelines-owning-memory)
  return 0;
}

ibv_cq* create_cq(ibv_context* context, int entries, void* cq_context, ibv_comp_channel* channel,
                  int vector) {
  if (entries <= 0 || vector < 0) return refuse(EINVAL);
  ibv_cq_init_attr_ex init{};
  init.cqe = static_cast<unsigned>(entries);
  init.cq_context = cq_context;
  init.channel = channel;
  init.comp_vector = static_cast<unsigned>(vector);
  init.wc_flags = IBV_WC_STANDARD_FLAGS;
  ibv_cq_ex* queue = create_cq_ex(context, &init);
  return queue == nullptr ? nullptr : ibv_cq_ex_to_cq(queue);
}

int resize_cq(ibv_cq* cq, int entries) {
  CompletionQueue& queue = queue_of(cq);
  const Engine::Lock lock(engine_of(cq->context));
  if (!known(queue)) return failed(ENOENT);
  if (entries <= 0 || entries > port_of(cq->context).profile.limits.completions) {
    return failed(EINVAL);
  }
  if (queue.size() > static_cast<std::size_t>(entries)) return failed(EINVAL);
  queue.resize(static_cast<std::size_t>(entries));
  return 0;
}

int destroy_cq(ibv_cq* cq) {
  CompletionQueue& queue = queue_of(cq);
  Engine& engine = engine_of(cq->context);
  {
    Engine::Lock lock(engine);
    if (!known(queue)) return failed(ENOENT);
    if (queue.users != 0) return failed(EBUSY);
    --port_of(cq->context).census.completion_queues;
    context_of(cq->context).events.forget(cq);
    if (queue.channel != nullptr) {
      std::erase(queue.events()->waiting, &queue);
      --queue.channel->refcnt;
    }
    engine.forget(queue);
    --context_of(cq->context).objects;
    engine.acknowledged.wait(lock.native(), [&] {
      return queue.channel_events.settled() && queue.async_events.settled();
    });
  }
  delete &queue;  // NOLINT(cppcoreguidelines-owning-memory)
  return 0;
}

int get_cq_event(ibv_comp_channel* verbs, ibv_cq** cq, void** cq_context) {
  CompletionChannel& channel = channel_of(verbs);
  for (;;) {
    if (!channel.signal.take()) return -1;
    const Engine::Lock lock(engine_of(verbs->context));
    if (channel.waiting.empty()) continue;  // it was about a queue that is gone
    CompletionQueue* queue = channel.waiting.front();
    channel.waiting.pop_front();
    ++queue->channel_events.handed_out;
    *cq = queue->verbs();
    *cq_context = queue->cq_context;
    return 0;
  }
}

void ack_cq_events(ibv_cq* cq, unsigned events) {
  Engine& engine = engine_of(cq->context);
  const Engine::Lock lock(engine);
  queue_of(cq).channel_events.acknowledged += events;
  engine.acknowledged.notify_all();
}

}  // namespace calls

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
