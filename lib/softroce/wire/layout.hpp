#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "softroce/wire/opcode.hpp"

namespace railgauge::softroce {

inline constexpr std::size_t kBaseBytes = 12;
inline constexpr std::size_t kCongestionReservedBytes = 16;
inline constexpr unsigned kServiceShift = 5;
inline constexpr unsigned kOperationMask = 0x1f;

/// Which operations the specification defines for which service (table 38; 0x15 is RESYNC, of the
/// reliable datagram service, which nobody has).
constexpr bool defined(unsigned opcode) {
  const unsigned operation = opcode & kOperationMask;
  switch (static_cast<Service>(opcode >> kServiceShift)) {
    case Service::reliable: return operation <= 0x17 && operation != 0x15;
    case Service::unreliable: return operation <= 0x0b;
    case Service::datagram: return operation == 0x04 || operation == 0x05;
    case Service::congestion: return opcode == kCongestionNotification;
  }
  return false;
}

constexpr std::uint8_t header_bytes(unsigned opcode) {
  const auto service = static_cast<Service>(opcode >> kServiceShift);
  const auto operation = static_cast<Operation>(opcode & kOperationMask);
  if (!defined(opcode)) return 0;
  if (service == Service::congestion) return kBaseBytes + kCongestionReservedBytes;
  return static_cast<std::uint8_t>(
      kBaseBytes + (service == Service::datagram ? 8 : 0) +
      (has_remote_address(operation) ? 16 : 0) + (has_atomic(operation) ? 28 : 0) +
      (has_acknowledge(operation) ? 4 : 0) + (has_original(operation) ? 8 : 0) +
      (has_immediate(operation) ? 4 : 0) + (has_invalidate(operation) ? 4 : 0));
}

/// What a packet of an opcode has to look like, so that parse() asks once instead of for each
/// header.
struct Layout {
  std::uint8_t header_bytes;  ///< 0: no such opcode
  bool payload;
};

inline constexpr std::array<Layout, 256> kLayouts = [] {
  std::array<Layout, 256> layouts{};
  for (unsigned opcode = 0; opcode < layouts.size(); ++opcode) {
    const bool payload = has_payload(static_cast<Operation>(opcode & kOperationMask));
    layouts[opcode] = {header_bytes(opcode), payload && opcode != kCongestionNotification};
  }
  return layouts;
}();

}  // namespace railgauge::softroce
