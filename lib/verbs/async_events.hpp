#pragma once

#include <infiniband/verbs.h>

#include <string>
#include <vector>

namespace railgauge::verbs {

/// Something that happened to a device outside any completion.
struct AsyncEvent {
  ibv_event_type type = IBV_EVENT_DEVICE_FATAL;
  std::string words;  ///< "mlx5_0 port 1: port went down", "mlx5_0 queue pair 0x1a: ..."
};

/// Takes and acknowledges the events that wait on a context made by open_device(), without
/// blocking. Call it when something is slow or broke; events wait until then. Throws
/// std::system_error.
std::vector<AsyncEvent> take_async_events(ibv_context& context);

}  // namespace railgauge::verbs
