#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "softfabric/headers.hpp"

namespace railgauge::softfabric {

using Time = std::chrono::nanoseconds;  ///< since any fixed moment

using Index = std::uint32_t;
inline constexpr Index kNone = std::numeric_limits<Index>::max();

/// A packet on its way: what is known of it beside its bytes.
struct Packet {
  Headers headers{};
  std::uint32_t bytes = 0;    ///< of the frame
  Index destination = kNone;  ///< the wire to the host that it is for
  Index ingress = kNone;      ///< the wire that it came by, whose buffer share it takes; or none
  std::uint8_t priority = 0;
  Time due{};          ///< when it arrives at the other end of its wire
  Index next = kNone;  ///< in a PacketQueue
};

/// Room for so many frames, taken once. Not used is not touched: what was given back last is taken
/// first.
class PacketPool {
 public:
  PacketPool(std::size_t packets, std::size_t frame_bytes);

  /// kNone if all are in use.
  Index take();
  void give(Index packet);
  Packet& operator[](Index packet) { return packets_[packet]; }
  const Packet& operator[](Index packet) const { return packets_[packet]; }
  /// The bytes of its frame.
  std::span<std::byte> frame(Index packet);
  /// The same with all the room that there is.
  std::span<std::byte> room(Index packet);
  [[nodiscard]] std::size_t used() const { return used_; }
  [[nodiscard]] std::size_t frame_bytes() const { return frame_bytes_; }

 private:
  std::size_t frame_bytes_;
  std::unique_ptr<std::byte[]> bytes_;  // NOLINT(modernize-avoid-c-arrays): not touched
  std::vector<Packet> packets_;
  std::vector<Index> free_;
  std::size_t used_ = 0;
};

/// Packets in the order in which they came, those that were put ahead before the others. They are
/// chained to each other, so it takes no memory.
class PacketQueue {
 public:
  void push(PacketPool& pool, Index packet);
  void push_ahead(PacketPool& pool, Index packet);
  /// Not when empty.
  Index pop(PacketPool& pool);
  [[nodiscard]] bool empty() const { return first_ == kNone; }
  [[nodiscard]] Index first() const { return first_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::uint64_t packets() const { return packets_; }

 private:
  void insert(PacketPool& pool, Index after, Index packet);

  Index first_ = kNone;
  Index last_ = kNone;
  Index last_ahead_ = kNone;
  std::uint64_t bytes_ = 0;
  std::uint64_t packets_ = 0;
};

}  // namespace railgauge::softfabric
