#include "transport/note_ring.hpp"

#include <algorithm>
#include <new>

namespace railgauge::transport {
namespace {

std::size_t pushed_bytes(std::size_t lanes) {
  const std::size_t bytes = lanes * sizeof(std::atomic<std::uint32_t>);
  return (bytes + kCacheLine - 1) / kCacheLine * kCacheLine;
}

}  // namespace

std::size_t station_bytes(std::size_t lanes) {
  return sizeof(StationHead) + pushed_bytes(lanes) + lanes * sizeof(NoteRing);
}

Station station_in(std::span<std::byte> memory, std::size_t lanes) {
  std::byte* at = memory.data();
  Station station;
  station.head = reinterpret_cast<StationHead*>(at);
  station.pushed = reinterpret_cast<std::atomic<std::uint32_t>*>(at += sizeof(StationHead));
  station.rings = reinterpret_cast<NoteRing*>(at + pushed_bytes(lanes));
  return station;
}

bool Inbox::anything() const noexcept {
  for (Lane lane = 0; lane < taken_.size(); ++lane) {
    if (station_.pushed[lane].load(std::memory_order_seq_cst) != taken_[lane]) return true;
  }
  return false;
}

std::size_t Inbox::take(std::span<Event> events) noexcept {
  std::size_t count = 0;
  for (std::size_t i = 0; i < taken_.size() && count < events.size(); ++i) {
    if (++next_ >= taken_.size()) next_ = 0;
    const auto lane = static_cast<Lane>(next_);
    // Pairs with push(): the notes up to here, and the bytes that they tell of, are there.
    const std::uint32_t pushed = station_.pushed[lane].load(std::memory_order_acquire);
    if (pushed != taken_[lane]) count += take_from(lane, pushed, events.subspan(count));
  }
  return count;
}

std::size_t Inbox::take_from(Lane lane, std::uint32_t pushed, std::span<Event> events) noexcept {
  NoteRing& ring = station_.rings[lane];
  const auto count = std::min<std::size_t>(pushed - taken_[lane], events.size());
  for (std::size_t i = 0; i < count; ++i) {
    events[i] = {Event::Kind::arrived, lane, ring.notes[taken_[lane]++ % kNotesPerRing]};
  }
  ring.taken.store(taken_[lane], std::memory_order_release);  // pairs with room()
  return count;
}

}  // namespace railgauge::transport
