#include "softroce/wire/packet.hpp"

#include <array>

#include "softroce/wire/big_endian.hpp"
#include "softroce/wire/opcode.hpp"

namespace railgauge::softroce {
namespace {

// The base transport header (InfiniBand volume 1, section 9.2) as three words:
//   opcode 8 | solicited 1 | MigReq 1 | pad count 2 | transport version 4 | partition key 16
//   FECN 1 | BECN 1 | reserved 6 | destination queue pair 24
//   ack request 1 | reserved 7 | packet sequence number 24
constexpr unsigned kOpcodeShift = 24;
constexpr unsigned kPadShift = 20;
constexpr std::uint32_t kSolicited = 1U << 23;
constexpr std::uint32_t kMigrated = 1U << 22;
constexpr std::uint32_t kVersionMask = 0xfU << 16;
constexpr std::uint32_t kBackwardEcn = 1U << 30;
constexpr std::uint32_t kAckRequest = 1U << 31;

unsigned opcode_of(const Packet& packet) {
  if (is_congestion_notification(packet)) return kCongestionNotification;
  return static_cast<unsigned>(packet.service) << kServiceShift |
         static_cast<unsigned>(packet.operation);
}

/// MigReq is one, as of every queue pair whose path is not being migrated (section 17.2.8), and
/// rdma_rxe accepts it; annex A17.9.3 has it zero in congestion notifications.
void write_base(const Packet& packet, std::size_t payload_bytes, Writer& out) {
  const std::uint32_t first =
      opcode_of(packet) << kOpcodeShift | (is_congestion_notification(packet) ? 0 : kMigrated) |
      (packet.solicited ? kSolicited : 0) |
      static_cast<std::uint32_t>(padding(payload_bytes)) << kPadShift | packet.partition;
  out.number(first);
  out.number((packet.backward_ecn ? kBackwardEcn : 0) | (packet.queue_pair & kMask24));
  out.number((packet.ack_request ? kAckRequest : 0) | (packet.psn & kMask24));
}

void write_operation_headers(const Packet& packet, Writer& out) {
  if (has_remote_address(packet.operation)) {
    out.number(packet.remote_address);
    out.number(packet.remote_key);
    out.number(packet.dma_length);
  } else if (has_atomic(packet.operation)) {
    out.number(packet.remote_address);
    out.number(packet.remote_key);
    out.number(packet.swap_or_add);
    out.number(packet.compare);
  } else if (has_acknowledge(packet.operation)) {
    out.number(std::uint32_t{packet.syndrome} << 24 | (packet.message_number & kMask24));
    if (has_original(packet.operation)) out.number(packet.original);
  }
  if (has_immediate(packet.operation)) out.bytes(&packet.immediate, sizeof packet.immediate);
  if (has_invalidate(packet.operation)) out.number(packet.invalidate_key);
}

void read_operation_headers(Reader& in, Packet& packet) {
  if (has_remote_address(packet.operation)) {
    packet.remote_address = in.number<std::uint64_t>();
    packet.remote_key = in.number<std::uint32_t>();
    packet.dma_length = in.number<std::uint32_t>();
  } else if (has_atomic(packet.operation)) {
    packet.remote_address = in.number<std::uint64_t>();
    packet.remote_key = in.number<std::uint32_t>();
    packet.swap_or_add = in.number<std::uint64_t>();
    packet.compare = in.number<std::uint64_t>();
  } else if (has_acknowledge(packet.operation)) {
    const auto acknowledge = in.number<std::uint32_t>();
    packet.syndrome = static_cast<std::uint8_t>(acknowledge >> 24);
    packet.message_number = acknowledge & kMask24;
    if (has_original(packet.operation)) packet.original = in.number<std::uint64_t>();
  }
  if (has_immediate(packet.operation)) in.bytes(&packet.immediate, sizeof packet.immediate);
  if (has_invalidate(packet.operation)) packet.invalidate_key = in.number<std::uint32_t>();
}

void read_base(std::uint32_t first, Reader& in, Packet& packet) {
  packet.service = static_cast<Service>(first >> (kOpcodeShift + kServiceShift));
  packet.operation = static_cast<Operation>(first >> kOpcodeShift & kOperationMask);
  packet.solicited = (first & kSolicited) != 0;
  packet.partition = static_cast<std::uint16_t>(first);
  const auto second = in.number<std::uint32_t>();
  packet.backward_ecn = (second & kBackwardEcn) != 0;
  packet.queue_pair = second & kMask24;
  const auto third = in.number<std::uint32_t>();
  packet.ack_request = (third & kAckRequest) != 0;
  packet.psn = third & kMask24;
}

}  // namespace

std::size_t write_headers(const Packet& packet, std::size_t payload_bytes, std::byte* out) {
  Writer writer(out);
  write_base(packet, payload_bytes, writer);
  if (is_congestion_notification(packet)) {
    constexpr std::array<std::byte, kCongestionReservedBytes> kReserved{};
    writer.bytes(kReserved.data(), kReserved.size());
  } else {
    if (packet.service == Service::datagram) {
      writer.number(packet.queue_key);
      writer.number(packet.source_queue_pair & kMask24);
    }
    write_operation_headers(packet, writer);
  }
  return static_cast<std::size_t>(writer.end() - out);
}

std::optional<Packet> parse(std::span<const std::byte> datagram) {
  std::optional<Packet> parsed;
  if (datagram.size() < kBaseBytes || datagram.size() % 4 != 0) return parsed;
  Reader in(datagram.data());
  const auto first = in.number<std::uint32_t>();
  const Layout layout = kLayouts[first >> kOpcodeShift];
  const std::size_t pad = first >> kPadShift & 3;
  if (layout.header_bytes == 0 || (first & kVersionMask) != 0) return parsed;
  if (datagram.size() < layout.header_bytes + pad) return parsed;
  const std::size_t body = datagram.size() - layout.header_bytes;
  if (body != 0 && !layout.payload) return parsed;

  Packet& packet = parsed.emplace();
  read_base(first, in, packet);
  if (packet.service == Service::datagram) {
    packet.queue_key = in.number<std::uint32_t>();
    packet.source_queue_pair = in.number<std::uint32_t>() & kMask24;
  }
  if (!is_congestion_notification(packet)) read_operation_headers(in, packet);
  packet.payload = datagram.subspan(layout.header_bytes, body - pad);
  return parsed;
}

}  // namespace railgauge::softroce
