#include "softfabric/pause_frame.hpp"

#include <algorithm>
#include <cmath>

#include "softfabric/headers.hpp"

namespace railgauge::softfabric {
namespace {

constexpr std::uint16_t kMacControl = 0x8808;
constexpr std::uint16_t kPriorityFlowControl = 0x0101;
constexpr std::array<std::byte, 6> kDestination{std::byte{0x01}, std::byte{0x80}, std::byte{0xc2},
                                                std::byte{0x00}, std::byte{0x00}, std::byte{0x01}};
constexpr std::size_t kOpcodeAt = kEthernetBytes;
constexpr std::size_t kEnabledAt = kOpcodeAt + 2;
constexpr std::size_t kTimesAt = kEnabledAt + 2;
constexpr double kQuantumBits = 512;

}  // namespace

std::array<std::byte, kPauseFrameBytes> pause_frame(const Pause& pause, const std::byte* source) {
  std::array<std::byte, kPauseFrameBytes> frame{};
  set_mac_addresses(frame, kDestination.data(), source);
  write_16(&frame[12], kMacControl);
  write_16(&frame[kOpcodeAt], kPriorityFlowControl);
  unsigned enabled = 0;
  for (std::size_t priority = 0; priority < kPriorities; ++priority) {
    if (!pause[priority]) continue;
    enabled |= 1U << priority;
    write_16(&frame[kTimesAt + 2 * priority], *pause[priority]);
  }
  write_16(&frame[kEnabledAt], static_cast<std::uint16_t>(enabled));
  return frame;
}

std::optional<Pause> parse_pause(std::span<const std::byte> frame) {
  std::optional<Pause> pause;
  if (frame.size() < kTimesAt + 2 * kPriorities || ether_type(frame) != kMacControl) return pause;
  if (read_16(&frame[kOpcodeAt]) != kPriorityFlowControl) return pause;
  const unsigned enabled = read_16(&frame[kEnabledAt]);
  pause.emplace();
  for (std::size_t priority = 0; priority < kPriorities; ++priority) {
    if ((enabled >> priority & 1U) == 0) continue;
    (*pause)[priority] = read_16(&frame[kTimesAt + 2 * priority]);
  }
  return pause;
}

std::chrono::nanoseconds duration_of(std::uint16_t quanta, double bits_per_second) {
  return std::chrono::nanoseconds(std::llround(quanta * kQuantumBits * 1e9 / bits_per_second));
}

}  // namespace railgauge::softfabric
