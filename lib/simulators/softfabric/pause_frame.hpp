#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace railgauge::softfabric {

inline constexpr std::size_t kPriorities = 8;
inline constexpr std::size_t kPauseFrameBytes = 60;  ///< without the FCS
inline constexpr std::uint16_t kLongestPause = 0xffff;

/// Priority flow control (IEEE 802.1Qbb): for how long a sender must not send a priority, in quanta
/// of 512 bit times of the link. 0 lets it go on; priorities without a number are not concerned.
using Pause = std::array<std::optional<std::uint16_t>, kPriorities>;

/// The MAC control frame, from a port with this MAC address.
std::array<std::byte, kPauseFrameBytes> pause_frame(const Pause& pause, const std::byte* source);

/// What a frame says; nothing if it is no such frame.
std::optional<Pause> parse_pause(std::span<const std::byte> frame);

std::chrono::nanoseconds duration_of(std::uint16_t quanta, double bits_per_second);

}  // namespace railgauge::softfabric
