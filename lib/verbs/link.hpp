#pragma once

#include <infiniband/verbs.h>

#include <string_view>

namespace railgauge::verbs {

/// A port's state in words: "active", "down", "initialising" ...
std::string_view words(ibv_port_state state);

/// "Ethernet", "InfiniBand" or "unspecified", from ibv_port_attr::link_layer.
std::string_view link_layer_words(int link_layer);

/// Bytes of payload per packet: IBV_MTU_4096 is 4096. 0 for a code that is none.
int mtu_bytes(ibv_mtu mtu);

/// The largest verbs MTU of at most `bytes`. Below 256 there is none, and 256 is returned.
ibv_mtu mtu_code(int bytes);

/// Link speed in Gb/s from the codes of ibv_port_attr::active_speed and active_width (ib_verbs.h of
/// the kernel, enums ib_port_speed and ib_port_width). 0 for a code that is none.
double link_gbps(int speed_code, int width_code);

/// Link speed from the text of /sys/class/infiniband/<device>/ports/<n>/rate, "400 Gb/sec (4X
/// NDR)". 0 when it is not such a text.
double link_gbps(std::string_view sysfs_rate);

}  // namespace railgauge::verbs
