#pragma once

#include <algorithm>
#include <cstdint>

namespace railgauge::softfabric {

/// What the packets of one ingress port and lossless priority take of a switch's buffer.
struct IngressShare {
  std::uint64_t bytes = 0;           ///< of the shared buffer
  std::uint64_t headroom_bytes = 0;  ///< beyond it, of what the port has for itself
  bool paused = false;               ///< its sender has been told to stop
};

/// The packet memory of one switch, shared by its ports with dynamic thresholds (Choudhury and
/// Hahne, 1998): a queue, or an ingress port's share, may grow to `alpha` times what is free.
class SharedBuffer {
 public:
  SharedBuffer(std::uint64_t bytes, double alpha, std::uint64_t headroom_bytes)
      : capacity_(bytes), alpha_(alpha), headroom_(headroom_bytes) {}

  [[nodiscard]] std::uint64_t used() const { return used_; }
  [[nodiscard]] std::uint64_t most_used() const { return most_; }
  [[nodiscard]] std::uint64_t threshold() const {
    return static_cast<std::uint64_t>(alpha_ * static_cast<double>(capacity_ - used_));
  }

  /// Takes room for a packet of a lossy queue that holds so many bytes. False: it is dropped.
  bool take(std::uint64_t queued_bytes, std::uint64_t bytes) {
    if (queued_bytes + bytes > threshold() || used_ + bytes > capacity_) return false;
    use(bytes);
    return true;
  }
  void give(std::uint64_t bytes) { used_ -= bytes; }

  /// Takes room for a packet of a lossless priority: of the headroom once the share is at its
  /// threshold. False if that is full as well: the sender did not stop.
  bool take(IngressShare& share, std::uint64_t bytes) {
    const bool fits = share.bytes + bytes <= threshold() && used_ + bytes <= capacity_;
    if (fits && share.headroom_bytes == 0) {
      share.bytes += bytes;
      use(bytes);
      return true;
    }
    if (share.headroom_bytes + bytes > headroom_) return false;
    share.headroom_bytes += bytes;
    return true;
  }
  void give(IngressShare& share, std::uint64_t bytes) {
    const std::uint64_t of_headroom = std::min(bytes, share.headroom_bytes);
    share.headroom_bytes -= of_headroom;
    share.bytes -= bytes - of_headroom;
    used_ -= bytes - of_headroom;
  }

  /// Whether the sender has to stop: its next packet would be in the headroom.
  [[nodiscard]] bool full(const IngressShare& share, std::uint64_t packet_bytes) const {
    return share.headroom_bytes > 0 || share.bytes + packet_bytes > threshold();
  }
  /// Whether it may go on: two packets' room below the threshold, so that it does not flutter.
  [[nodiscard]] bool relieved(const IngressShare& share, std::uint64_t packet_bytes) const {
    if (share.headroom_bytes > 0) return false;
    return share.bytes == 0 || share.bytes + 3 * packet_bytes <= threshold();
  }

 private:
  void use(std::uint64_t bytes) {
    used_ += bytes;
    most_ = std::max(most_, used_);
  }

  std::uint64_t capacity_;
  double alpha_;
  std::uint64_t headroom_;
  std::uint64_t used_ = 0;
  std::uint64_t most_ = 0;
};

}  // namespace railgauge::softfabric
