#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <set>

#include "softroce/cm/manager.hpp"

namespace railgauge::softroce::cm {

/// Two connection managers, as of two processes of one host, and what is between them: messages
/// arrive when the test lets them.
class Wires {
 public:
  /// One end's view of it.
  class End final : public Network {
   public:
    explicit End(Wires& wires) : wires_(wires) {}
    std::unique_ptr<Port> take(const Wanted& wanted, int& error) override;
    int listen(Port& port, Id listener) override;
    void resume(Id listener) override;
    std::unique_ptr<Link> connect(Id id, Port& port, const Endpoint& to) override;
    Endpoint source_for(const Endpoint& to) override;
    Manager* manager = nullptr;
    bool has_route = true;

   private:
    Wires& wires_;
  };

  /// Delivers everything, and what that leads to. Returns the number of messages.
  int deliver();
  /// Cuts all links, as when a process is killed.
  void cut();

  struct Half;
  struct Heard {
    std::weak_ptr<Half> at;
    Message message{};
    bool end = false;  ///< the other end's link has died
  };
  struct Listener {
    End* end = nullptr;
    Id id = kNoId;
  };
  struct Kept {
    Listener listener;
    std::shared_ptr<Half> half;
    Message message{};
  };
  std::set<std::uint16_t> taken;
  std::map<std::uint16_t, Listener> listeners;
  std::deque<Heard> underway;
  std::deque<Kept> kept;
  std::vector<std::weak_ptr<Half>> halves;
  std::vector<Message> sent;  ///< all, in order

 private:
  void deliver(Half& half, const Message& message);
  void offer(const Listener& listener, const std::shared_ptr<Half>& half, const Message& message);
};

/// Every process has one device for each of two rails.
class TwoDevices final : public Devices {
 public:
  explicit TwoDevices(std::uint8_t host) : host_(host) {}
  std::optional<int> rail_at(const Address& local) override;
  bool only_this_host() override { return true; }
  std::optional<Device> open(int rail) override;

 private:
  std::uint8_t host_;
};

/// A program's side: its channel and what it was told.
struct Program {
  explicit Program(Wires& wires, std::uint8_t host) : network(wires), devices(host) {
    network.manager = &manager;
  }
  /// The next event; of type timewait_exit and id kNoId if there is none.
  rdma_ucm_event_resp next();
  /// The next event, which must be of this type.
  rdma_ucm_event_resp expect(EventType type);
  bool silent() {
    rdma_ucm_event_resp event{};
    return !manager.next_event(channel, event);
  }
  Id listen(std::uint16_t port, int backlog = 0, std::uint16_t space = RDMA_PS_TCP);
  /// An identifier up to the resolved route.
  Id resolve(std::uint16_t port, std::uint16_t space = RDMA_PS_TCP);

  Channel channel;
  Wires::End network;
  TwoDevices devices;
  Manager manager{network, devices};
};

inline Endpoint at(const char* text, std::uint16_t port) {
  return {.family = AF_INET, .address = *parse_address(text), .port = port};
}

/// What a program passes to rdma_connect() and rdma_accept().
rdma_ucm_conn_param offer(std::uint32_t queue_pair, std::size_t private_length = 0);

/// A client and a server, and helpers for the usual course of things.
class ConnectionPair : public ::testing::Test {
 protected:
  static constexpr std::uint16_t kPort = 7471;

  Id request(const rdma_ucm_conn_param& what);
  /// Up to both ends established: the client's and the server's identifiers.
  std::pair<Id, Id> establish();
  void pass(std::chrono::nanoseconds time);
  int accept(Program& program, Id id, std::uint32_t queue_pair);

  Wires wires;
  Program client{wires, 1};
  Program server{wires, 2};
};

}  // namespace railgauge::softroce::cm
