#pragma once

#include <map>

#include "softroce/cm/manager.hpp"

namespace railgauge::softroce::cm {

/// Connections over TCP. An identifier's port number is that of a UDP socket, which tells who asks
/// on which TCP port the listener really is; so programs may have TCP servers on the same numbers,
/// as with hardware. For RDMA_PS_UDP it is the other way round: the number is a TCP socket's, and
/// the program may have a UDP socket of that number (rsockets do). Either way the kernel knows who
/// has which number on which address, and tells when a peer's process ends.
class Sockets final : public Network {
 public:
  Sockets();  ///< Throws std::system_error.
  ~Sockets() override;
  Sockets(const Sockets&) = delete;
  Sockets& operator=(const Sockets&) = delete;

  std::unique_ptr<Port> take(const Wanted& wanted, int& error) override;
  int listen(Port& port, Id listener) override;
  void resume(Id listener) override;
  std::unique_ptr<Link> connect(Id id, Port& port, const Endpoint& to) override;
  Endpoint source_for(const Endpoint& to) override;

  Manager* manager = nullptr;  ///< who is told
  Time now{};

  /// Readable when handle() has something to do.
  int descriptor() const { return descriptor_; }
  /// Does what there is to do, without waiting, up to a bound.
  void handle();
  void on_time();
  Time next_deadline() const;
  /// In a child process after fork(): everything stays the parent's.
  void abandon();

  /// A socket that is watched.
  class Watched {
   public:
    Watched(Sockets& sockets, int descriptor, unsigned events);
    virtual ~Watched();
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

    /// May destroy the object.
    virtual void on_ready(unsigned events) = 0;
    virtual void on_time() {}
    int descriptor() const { return descriptor_; }
    std::uint64_t serial() const { return serial_; }
    Time deadline = Time::max();

   protected:
    void watch(unsigned events) const;
    /// Another socket in the place of this one, which it closes.
    void replace(int descriptor, unsigned events);
    Sockets& sockets_;

   private:
    friend class Sockets;
    int descriptor_;
    std::uint64_t serial_;
  };

 private:
  class Held;
  class StreamPort;
  class DatagramPort;
  class Acceptor;
  class Connection;

  void welcome(int descriptor, Id listener);
  void hand_over(std::uint64_t serial, const Message& message);

  int descriptor_;
  std::uint64_t next_serial_ = 0;
  std::map<std::uint64_t, Watched*> watched_;
  /// Those that have connected to a listener and are not an identifier's yet.
  std::map<std::uint64_t, std::unique_ptr<Connection>> strangers_;
};

}  // namespace railgauge::softroce::cm
