#pragma once

#include <memory>

#include "softroce/engine/neighbours.hpp"
#include "softroce/engine/settings.hpp"
#include "softroce/engine/udp_socket.hpp"

namespace railgauge::softroce {

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
