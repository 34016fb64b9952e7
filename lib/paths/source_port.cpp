#include "paths/source_port.hpp"

#include <stdexcept>
#include <string>

namespace railgauge::paths {
namespace {

constexpr std::uint32_t kLowBits = 14;
constexpr std::uint32_t kLowMask = (1U << kLowBits) - 1;
constexpr std::uint32_t kLabelMask = 0xfffff;

}  // namespace

std::uint16_t port_of_flow_label(std::uint32_t flow_label) {
  const std::uint32_t label = flow_label & kLabelMask;
  return static_cast<std::uint16_t>(((label & kLowMask) ^ label >> kLowBits) | kFirstSourcePort);
}

std::uint32_t flow_label_of_port(std::uint16_t port) {
  if (port < kFirstSourcePort) {
    throw std::invalid_argument("no flow label makes a queue pair send from port " +
                                std::to_string(port) + ": these are from " +
                                std::to_string(kFirstSourcePort) + " to 65535");
  }
  const std::uint32_t low = port & kLowMask;
  return low != 0 ? low : 1U << kLowBits | 1U;
}

}  // namespace railgauge::paths
