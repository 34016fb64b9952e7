#pragma once

#include <vector>

#include "softroce/cm/question.hpp"
#include "softroce/cm/sockets.hpp"

namespace railgauge::softroce::cm {

/// One TCP connection and the messages on it. A client's begins without one, until it knows the
/// listener's TCP port.
class Sockets::Connection final : public Link, public Watched {
 public:
  /// A client's.
  Connection(Sockets& sockets, Id id, const Endpoint& to)
      : Watched(sockets, -1, 0), id_(id), to_(to) {}
  /// A stranger's.
  Connection(Sockets& sockets, int descriptor, Id listener);
  ~Connection() override;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void send(const Message& message) override;
  void belongs_to(Id id) override;
  void on_ready(unsigned events) override;
  void on_time() override;

  /// Asks the listener's UDP port where it is, and again if there is no answer.
  void ask_at(StreamPort& port);
  /// What came back. May destroy the object.
  void on_answer(const Answer& answer);
  /// Nobody listens there, or not yet, or no longer. May destroy the object.
  void on_refusal();
  /// The connection has ended. May destroy the object.
  void on_end(int error);
  /// Connects to this TCP port.
  void dial(std::uint16_t port);
  /// Tells the identifier, but not before the caller has returned.
  void fail_soon(int error);
  /// Tells the identifier that it is over; of a stranger, nobody. Destroys the object.
  void fail(int error);
  void forget_port() { asking_ = nullptr; }

  /// A stranger's request, while its listener has no room for it.
  void keep(const Message& message);
  std::optional<Message> kept_for(Id listener) const {
    return listener == listener_ ? kept_ : std::nullopt;
  }
  Id listener() const { return listener_; }

 private:
  bool stranger() const { return id_ == kNoId; }
  void ask();
  void connected();
  void push();
  void read();

  Id id_ = kNoId;
  Id listener_ = kNoId;
  Endpoint to_{};
  StreamPort* asking_ = nullptr;
  Question question_{};
  std::chrono::milliseconds repeat_{100};  // until the next question; doubles
  Time refused_for_good_{};
  MessageBytes request_{};  // what was sent first
  bool heard_ = false, refused_ = false;
  int failure_ = 0;
  bool open_ = false;
  MessageBytes arrived_{};
  std::size_t bytes_ = 0;
  std::vector<std::byte> unsent_;
  std::optional<Message> kept_;
};

}  // namespace railgauge::softroce::cm
