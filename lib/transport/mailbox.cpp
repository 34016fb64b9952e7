#include "transport/mailbox.hpp"

#include <algorithm>
#include <new>

namespace railgauge::transport {
namespace {

std::size_t pushed_bytes(std::size_t channels) {
  const std::size_t bytes = channels * sizeof(std::atomic<std::uint32_t>);
  return (bytes + kCacheLine - 1) / kCacheLine * kCacheLine;
}

}  // namespace

std::size_t mailbox_bytes(std::size_t channels) {
  return sizeof(MailboxHead) + pushed_bytes(channels) + channels * sizeof(NotificationRing);
}

Mailbox mailbox_in(std::span<std::byte> memory, std::size_t channels) {
  std::byte* at = memory.data();
  Mailbox mailbox;
  mailbox.head = reinterpret_cast<MailboxHead*>(at);
  mailbox.pushed = reinterpret_cast<std::atomic<std::uint32_t>*>(at += sizeof(MailboxHead));
  mailbox.rings = reinterpret_cast<NotificationRing*>(at + pushed_bytes(channels));
  return mailbox;
}

bool Inbox::anything() const noexcept {
  for (Channel channel = 0; channel < taken_.size(); ++channel) {
    if (mailbox_.pushed[channel].load(std::memory_order_seq_cst) != taken_[channel]) return true;
  }
  return false;
}

std::size_t Inbox::take(std::span<Event> events) noexcept {
  std::size_t count = 0;
  for (std::size_t i = 0; i < taken_.size() && count < events.size(); ++i) {
    if (++next_ >= taken_.size()) next_ = 0;
    const auto channel = static_cast<Channel>(next_);
    // Pairs with push(): the notifications up to here, and the bytes they announce, are in place.
    const std::uint32_t pushed = mailbox_.pushed[channel].load(std::memory_order_acquire);
    if (pushed != taken_[channel]) count += take_from(channel, pushed, events.subspan(count));
  }
  return count;
}

std::size_t Inbox::take_from(Channel channel, std::uint32_t pushed,
                             std::span<Event> events) noexcept {
  NotificationRing& ring = mailbox_.rings[channel];
  const auto count = std::min<std::size_t>(pushed - taken_[channel], events.size());
  for (std::size_t i = 0; i < count; ++i) {
    events[i] = {Event::Kind::arrived, channel,
                 ring.notifications[taken_[channel]++ % kNotificationsPerRing]};
  }
  ring.taken.store(taken_[channel], std::memory_order_release);  // pairs with can_post()
  return count;
}

}  // namespace railgauge::transport
