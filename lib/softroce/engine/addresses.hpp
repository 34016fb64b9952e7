#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "softroce/engine/settings.hpp"
#include "softroce/engine/udp_socket.hpp"
#include "softroce/faults/datagram.hpp"
#include "softroce/wire/address.hpp"

namespace railgauge::softroce {

/// The processes of one host that share an address, and so the UDP port 4791 of it (SO_REUSEPORT).
/// Each has a place, 0 ... 255, which is the high byte of its queue pair numbers. The kernel is
/// asked to choose the socket by that byte; where it chooses wrongly (a process has ended and the
/// others moved up, or packets for two processes came as one), the packet is forwarded. A place is
/// held by binding an abstract socket, so it is free again when the process is gone, however it
/// went.
class Neighbours {
 public:
  /// Takes the lowest free place. Throws std::system_error when all are taken.
  explicit Neighbours(const Address& address);
  ~Neighbours();
  Neighbours(const Neighbours&) = delete;
  Neighbours& operator=(const Neighbours&) = delete;

  unsigned place() const { return place_; }
  /// Lets the kernel choose among the sockets on this address by the queue pair's high byte.
  static void choose_by_queue_pair(int descriptor);

  /// Hands a datagram to the process with the place its queue pair number says. Lost if there is
  /// none.
  void forward(const Datagram& datagram) const;
  /// One that a neighbour handed to us.
  std::optional<Datagram> take();
  int descriptor() const { return descriptor_; }
  void abandon();

 private:
  Address address_;
  int descriptor_ = -1;
  unsigned place_ = 0;
  std::vector<std::byte> buffer_;
};

/// The high byte of the destination queue pair's number; 0 for what is too short to have one.
unsigned place_of(std::span<const std::byte> datagram);

/// A rail's address, taken by binding its RoCE port.
struct Taken {
  Address address;
  UdpSocket socket;
  std::unique_ptr<Neighbours> neighbours{};  ///< null: nobody shares the address
};

/// The address that the settings name, which processes of one user may share; or, on loopback, the
/// first free one of 127.(64+rail).0.0/16: each process gets its own, without configuration or
/// privileges, because binding is atomic. Throws std::runtime_error with a sentence that says what
/// is in the way and how to go on.
Taken take_address(const Settings& settings, int rail);

}  // namespace railgauge::softroce
