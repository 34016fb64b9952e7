#include "softroce/cm/socket_calls.hpp"

#include <netinet/in.h>
#include <unistd.h>

#include <cerrno>

namespace railgauge::softroce::cm {

void set_option(int descriptor, int level, int option, int value) {
  setsockopt(descriptor, level, option, &value, sizeof value);
}

std::uint16_t port_of_socket(int descriptor) {
  sockaddr_storage name{};
  socklen_t length = sizeof name;
  if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&name), &length) != 0) return 0;
  return port_of(name);
}

int bound_socket(const Network::Wanted& wanted, std::uint16_t port, int type, int& error) {
  sockaddr_storage name{};
  const socklen_t length = to_sockaddr(wanted.at.address, port, name);
  const int descriptor = socket(name.ss_family, type | kSocketFlags, 0);
  if (descriptor >= 0) {
    if (wanted.shared || type == SOCK_STREAM) set_option(descriptor, SOL_SOCKET, SO_REUSEADDR, 1);
    if (name.ss_family == AF_INET6) {
      set_option(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, wanted.only_ipv6 ? 1 : 0);
    }
    if (bind(descriptor, reinterpret_cast<const sockaddr*>(&name), length) == 0) return descriptor;
  }
  error = errno;
  if (descriptor >= 0) close(descriptor);
  return -1;
}

}  // namespace railgauge::softroce::cm
