#pragma once

#include <netinet/in.h>
#include <rdma/rdma_user_cm.h>

#include <deque>

#include "softroce/cm/network.hpp"

namespace railgauge::softroce::cm {

/// enum rdma_cm_event_type of <rdma/rdma_cma.h>, which does not go with the kernel's header.
enum class EventType : std::uint32_t {
  address_resolved = 0,
  address_error = 1,
  route_resolved = 2,
  connect_request = 4,
  connect_response = 5,
  unreachable = 7,
  rejected = 8,
  established = 9,
  disconnected = 10,
  timewait_exit = 15,
};

/// An event that waits to be told.
struct Event {
  rdma_ucm_event_resp told{};
  Id about = kNoId;  ///< the identifier that counts it; for a request, the listener
  Id child = kNoId;  ///< of a request: the identifier that was made for it
};

/// What a program has opened: the queue of its identifiers' events. Its descriptor counts them, so
/// that it is readable while there are any.
class Channel {
 public:
  Channel();  ///< Throws std::system_error.
  ~Channel() = default;
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// The program's, which may duplicate and close it.
  int descriptor() const { return descriptor_; }
  void rename(int descriptor) { descriptor_ = descriptor; }
  void push(const Event& event);
  /// Takes the first event.
  bool pop(Event& out);
  /// Drops the events about `id` and returns them.
  std::deque<Event> drop_events(Id id);

  /// Takes one from the descriptor's count; waits for it unless the program made the descriptor
  /// non-blocking. Returns errno: EAGAIN, EINTR. Not under a lock.
  int wait() const;

 private:
  void uncount(std::size_t events) const;

  int descriptor_;
  std::deque<Event> events_;
};

}  // namespace railgauge::softroce::cm
