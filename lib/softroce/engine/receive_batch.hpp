#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace railgauge::softroce {

/// What one recvmmsg() brought. Each arrival is one or more packets of `segment_bytes`, the last of
/// which may be shorter (UDP_GRO).
class ReceiveBatch {
 public:
  struct Arrived {
    std::span<const std::byte> bytes{};
    std::size_t segment_bytes = 0;
    std::uint8_t traffic_class = 0;
    const sockaddr_storage* from = nullptr;
  };

  ReceiveBatch();
  /// Does not wait. How many arrivals there are.
  std::size_t receive(int descriptor);
  /// Whether the last receive() was full of what had come together, so that there may be more.
  bool maybe_more() const { return maybe_more_; }
  Arrived operator[](std::size_t index) const;

  static constexpr std::size_t kMost = 8;

 private:
  static constexpr std::size_t kControlBytes = 64;
  std::vector<std::byte> buffer_;
  std::size_t wanted_ = 1;
  bool maybe_more_ = false;
  std::array<mmsghdr, kMost> headers_{};
  std::array<iovec, kMost> pieces_{};
  std::array<sockaddr_storage, kMost> names_{};
  struct alignas(cmsghdr) Control {
    std::array<std::byte, kControlBytes> bytes{};
  };
  std::array<Control, kMost> controls_{};
};

}  // namespace railgauge::softroce
