#include "soak/watcher.hpp"

namespace railgauge::soak {

struct Watcher::Parts {};

Watcher::Watcher(const Header& /*header*/) : parts_(std::make_unique<Parts>()) {}
Watcher::~Watcher() = default;
Watcher::Watcher(Watcher&&) noexcept = default;
Watcher& Watcher::operator=(Watcher&&) noexcept = default;

std::vector<Event> Watcher::take(const Window& /*window*/) {
  return {};
}

std::vector<Event> Watcher::take(const Gap& /*gap*/) {
  return {};
}

}  // namespace railgauge::soak
