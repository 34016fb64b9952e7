#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "softroce/device/port.hpp"
#include "softroce/wire/ip_headers.hpp"

namespace railgauge::softroce {

/// Packets sent by one sendmmsg(). Packets of one size to one peer become segments of one
/// UDP_SEGMENT datagram, which costs the kernel about as much as a single packet.
class SendBatch {
 public:
  explicit SendBatch(const Address& source);

  /// No room for a packet of so many pieces: send() first.
  bool full(std::size_t pieces) const;
  /// Not when full(). Returns the bytes of UDP payload; 0 if some of the payload is not there
  /// (memory_guard.hpp). `descriptor` is the socket with the path's source port.
  std::size_t add(int descriptor, const Path& path, const Packet& headers,
                  std::span<const iovec> payload);
  /// Copies a complete datagram whose ICRC is for identification 0. False if the batch is full.
  bool add_raw(int descriptor, const Path& path, std::span<const std::byte> datagram);
  /// Hands everything to the kernel. Returns how many packets it refused.
  std::uint64_t send();
  bool empty() const { return messages_used_ == 0; }

 private:
  struct Message {
    int descriptor = -1;
    Path path{};
    std::size_t segment_bytes = 0;
    std::size_t bytes = 0;
    unsigned segments = 0;
    bool open = false;
    std::size_t first_piece = 0;
    std::size_t pieces = 0;
    sockaddr_storage name{};
    socklen_t name_bytes = 0;
  };
  struct alignas(cmsghdr) Control {
    std::array<std::byte, 96> bytes{};
  };

  bool joins_last(int descriptor, const Path& path, std::size_t bytes) const;
  Message& message_for(int descriptor, const Path& path, std::size_t bytes, bool alone = false);
  void append(const void* data, std::size_t bytes);
  std::byte* reserve(std::size_t bytes);
  void prepare(std::size_t index);
  std::uint64_t send_apart(std::size_t index);
  std::size_t write_control(const Message& message, Control& control) const;

  Address source_;
  bool segmenting_ = true;  // until the kernel refuses
  std::vector<std::byte> arena_;
  std::size_t arena_used_ = 0;
  std::vector<iovec> pieces_;
  std::size_t pieces_used_ = 0;
  std::vector<Message> messages_;
  std::size_t messages_used_ = 0;
  std::vector<Control> controls_;
  std::vector<mmsghdr> headers_;
};

/// What one recvmmsg() received. Each arrival is one or more packets of `segment_bytes`, the last
/// of which may be shorter (UDP_GRO).
class ReceiveBatch {
 public:
  struct Arrived {
    std::span<const std::byte> bytes{};
    std::size_t segment_bytes = 0;
    Variant variant{};
    std::uint64_t lost_before = 0;  ///< by overflow of this socket, ever, if it says so
    const sockaddr_storage* from = nullptr;
  };

  ReceiveBatch();
  /// Does not block. Returns the number of arrivals.
  std::size_t receive(int descriptor);
  /// Whether the last receive() was full, so that there may be more.
  bool maybe_more() const { return maybe_more_; }
  Arrived operator[](std::size_t index) const;

  static constexpr std::size_t kMost = 8;

 private:
  static constexpr std::size_t kControlBytes = 128;
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
