#pragma once

#include <infiniband/verbs.h>

#include <deque>

namespace railgauge::softroce {

/// A file descriptor that is readable while the queue it belongs to has entries: a counting
/// eventfd.
class Signal {
 public:
  Signal();  ///< Throws std::system_error.
  ~Signal();
  Signal(const Signal&) = delete;
  Signal& operator=(const Signal&) = delete;

  int descriptor() const { return descriptor_; }
  void raise() const;
  /// Takes one; blocks unless the program made the descriptor non-blocking (then false, EAGAIN).
  /// Not under the engine's lock.
  bool take() const;

 private:
  int descriptor_ = -1;
};

/// For an object that asynchronous or completion events refer to: it may be destroyed only after
/// those handed out have been acknowledged (manual page of ibv_ack_async_event).
struct EventCount {
  unsigned handed_out = 0;
  unsigned acknowledged = 0;
  bool settled() const { return handed_out == acknowledged; }
};

/// The pending asynchronous events of one context.
struct AsyncEvents {
  Signal signal;
  std::deque<ibv_async_event> waiting;

  void raise(ibv_event_type type, void* element);
  void raise_port(ibv_event_type type);
  /// Drops the pending events of an object that is being destroyed.
  void forget(const void* element);
};

class Engine;
class Port;

/// An opened soft device. `verbs_context` has its ibv_context last, so ours is found by
/// subtraction, as in verbs_get_ctx().
struct Context : verbs_context {
  Engine* engine = nullptr;
  Port* port = nullptr;
  AsyncEvents events;
  unsigned objects = 0;  ///< live protection domains, queues and channels
};

inline Context& context_of(ibv_context* context) {
  auto* bytes = reinterpret_cast<char*>(context) - offsetof(verbs_context, context);
  return *static_cast<Context*>(reinterpret_cast<verbs_context*>(bytes));
}

}  // namespace railgauge::softroce
