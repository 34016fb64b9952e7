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

/// The processes of one host that share an address, and so its UDP port 4791 (SO_REUSEPORT). Each
/// has a place, 0 ... 255, which is the high byte of its queue pair numbers. The kernel selects the
/// socket by that byte; if it selects the wrong one (a process has ended and the others moved up,
/// or packets for two processes were merged), the packet is forwarded. A process holds its place by
/// binding an abstract socket, so the place becomes free however the process ends.
class Neighbours {
 public:
  /// Takes the lowest free place. Throws std::system_error if all are taken.
  explicit Neighbours(const Address& address);
  ~Neighbours();
  Neighbours(const Neighbours&) = delete;
  Neighbours& operator=(const Neighbours&) = delete;

  unsigned place() const { return place_; }
  /// Makes the kernel select among the sockets on this address by the queue pair's high byte.
  static void choose_by_queue_pair(int descriptor);

  /// Hands a datagram to the process in the place that its queue pair number names. Lost if there
  /// is none.
  void forward(const Datagram& datagram) const;
  /// A datagram that a neighbour forwarded to us.
  std::optional<Datagram> take();
  int descriptor() const { return descriptor_; }
  void abandon();

 private:
  /// The bytes of a datagram; 0 if it does not count, negative if there is none.
  ssize_t receive();

  Address address_;
  int descriptor_ = -1;
  unsigned place_ = 0;
  std::vector<std::byte> buffer_;
};

/// The high byte of the destination queue pair's number; 0 if the datagram is too short to have
/// one.
unsigned place_of(std::span<const std::byte> datagram);

/// A rail's address, taken by binding its RoCE port.
struct Taken {
  Address address;
  UdpSocket socket;
  std::unique_ptr<Neighbours> neighbours{};  ///< null: not shared
};

/// The address that the settings name, which processes of one user may share; or, on loopback, the
/// first free one of 127.(64+rail).0.0/16: each process gets its own, without configuration or
/// privileges, because binding is atomic. Throws std::runtime_error with a sentence that says what
/// is wrong and what to do.
Taken take_address(const Settings& settings, int rail);

}  // namespace railgauge::softroce
