#pragma once

#include <cstdint>
#include <memory>

#include "softroce/cm/message.hpp"

namespace railgauge::softroce::cm {

/// The number of an identifier, as a program knows it.
using Id = std::uint32_t;
inline constexpr Id kNoId = 0xffffffff;

/// A port number that is an identifier's until this is destroyed.
class Port {
 public:
  virtual ~Port() = default;
  virtual std::uint16_t number() const = 0;
};

/// One connection's messages to and from its peer. Destroying it ends it; what was sent before
/// still arrives.
class Link {
 public:
  virtual ~Link() = default;
  virtual void send(const Message& message) = 0;
  /// Who is told of what arrives from now on.
  virtual void belongs_to(Id id) = 0;
};

/// What the connection manager needs of the world. Nothing waits.
class Network {
 public:
  virtual ~Network() = default;
  /// Takes a port number in the identifier's port space; 0: any free one. `error`, if it returns
  /// null: EADDRINUSE, EADDRNOTAVAIL, EACCES ...
  struct Wanted {
    Endpoint at;
    bool datagrams = false;  ///< RDMA_PS_UDP or RDMA_PS_IPOIB, not RDMA_PS_TCP or RDMA_PS_IB
    bool shared = false;     ///< RDMA_OPTION_ID_REUSEADDR
    bool only_ipv6 = false;  ///< RDMA_OPTION_ID_AFONLY
  };
  virtual std::unique_ptr<Port> take(const Wanted& wanted, int& error) = 0;
  /// Requests to this port go to the identifier from now on. Returns errno.
  virtual int listen(Port& port, Id listener) = 0;
  /// The listener has room for requests again.
  virtual void resume(Id listener) = 0;
  /// Begins to connect an identifier that has this port; what is sent meanwhile is kept.
  virtual std::unique_ptr<Link> connect(Id id, Port& port, const Endpoint& to) = 0;
  /// The address of this host that packets to `to` leave from; a family of 0: there is no route.
  virtual Endpoint source_for(const Endpoint& to) = 0;
};

}  // namespace railgauge::softroce::cm
