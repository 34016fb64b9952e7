#include "verbs/link.hpp"

#include <algorithm>
#include <charconv>

namespace railgauge::verbs {

std::string_view words(ibv_port_state state) {
  switch (state) {
    case IBV_PORT_NOP: return "no change";
    case IBV_PORT_DOWN: return "down";
    case IBV_PORT_INIT: return "initialising";
    case IBV_PORT_ARMED: return "armed, not active";
    case IBV_PORT_ACTIVE: return "active";
    case IBV_PORT_ACTIVE_DEFER: return "active, deferred";
  }
  return "in an unknown state";
}

std::string_view link_layer_words(int link_layer) {
  if (link_layer == IBV_LINK_LAYER_ETHERNET) return "Ethernet";
  if (link_layer == IBV_LINK_LAYER_INFINIBAND) return "InfiniBand";
  return "unspecified";
}

int mtu_bytes(ibv_mtu mtu) {
  const bool known = mtu >= IBV_MTU_256 && mtu <= IBV_MTU_4096;
  return known ? 128 << static_cast<int>(mtu) : 0;
}

ibv_mtu mtu_code(int bytes) {
  for (const ibv_mtu mtu : {IBV_MTU_4096, IBV_MTU_2048, IBV_MTU_1024, IBV_MTU_512}) {
    if (mtu_bytes(mtu) <= bytes) return mtu;
  }
  return IBV_MTU_256;
}

namespace {

double lane_gbps(int speed_code) {
  switch (speed_code) {
    case 1: return 2.5;       // SDR
    case 2: return 5;         // DDR
    case 4: return 10;        // QDR
    case 8: return 10.3125;   // FDR10
    case 16: return 14.0625;  // FDR
    case 32: return 25;       // EDR
    case 64: return 50;       // HDR
    case 128: return 100;     // NDR
    case 256: return 200;     // XDR
    default: return 0;
  }
}

int lanes(int width_code) {
  switch (width_code) {
    case 1: return 1;
    case 2: return 4;
    case 4: return 8;
    case 8: return 12;
    case 16: return 2;
    default: return 0;
  }
}

}  // namespace

double link_gbps(int speed_code, int width_code) {
  return lane_gbps(speed_code) * lanes(width_code);
}

double link_gbps(std::string_view sysfs_rate) {
  double rate = 0;
  const auto end = sysfs_rate.data() + sysfs_rate.size();
  const auto [rest, error] = std::from_chars(sysfs_rate.data(), end, rate);
  const bool is_rate = error == std::errc{} && std::string_view(rest, end).starts_with(" Gb/sec");
  return is_rate ? rate : 0;
}

}  // namespace railgauge::verbs
