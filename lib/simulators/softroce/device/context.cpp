#include "softroce/device/context.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <system_error>

namespace railgauge::softroce {

Signal::Signal() : descriptor_(eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC)) {
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
}

Signal::~Signal() {
  close(descriptor_);
}

void Signal::raise() const {
  const std::uint64_t one = 1;
  // Cannot fail before 2^64 events are pending.
  [[maybe_unused]] const auto written = write(descriptor_, &one, sizeof one);
}

bool Signal::take() const {
  std::uint64_t one = 0;
  return read(descriptor_, &one, sizeof one) == sizeof one;
}

void AsyncEvents::raise(ibv_event_type type, void* element) {
  ibv_async_event event{};
  event.event_type = type;
  event.element.qp = static_cast<ibv_qp*>(element);  // the union's pointers all have one
                                                     // representation
  waiting.push_back(event);
  signal.raise();
}

void AsyncEvents::raise_port(ibv_event_type type) {
  ibv_async_event event{};
  event.event_type = type;
  event.element.port_num = 1;
  waiting.push_back(event);
  signal.raise();
}

void AsyncEvents::forget(const void* element) {
  // The signal then counts too many: a taker that finds nothing waits again.
  std::erase_if(waiting, [&](const ibv_async_event& event) { return event.element.qp == element; });
}

}  // namespace railgauge::softroce
