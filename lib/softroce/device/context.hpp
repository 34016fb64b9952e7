#pragma once

#include <infiniband/verbs.h>

#include "softroce/device/events.hpp"

namespace railgauge::softroce {

class Engine;
class Port;

/// An opened soft device. `verbs_context` has its ibv_context last, so ours is found from it by
/// subtracting, as verbs_get_ctx() does.
struct Context : verbs_context {
  Engine* engine = nullptr;
  Port* port = nullptr;
  AsyncEvents events;
  unsigned objects = 0;  ///< protection domains, queues, channels that still live
};

inline Context& context_of(ibv_context* context) {
  auto* bytes = reinterpret_cast<char*>(context) - offsetof(verbs_context, context);
  return *static_cast<Context*>(reinterpret_cast<verbs_context*>(bytes));
}

}  // namespace railgauge::softroce
