#include <array>

#include "softfabric/counters.hpp"

namespace railgauge::softfabric {

std::string_view name_of(Drop drop) {
  constexpr std::array<std::string_view, kDrops> kNames{
      "buffer_full", "headroom_full", "nic_full", "no_route", "ttl_expired", "too_large",
      "malformed",   "link_down",     "fault",    "watchdog", "reboot",      "no_memory"};
  return kNames[static_cast<std::size_t>(drop)];
}

}  // namespace railgauge::softfabric
