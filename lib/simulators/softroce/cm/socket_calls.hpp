#pragma once

#include <sys/socket.h>

#include "softroce/cm/network.hpp"

namespace railgauge::softroce::cm {

// What Sockets and its parts ask the kernel for in more than one place.

inline constexpr int kSocketFlags = SOCK_NONBLOCK | SOCK_CLOEXEC;
/// Connections that the kernel keeps until they are accepted.
inline constexpr int kWaiting = 4096;

void set_option(int descriptor, int level, int option, int value);
std::uint16_t port_of_socket(int descriptor);
/// A socket of this type that is bound to the address; -1 with `error`.
int bound_socket(const Network::Wanted& wanted, std::uint16_t port, int type, int& error);

}  // namespace railgauge::softroce::cm
