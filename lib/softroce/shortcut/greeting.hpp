#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "softroce/shortcut/table.hpp"
#include "softroce/wire/packet.hpp"

namespace railgauge::softroce {

/// What a process tells the one at the other end of a queue pair: where its table is. It is a
/// packet with the first of the opcodes that are a manufacturer's own (InfiniBand volume 1, table
/// 38: 0xc0 ... 0xff), which everybody else drops.
struct Greeting {
  bool asks = true;              ///< for an answer
  std::uint32_t queue_pair = 0;  ///< to whom
  std::uint32_t sender = 0;      ///< the number of the sender's queue pair
  std::uint32_t process = 0;
  std::uint64_t table = 0;
  Cookie cookie{};
};

inline constexpr std::size_t kGreetingBytes = 4 + 4 + 4 + 4 + 8 + sizeof(Cookie);

/// The packet's headers, and what follows them.
Packet greeting_headers(const Greeting& greeting);
std::array<std::byte, kGreetingBytes> greeting_payload(const Greeting& greeting);

/// Of a datagram without its ICRC. Nothing for any other packet.
std::optional<Greeting> read_greeting(std::span<const std::byte> datagram);

}  // namespace railgauge::softroce
