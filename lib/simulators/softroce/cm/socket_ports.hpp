#pragma once

#include "softroce/cm/socket_connection.hpp"

namespace railgauge::softroce::cm {

/// A TCP socket that listens.
class Sockets::Acceptor final : public Watched {
 public:
  Acceptor(Sockets& sockets, int descriptor);

  Id listener = kNoId;  ///< whose connections they are; nobody's are closed

  void on_ready(unsigned events) override;
  void on_time() override;
};

/// A port number that this process has.
class Sockets::Held : public Port {
 public:
  virtual int listen(Id listener) = 0;
  virtual std::unique_ptr<Connection> connect(Id id, const Endpoint& to) = 0;
};

/// Of RDMA_PS_TCP: a UDP socket.
class Sockets::StreamPort final : public Held, public Watched {
 public:
  StreamPort(Sockets& sockets, int descriptor, const Wanted& wanted);
  ~StreamPort() override;
  StreamPort(const StreamPort&) = delete;
  StreamPort& operator=(const StreamPort&) = delete;

  std::uint16_t number() const override { return number_; }
  int listen(Id listener) override;
  std::unique_ptr<Connection> connect(Id id, const Endpoint& to) override;
  void on_ready(unsigned) override { caller_ != nullptr ? hear() : answer(); }
  void forget_caller() { caller_ = nullptr; }

 private:
  void answer() const;
  void hear();

  Wanted wanted_;
  std::uint16_t number_ = 0;
  std::unique_ptr<Acceptor> acceptor_;
  Connection* caller_ = nullptr;
};

/// Of RDMA_PS_UDP: a TCP socket, which listens from the beginning, so that nobody else can have it.
class Sockets::DatagramPort final : public Held {
 public:
  DatagramPort(Sockets& sockets, int descriptor);

  std::uint16_t number() const override { return number_; }
  int listen(Id listener) override {
    acceptor_.listener = listener;
    return 0;
  }
  std::unique_ptr<Connection> connect(Id id, const Endpoint& to) override;

 private:
  Sockets& sockets_;
  Acceptor acceptor_;
  std::uint16_t number_;
};

}  // namespace railgauge::softroce::cm
