#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "softfabric/packet.hpp"

namespace railgauge::softfabric {

/// What happens in a fabric, and to which wire, link or switch.
enum class EventType : std::uint8_t {
  line_free,      ///< a wire can take the next packet
  arrival,        ///< its first packet is at the other end
  pause_arrival,  ///< a pause frame has come to its sending end
  pause_end,      ///< a pause may be over
  pause_refresh,  ///< its receiver looks whether it has to pause on
  watchdog,       ///< a priority may have been paused for too long
  flap,           ///< a link goes up or down
  reroute,        ///< the routes follow the links
  boot,           ///< a switch is back
};

struct Event {
  Time at{};
  std::uint64_t order = 0;  ///< of two at the same time, the one that was made first
  Index index = 0;
  EventType what = EventType::line_free;
  std::uint8_t priority = 0;
  std::uint16_t value = 0;  ///< a pause's quanta; a flap's Wire::faults_set
};

/// Events by their time.
class EventQueue {
 public:
  explicit EventQueue(std::size_t expected) { heap_.reserve(expected); }

  void push(Event event) {
    event.order = made_++;
    heap_.push_back(event);
    std::ranges::push_heap(heap_, later);
  }
  Event pop() {
    std::ranges::pop_heap(heap_, later);
    const Event event = heap_.back();
    heap_.pop_back();
    return event;
  }
  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] Time next() const { return heap_.front().at; }

 private:
  static bool later(const Event& one, const Event& other) {
    return one.at != other.at ? one.at > other.at : one.order > other.order;
  }
  std::vector<Event> heap_;
  std::uint64_t made_ = 0;
};

}  // namespace railgauge::softfabric
