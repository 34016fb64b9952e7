#include "softroce/shortcut/greeting.hpp"

#include "softroce/wire/big_endian.hpp"
#include "softroce/wire/layout.hpp"

namespace railgauge::softroce {

namespace {

constexpr unsigned kOpcode = 0xc0;
constexpr auto kService = static_cast<Service>(kOpcode >> kServiceShift);
// "SRS" and the number of this layout: whoever has another one is met on the wire.
constexpr std::uint32_t kLayout = 0x53525301;

}  // namespace

Packet greeting_headers(const Greeting& greeting) {
  return {.service = kService,
          .operation = static_cast<Operation>(kOpcode & kOperationMask),
          .queue_pair = greeting.queue_pair};
}

std::array<std::byte, kGreetingBytes> greeting_payload(const Greeting& greeting) {
  std::array<std::byte, kGreetingBytes> bytes{};
  Writer out(bytes.data());
  out.number(kLayout);
  out.number(std::uint32_t{greeting.asks});
  out.number(greeting.sender);
  out.number(greeting.process);
  out.number(greeting.table);
  out.bytes(greeting.cookie.data(), greeting.cookie.size());
  return bytes;
}

std::optional<Greeting> read_greeting(std::span<const std::byte> datagram) {
  if (datagram.size() != kBaseBytes + kGreetingBytes) return {};
  if (datagram[0] != std::byte{kOpcode}) return {};
  Greeting greeting;
  Reader base(datagram.data() + 4);
  greeting.queue_pair = base.number<std::uint32_t>() & kMask24;
  Reader in(datagram.data() + kBaseBytes);
  if (in.number<std::uint32_t>() != kLayout) return {};
  greeting.asks = in.number<std::uint32_t>() != 0;
  greeting.sender = in.number<std::uint32_t>();
  greeting.process = in.number<std::uint32_t>();
  greeting.table = in.number<std::uint64_t>();
  in.bytes(greeting.cookie.data(), greeting.cookie.size());
  return greeting;
}

}  // namespace railgauge::softroce
