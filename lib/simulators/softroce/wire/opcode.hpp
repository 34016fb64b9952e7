#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace railgauge::softroce {

/// The low five bits of a BTH opcode: what the packet is (InfiniBand volume 1, table 38).
enum class Operation : std::uint8_t {
  send_first = 0x00,
  send_middle = 0x01,
  send_last = 0x02,
  send_last_with_immediate = 0x03,
  send_only = 0x04,
  send_only_with_immediate = 0x05,
  write_first = 0x06,
  write_middle = 0x07,
  write_last = 0x08,
  write_last_with_immediate = 0x09,
  write_only = 0x0a,
  write_only_with_immediate = 0x0b,
  read_request = 0x0c,
  read_response_first = 0x0d,
  read_response_middle = 0x0e,
  read_response_last = 0x0f,
  read_response_only = 0x10,
  acknowledge = 0x11,
  atomic_acknowledge = 0x12,
  compare_and_swap = 0x13,
  fetch_and_add = 0x14,
  send_last_with_invalidate = 0x16,
  send_only_with_invalidate = 0x17,
};

/// The high three bits of a BTH opcode: the service that the packet belongs to.
enum class Service : std::uint8_t { reliable = 0, unreliable = 1, datagram = 3, congestion = 4 };

/// A congestion notification packet: BTH, 16 reserved bytes, no more (annex A17.9.3).
inline constexpr std::uint8_t kCongestionNotification = 0x81;

/// Whether an operation is among those named: a shift and a mask, because it runs several times per
/// packet.
template <Operation... named>
constexpr bool among(Operation operation) {
  constexpr std::uint32_t set = ((1U << static_cast<unsigned>(named)) | ...);
  return (set >> (static_cast<unsigned>(operation) & 0x1f) & 1U) != 0;
}

/// First or only packet of a message, of send or write.
constexpr bool starts_message(Operation operation) {
  using enum Operation;
  return among<send_first, send_only, send_only_with_immediate, send_only_with_invalidate,
               write_first, write_only, write_only_with_immediate>(operation);
}

/// Last or only packet of a message, of send or write.
constexpr bool ends_message(Operation operation) {
  using enum Operation;
  return among<send_last, send_last_with_immediate, send_last_with_invalidate, send_only,
               send_only_with_immediate, send_only_with_invalidate, write_last,
               write_last_with_immediate, write_only, write_only_with_immediate>(operation);
}

/// ImmDt, 4 bytes.
constexpr bool has_immediate(Operation operation) {
  using enum Operation;
  return among<send_last_with_immediate, send_only_with_immediate, write_last_with_immediate,
               write_only_with_immediate>(operation);
}

/// IETH, 4 bytes.
constexpr bool has_invalidate(Operation operation) {
  using enum Operation;
  return among<send_last_with_invalidate, send_only_with_invalidate>(operation);
}

/// RETH, 16 bytes.
constexpr bool has_remote_address(Operation operation) {
  using enum Operation;
  return among<write_first, write_only, write_only_with_immediate, read_request>(operation);
}

/// AtomicETH, 28 bytes.
constexpr bool has_atomic(Operation operation) {
  using enum Operation;
  return among<compare_and_swap, fetch_and_add>(operation);
}

/// AETH, 4 bytes. The middle of a read response has none.
constexpr bool has_acknowledge(Operation operation) {
  using enum Operation;
  return among<read_response_first, read_response_last, read_response_only, acknowledge,
               atomic_acknowledge>(operation);
}

/// AtomicAckETH, 8 bytes.
constexpr bool has_original(Operation operation) {
  return operation == Operation::atomic_acknowledge;
}

/// Sends, writes and read responses: also those whose payload happens to be empty.
constexpr bool has_payload(Operation operation) {
  using enum Operation;
  return !among<read_request, acknowledge, atomic_acknowledge, compare_and_swap, fetch_and_add>(
      operation);
}

inline constexpr std::size_t kBaseBytes = 12;
inline constexpr std::size_t kCongestionReservedBytes = 16;
inline constexpr unsigned kServiceShift = 5;
inline constexpr unsigned kOperationMask = 0x1f;

/// Which operations the specification defines for which service (table 38; 0x15 is RESYNC, of the
/// reliable datagram service, which nobody implements).
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

/// What a packet of an opcode must look like, so that parse() checks once, not for each header.
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
