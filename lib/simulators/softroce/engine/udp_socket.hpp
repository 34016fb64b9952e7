#pragma once

// lib/simulators/softroce/engine moves packets between ports and the kernel: sockets, faults, the
// thread. It must not know the protocol, which is lib/simulators/softroce/device's.

#include <cstdint>

#include "softroce/wire/address.hpp"

namespace railgauge::softroce {

/// A UDP socket bound to one address, set up so that the ICRC of what it sends can be computed: it
/// is never connected and never fragments, so Linux gives each datagram identification 0, and the
/// k-th segment of a UDP_SEGMENT send identification k.
class UdpSocket {
 public:
  /// `shared`: other processes of this user may bind the same address, if all set it
  /// (SO_REUSEPORT).
  /// Throws std::system_error that names the address: EADDRINUSE, EADDRNOTAVAIL, ...
  UdpSocket(const Address& address, std::uint16_t port, bool shared = false);
  ~UdpSocket();
  UdpSocket(UdpSocket&& other) noexcept : descriptor_(other.descriptor_) { other.descriptor_ = -1; }
  UdpSocket& operator=(UdpSocket&&) = delete;
  UdpSocket(const UdpSocket&) = delete;
  UdpSocket& operator=(const UdpSocket&) = delete;

  int descriptor() const { return descriptor_; }
  /// In a child process after fork(): the address stays the parent's.
  void abandon();

 private:
  int descriptor_ = -1;
};

/// The interface that has an address: its name ("lo"), index, MTU and speed.
struct Interface {
  char name[16] = "";
  unsigned index = 0;
  unsigned mtu = 0;
  bool up = false;
  /// Of its link, as a NIC's driver knows it; 0: nobody does. What has no hardware behind it, as a
  /// veth, says what comes to mind, so that does not count.
  double bits_per_second = 0;
};
/// Throws std::system_error if this process cannot look.
Interface interface_of(const Address& address);

}  // namespace railgauge::softroce
