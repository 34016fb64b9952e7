#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <span>

#include "softroce/wire/address.hpp"
#include "softroce/wire/packet.hpp"

namespace railgauge::softroce {

/// Where packets go, and with what in their IP and UDP headers.
struct Path {
  Address destination{};
  std::uint16_t source_port = kRocePort;  ///< from the flow label: entropy for ECMP
  std::uint8_t traffic_class = 0;
  bool operator==(const Path&) const = default;
};

/// Where a queue pair puts its packets: a socket, or a test.
class Outbox {
 public:
  Outbox() = default;
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;
  virtual ~Outbox() = default;

  /// Takes one packet. Headers are copied; the bytes that `payload` points at have to stay
  /// until flush(). At most kMaxPieces pieces. Returns how many bytes of UDP payload it makes.
  virtual std::size_t send(const Path& path, const Packet& headers,
                           std::span<const iovec> payload) = 0;
  /// Gets ready for a path, off the hot path: opens the source port. False when that fails.
  virtual bool prepare(const Path& path) = 0;
  /// All that was taken has left, or is lost.
  virtual void flush() = 0;
};

}  // namespace railgauge::softroce
