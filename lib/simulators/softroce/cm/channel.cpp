#include "softroce/cm/channel.hpp"

#include <sys/eventfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <system_error>

namespace railgauge::softroce::cm {

Channel::Channel() : descriptor_(eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC)) {
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
}

namespace {

void count_one(int descriptor) {
  // Not write(): programs' writes to the descriptor are commands, and come here.
  eventfd_write(descriptor, 1);
}

}  // namespace

void Channel::push(const Event& event) {
  events_.push_back(event);
  count_one(descriptor_);
}

bool Channel::pop(Event& out) {
  if (events_.empty()) return false;
  out = events_.front();
  events_.pop_front();
  return true;
}

std::deque<Event> Channel::drop_events(Id id) {
  const auto kept = std::stable_partition(events_.begin(), events_.end(),
                                          [id](const Event& event) { return event.about != id; });
  std::deque<Event> taken(kept, events_.end());
  events_.erase(kept, events_.end());
  uncount(taken.size());
  return taken;
}

void Channel::uncount(std::size_t events) const {
  std::uint64_t one = 0;
  iovec piece{&one, sizeof one};
  // Without waiting, whatever the program made of the descriptor: another thread may have taken the
  // count already, and then finds no event and waits again.
  for (; events > 0; --events) preadv2(descriptor_, &piece, 1, -1, RWF_NOWAIT);
}

int Channel::wait() const {
  std::uint64_t one = 0;
  return read(descriptor_, &one, sizeof one) == sizeof one ? 0 : errno;
}

}  // namespace railgauge::softroce::cm
