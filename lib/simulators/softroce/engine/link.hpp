#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "softroce/device/port.hpp"
#include "softroce/engine/addresses.hpp"
#include "softroce/engine/batches.hpp"
#include "softroce/engine/pause_listener.hpp"
#include "softroce/engine/peer_credits.hpp"
#include "softroce/engine/peer_sockets.hpp"
#include "softroce/engine/udp_socket.hpp"
#include "softroce/faults/shaper.hpp"
#include "softroce/wire/pcap.hpp"

namespace railgauge::softroce {

/// A port's wire: its sockets, the faults in both directions, the capture. Called with the engine's
/// lock held.
class Link final : public Outbox {
 public:
  Link(const Address& address, UdpSocket socket, int device,
       std::unique_ptr<Neighbours> neighbours);

  std::size_t send(const Path& path, const Packet& headers,
                   std::span<const iovec> payload) override;
  bool prepare(const Path& path) override;
  void release(const Path& path) override;
  void flush() override;
  std::optional<Backlog> backlog(const Path& path) override;
  PortHolder holder(const Address& address, std::uint16_t source_port) override;
  bool take_room(const Path& path, std::size_t bytes, Time time) override;

  /// Receives and hands packets to the port. True if there were any.
  bool receive(Port& port);
  bool maybe_more() const { return arrivals_.maybe_more(); }
  /// Faults from now on; without any, packets bypass the shapers.
  void configure(const FaultPlan& plan, const std::string& device, Time now);
  /// Moves on the datagrams in the shapers that are due.
  void run_shapers(Port& port);
  std::optional<Time> due() const;
  bool link_up() const { return !transmit_ || transmit_->link_up(now); }

  void capture_to(const std::string& path) { capture_ = std::make_unique<Capture>(path); }
  int descriptor() const { return socket_.descriptor(); }
  /// Where neighbours forward packets to; null if there are none.
  const Neighbours* neighbours() const { return neighbours_.get(); }
  /// The pause frames of its interface are the port's from now on, if they can be heard.
  void listen_for_pauses(const Interface& interface, Port& port);
  /// Null if they cannot.
  const PauseListener* pauses() const { return pauses_.get(); }
  void abandon();
  Time now{};
  Counters* counters = nullptr;

 private:
  /// From another source port than RoCE's own.
  struct OtherSocket {
    UdpSocket socket;
    int users = 0;
  };

  int socket_from(std::uint16_t source_port) const;
  std::optional<Datagram> flatten(const Path& path, const Packet& headers,
                                  std::span<const iovec> payload) const;
  std::size_t send_flat(std::optional<Datagram> readable);
  void send_shaped(const Datagram& datagram);
  void arrive(Port& port, const Envelope& envelope, const Variant& variant,
              std::span<const std::byte> datagram);
  bool receive_forwarded(Port& port);
  void accept(Port& port, const Envelope& envelope, const Variant& variant,
              std::span<const std::byte> datagram);

  Address address_;
  UdpSocket socket_;
  int device_;
  std::map<std::uint16_t, OtherSocket> others_;  // by source port
  std::unique_ptr<Neighbours> neighbours_;
  PeerSockets peers_;
  PeerCredits room_{peers_};
  SendBatch batch_;
  ReceiveBatch arrivals_;
  std::unique_ptr<Shaper> transmit_, receive_;
  std::unique_ptr<Capture> capture_;
  std::unique_ptr<PauseListener> pauses_;
};

}  // namespace railgauge::softroce
