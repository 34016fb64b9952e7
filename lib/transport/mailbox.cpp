#include "transport/mailbox.hpp"

#include <cassert>
#include <cstring>

namespace railgauge::transport {

std::size_t mailbox_bytes(std::size_t channels) {
  return sizeof(MailboxHead) + channels * sizeof(LetterRing);
}

Mailbox mailbox_in(std::span<std::byte> memory) {
  Mailbox mailbox;
  mailbox.head = reinterpret_cast<MailboxHead*>(memory.data());
  mailbox.rings = reinterpret_cast<LetterRing*>(memory.data() + sizeof(MailboxHead));
  return mailbox;
}

bool Inbox::anything() const noexcept {
  for (Channel channel = 0; channel < taken_.size(); ++channel) {
    const Letter& letter = next_letter(channel);
    if (letter.number.load(std::memory_order_seq_cst) == taken_[channel] + 1) return true;
  }
  return false;
}

std::size_t Inbox::take(std::span<Event> events) noexcept {
  std::size_t count = 0;
  for (std::size_t i = 0; i < taken_.size() && count < events.size(); ++i) {
    if (++next_ >= taken_.size()) next_ = 0;
    const auto channel = static_cast<Channel>(next_);
    if (has_come(channel)) count += take_from(channel, events.subspan(count));
  }
  return count;
}

std::size_t Inbox::take_from(Channel channel, std::span<Event> events) noexcept {
  std::size_t count = 0;
  while (count < events.size() && has_come(channel)) {
    const Letter& letter = next_letter(channel);
    if (letter.bytes > 0) put_in_place(letter);
    events[count++] = {Event::Kind::arrived, channel, letter.notification};
    ++taken_[channel];
  }
  // Pairs with can_post().
  mailbox_.rings[channel].taken.store(taken_[channel], std::memory_order_release);
  return count;
}

void Inbox::put_in_place(const Letter& letter) const noexcept {
  assert(letter.offset + letter.bytes <= regions_[letter.region].size());
  std::memcpy(regions_[letter.region].data() + letter.offset, letter.data.data(), letter.bytes);
}

}  // namespace railgauge::transport
