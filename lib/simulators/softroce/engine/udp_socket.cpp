#include "softroce/engine/udp_socket.hpp"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <system_error>

namespace railgauge::softroce {

namespace {

// As much as the kernel allows: it takes the smaller of this and net.core.rmem_max, silently.
constexpr int kBufferBytes = 8 * 1024 * 1024;

// RoCEv2 packets that may be marked instead of dropped (RFC 3168: ECT(0)).
constexpr int kEcnCapable = 2;

void set(int descriptor, int level, int option, int value, const char* what) {
  if (setsockopt(descriptor, level, option, &value, sizeof value) != 0) {
    throw std::system_error(errno, std::generic_category(), std::string("setsockopt ") + what);
  }
}

void set_up(int descriptor, bool ipv4) {
  set(descriptor, SOL_SOCKET, SO_RCVBUF, kBufferBytes, "SO_RCVBUF");
  set(descriptor, SOL_SOCKET, SO_SNDBUF, kBufferBytes, "SO_SNDBUF");
  set(descriptor, SOL_SOCKET, SO_RXQ_OVFL, 1, "SO_RXQ_OVFL");
  if (ipv4) {
    set(descriptor, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_DO, "IP_MTU_DISCOVER");
    set(descriptor, IPPROTO_IP, IP_RECVTOS, 1, "IP_RECVTOS");
    set(descriptor, IPPROTO_IP, IP_TOS, kEcnCapable, "IP_TOS");
    set(descriptor, IPPROTO_IP, IP_RECVTTL, 1, "IP_RECVTTL");
    set(descriptor, IPPROTO_IP, IP_TTL, kDefaultHopLimit, "IP_TTL");
  } else {
    set(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, 1, "IPV6_V6ONLY");
    set(descriptor, IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_DO, "IPV6_MTU_DISCOVER");
    set(descriptor, IPPROTO_IPV6, IPV6_RECVTCLASS, 1, "IPV6_RECVTCLASS");
    set(descriptor, IPPROTO_IPV6, IPV6_TCLASS, kEcnCapable, "IPV6_TCLASS");
    set(descriptor, IPPROTO_IPV6, IPV6_RECVHOPLIMIT, 1, "IPV6_RECVHOPLIMIT");
    set(descriptor, IPPROTO_IPV6, IPV6_UNICAST_HOPS, kDefaultHopLimit, "IPV6_UNICAST_HOPS");
  }
  set(descriptor, SOL_UDP, UDP_GRO, 1, "UDP_GRO");
}

}  // namespace

UdpSocket::UdpSocket(const Address& address, std::uint16_t port, bool shared) {
  sockaddr_storage name{};
  const socklen_t length = to_sockaddr(address, port, name);
  descriptor_ = socket(name.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "socket");
  try {
    set_up(descriptor_, is_ipv4(address));
    if (shared) set(descriptor_, SOL_SOCKET, SO_REUSEPORT, 1, "SO_REUSEPORT");
    if (bind(descriptor_, reinterpret_cast<const sockaddr*>(&name), length) != 0) {
      throw std::system_error(errno, std::generic_category(),
                              "bind UDP port " + std::to_string(port) + " of " + to_text(address));
    }
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

UdpSocket::~UdpSocket() {
  abandon();
}

void UdpSocket::abandon() {
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = -1;
}

namespace {

unsigned mtu_of(const char* name) {
  const int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ifreq request{};
  std::strncpy(request.ifr_name, name, sizeof request.ifr_name - 1);
  const bool known = any >= 0 && ioctl(any, SIOCGIFMTU, &request) == 0;
  if (any >= 0) close(any);
  return known ? static_cast<unsigned>(request.ifr_mtu) : 0;
}

double speed_of(const std::string& name) {
  const std::string folder = "/sys/class/net/" + name;
  std::error_code none;
  if (!std::filesystem::exists(folder + "/device", none)) return 0;
  double mbit_per_s = 0;  // -1 where the driver does not know
  std::ifstream(folder + "/speed") >> mbit_per_s;
  return std::max(mbit_per_s, 0.0) * 1e6;
}

// 127.64.0.1 is lo's although lo lists only 127.0.0.1: the whole /8 is.
bool has(const ifaddrs& entry, const Address& address) {
  const int family = entry.ifa_addr == nullptr ? AF_UNSPEC : entry.ifa_addr->sa_family;
  if (family != AF_INET && family != AF_INET6) return false;
  sockaddr_storage name{};
  std::memcpy(&name, entry.ifa_addr,
              family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6));
  const Address listed = from_sockaddr(name);
  const bool both_loopback =
      is_ipv4(address) && is_ipv4(listed) && address.bytes[12] == 127 && listed.bytes[12] == 127;
  return both_loopback || listed == address;
}

}  // namespace

Interface interface_of(const Address& address) {
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) {
    throw std::system_error(errno, std::generic_category(), "getifaddrs");
  }
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owner(list, freeifaddrs);
  for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next) {
    if (!has(*entry, address)) continue;
    Interface found;
    std::strncpy(found.name, entry->ifa_name, sizeof found.name - 1);
    found.index = if_nametoindex(entry->ifa_name);
    found.up = (entry->ifa_flags & IFF_UP) != 0;
    found.mtu = mtu_of(entry->ifa_name);
    found.bits_per_second = speed_of(entry->ifa_name);
    return found;
  }
  return {};
}

}  // namespace railgauge::softroce
