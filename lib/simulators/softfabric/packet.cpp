#include "softfabric/packet.hpp"

namespace railgauge::softfabric {

PacketPool::PacketPool(std::size_t packets, std::size_t frame_bytes)
    : frame_bytes_(frame_bytes),
      bytes_(std::make_unique_for_overwrite<std::byte[]>(packets * frame_bytes)),  // NOLINT
      packets_(packets) {
  free_.reserve(packets);
  for (std::size_t left = packets; left > 0; --left) free_.push_back(static_cast<Index>(left - 1));
}

Index PacketPool::take() {
  if (free_.empty()) return kNone;
  const Index packet = free_.back();
  free_.pop_back();
  ++used_;
  packets_[packet] = {};
  return packet;
}

void PacketPool::give(Index packet) {
  free_.push_back(packet);
  --used_;
}

std::span<std::byte> PacketPool::frame(Index packet) {
  return room(packet).first(packets_[packet].bytes);
}

std::span<std::byte> PacketPool::room(Index packet) {
  return {bytes_.get() + packet * frame_bytes_, frame_bytes_};
}

void PacketQueue::push(PacketPool& pool, Index packet) {
  insert(pool, last_, packet);
}

void PacketQueue::push_ahead(PacketPool& pool, Index packet) {
  insert(pool, last_ahead_, packet);
  last_ahead_ = packet;
}

/// After none: as the first.
void PacketQueue::insert(PacketPool& pool, Index after, Index packet) {
  Index& before = after == kNone ? first_ : pool[after].next;
  pool[packet].next = before;
  before = packet;
  if (after == last_) last_ = packet;
  bytes_ += pool[packet].bytes;
  ++packets_;
}

Index PacketQueue::pop(PacketPool& pool) {
  const Index packet = first_;
  first_ = pool[packet].next;
  if (packet == last_ahead_) last_ahead_ = kNone;
  if (packet == last_) last_ = kNone;
  bytes_ -= pool[packet].bytes;
  --packets_;
  return packet;
}

}  // namespace railgauge::softfabric
