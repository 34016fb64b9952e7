#include "softroce/wire/pause_frame.hpp"

#include "softroce/wire/big_endian.hpp"

namespace railgauge::softroce {
namespace {

constexpr std::size_t kMacAddressesBytes = 12;
constexpr std::size_t kFrameBytes = kMacAddressesBytes + 2 + 2 + 2 + 2 * kPriorities;
constexpr std::uint16_t kPriorityFlowControl = 0x0101;

}  // namespace

std::optional<PauseQuanta> parse_pause(std::span<const std::byte> frame) {
  std::optional<PauseQuanta> quanta;
  if (frame.size() < kFrameBytes) return quanta;
  Reader reader(frame.data() + kMacAddressesBytes);
  const auto type = reader.number<std::uint16_t>();
  const auto operation = reader.number<std::uint16_t>();
  if (type != kMacControl || operation != kPriorityFlowControl) return quanta;
  const unsigned enabled = reader.number<std::uint16_t>();
  quanta.emplace();
  for (std::size_t priority = 0; priority < kPriorities; ++priority) {
    const auto time = reader.number<std::uint16_t>();
    if ((enabled >> priority & 1U) != 0) (*quanta)[priority] = time;
  }
  return quanta;
}

}  // namespace railgauge::softroce
