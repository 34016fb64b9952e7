#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace railgauge::softroce {

inline constexpr std::size_t kPriorities = 8;
inline constexpr std::uint16_t kMacControl = 0x8808;  ///< EtherType

/// For how long a priority must not be sent, in quanta of 512 bit times; 0 lets it go on.
/// Priorities without a number are not concerned.
using PauseQuanta = std::array<std::optional<std::uint16_t>, kPriorities>;

/// Reads an Ethernet frame of priority flow control (IEEE 802.1Qbb); nothing if it is none.
std::optional<PauseQuanta> parse_pause(std::span<const std::byte> frame);

}  // namespace railgauge::softroce
