#pragma once

// lib/simulators/softroce is a RoCEv2 device in user space: verbs on one side, UDP datagrams on the
// other. It must not know anything of railgauge: it is a shared library that any verbs program can
// load. lib/simulators/softroce/wire holds what goes over the wire, and must not know queue pairs
// or verbs.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "softroce/wire/opcode.hpp"

namespace railgauge::softroce {

/// The UDP destination port of RoCEv2 (IANA; InfiniBand volume 1, annex A17).
inline constexpr std::uint16_t kRocePort = 4791;

/// Packet sequence numbers and queue pair numbers are 24 bits wide.
inline constexpr std::uint32_t kMask24 = 0xffffff;

/// One packet, without addresses and without ICRC: the base transport header and the extended
/// headers its operation has. write_headers() ignores the fields of headers that it lacks, and
/// parse() zeroes them. Numbers are in host order; immediate data is opaque and stays in network
/// order, as verbs hand it over. There are no fields for MigReq and FECN: see packet.cpp.
struct Packet {
  Service service = Service::reliable;
  Operation operation = Operation::send_only;
  bool solicited = false;  ///< the event bit
  bool ack_request = false;
  bool backward_ecn = false;  ///< the BECN bit, set in CNPs
  std::uint16_t partition = 0xffff;
  std::uint32_t queue_pair = 0;  ///< of the destination
  std::uint32_t psn = 0;

  std::uint64_t remote_address = 0;     ///< RETH and AtomicETH
  std::uint32_t remote_key = 0;         ///< RETH and AtomicETH
  std::uint32_t dma_length = 0;         ///< RETH: bytes of the whole message
  std::uint64_t swap_or_add = 0;        ///< AtomicETH
  std::uint64_t compare = 0;            ///< AtomicETH
  std::uint8_t syndrome = 0;            ///< AETH
  std::uint32_t message_number = 0;     ///< AETH, 24 bits
  std::uint64_t original = 0;           ///< AtomicAckETH: the value before the operation
  std::uint32_t queue_key = 0;          ///< DETH
  std::uint32_t source_queue_pair = 0;  ///< DETH
  std::uint32_t immediate = 0;          ///< ImmDt, network order
  std::uint32_t invalidate_key = 0;     ///< IETH

  std::span<const std::byte>
      payload{};  ///< without padding; after parse(): a view into the datagram
};

/// True for a congestion notification packet, which has no operation of its own.
inline bool is_congestion_notification(const Packet& packet) {
  return packet.service == Service::congestion;
}

/// The longest run of headers: BTH 12, DETH 8, RETH 16 or AtomicETH 28, ImmDt 4.
inline constexpr std::size_t kMaxHeaderBytes = 48;
inline constexpr std::size_t kIcrcBytes = 4;

/// Zero bytes that follow a payload of this size, so that a packet is a multiple of 4.
constexpr std::size_t padding(std::size_t payload_bytes) {
  return (4 - payload_bytes % 4) % 4;
}

/// Writes BTH and extended headers to `out` (space for kMaxHeaderBytes) and returns their size. The
/// pad count is computed from `payload_bytes`; packet.payload is ignored. For a congestion
/// notification the operation is ignored, and the 16 reserved bytes are written as well.
std::size_t write_headers(const Packet& packet, std::size_t payload_bytes, std::byte* out);

/// Reads a UDP payload without its ICRC. Returns nothing if it is too short for its opcode's
/// headers; if opcode, service or transport version is unknown; if the specification does not
/// define this combination of service and operation; if it has more padding than payload, or
/// payload where none belongs; or if its size is not a multiple of 4. So every packet has one form:
/// writing headers, payload and padding() again gives the same bytes except for reserved bits,
/// MigReq and FECN. `operation` is meaningless for a congestion notification. Never reads outside
/// `datagram`, whatever it contains.
std::optional<Packet> parse(std::span<const std::byte> datagram);

}  // namespace railgauge::softroce
