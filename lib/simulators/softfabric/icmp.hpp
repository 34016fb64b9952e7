#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace railgauge::softfabric {

/// Writes the frame of an ICMP "time exceeded in transit" (RFC 792) from a switch's address to the
/// sender of an IPv4 frame, with as much of that as 576 bytes hold (RFC 1812, 4.3.2.3). MAC
/// addresses are left to whoever sends it. `room` has at least 590 bytes. Returns how many it took.
std::size_t write_time_exceeded(std::span<const std::byte> expired, std::uint32_t from,
                                std::span<std::byte> room);

}  // namespace railgauge::softfabric
