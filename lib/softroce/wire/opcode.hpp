#pragma once

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

/// Whether an operation is among those named: a shift and a mask, since this is asked several times
/// for each packet.
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

}  // namespace railgauge::softroce
