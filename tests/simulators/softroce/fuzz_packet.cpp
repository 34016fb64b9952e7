// libFuzzer's view of a device's input: whatever comes in a UDP datagram must be refused, or read
// such that writing it again gives the same bytes. Build: clang++
// -fsanitize=fuzzer,address,undefined.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "softroce/wire/icrc.hpp"
#include "softroce/wire/packet.hpp"

namespace railgauge::softroce {
namespace {

using Bytes = std::vector<std::byte>;

void require(bool condition) {
  if (!condition) std::abort();
}

/// What Packet does not keep: MigReq, FECN and reserved bits of the BTH, those of the DETH and of a
/// congestion notification, and what padding consists of.
void clear_what_is_not_kept(const Packet& packet, std::size_t padding_bytes, Bytes& bytes) {
  const auto keep = [&bytes](std::size_t at, unsigned mask) {
    bytes[at] &= static_cast<std::byte>(mask);
  };
  keep(1, 0xbf);
  keep(4, 0x40);
  keep(8, 0x80);
  if (packet.service == Service::datagram) keep(16, 0x00);
  if (is_congestion_notification(packet)) std::fill(bytes.begin() + 12, bytes.end(), std::byte{});
  std::fill(bytes.end() - static_cast<std::ptrdiff_t>(padding_bytes), bytes.end(), std::byte{});
}

Bytes written(const Packet& packet) {
  Bytes bytes(kMaxHeaderBytes);
  const std::size_t size = write_headers(packet, packet.payload.size(), bytes.data());
  require(size <= kMaxHeaderBytes);
  bytes.resize(size);
  bytes.insert(bytes.end(), packet.payload.begin(), packet.payload.end());
  bytes.resize(bytes.size() + padding(packet.payload.size()));
  return bytes;
}

void compare(const Bytes& read) {
  const auto packet = parse(read);
  if (!packet) return;
  const std::size_t padding_bytes = padding(packet->payload.size());
  Bytes again = written(*packet);
  Bytes kept = read;
  require(again.size() == kept.size());
  clear_what_is_not_kept(*packet, padding_bytes, kept);
  clear_what_is_not_kept(*packet, padding_bytes, again);
  require(again == kept);
}

void check_sums(Bytes datagram, const Envelope& envelope) {
  verify_icrc(envelope, datagram);
  if (datagram.size() < 16) return;
  const iovec covered{datagram.data(), datagram.size() - 4};
  const std::uint32_t sum = icrc(envelope, {&covered, 1});
  for (unsigned at = 0; at < 4; ++at) {
    datagram[datagram.size() - 4 + at] = static_cast<std::byte>(sum >> 8 * at);
  }
  Envelope other = envelope;  // as seen by a receiver, to whom the identification is not shown
  other.identification = 0;
  require(verify_icrc(envelope, datagram) == envelope.identification);
  require(!is_ipv4(envelope.destination) ||
          verify_icrc(other, datagram) == envelope.identification);
}

}  // namespace
}  // namespace railgauge::softroce

// libFuzzer prescribes the name. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railgauge::softroce;
  // A copy of exactly this size, so that the address sanitizer sees a read beyond it.
  const auto* const first = reinterpret_cast<const std::byte*>(data);
  const Bytes bytes(first, first + size);
  compare(bytes);
  const auto identification = static_cast<std::uint16_t>(size > 1 ? data[0] * 251 + data[1] : 0);
  check_sums(bytes, {ipv4(0x7f400001), ipv4(0x7f400002), 4791, identification});
  check_sums(bytes, {parse_address("fd00::1").value(), parse_address("fd00::2").value(), 1, 0});
  return 0;
}
