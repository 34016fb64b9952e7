#pragma once

#include <infiniband/verbs.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "late_shadow.hpp"
#include "softroce/device/context.hpp"
#include "softroce/device/queue_pair.hpp"

namespace railgauge::softroce {

/// Two devices in one process whose wire is the test's hands: what a device sends lies there until
/// the test hands it over, once, twice, changed or never; and time is what the test says.

struct Flying {
  Path path{};
  std::vector<std::byte> bytes;  ///< BTH ... padding
  Packet packet() const;         ///< its payload is a view into `bytes`
};
using Flight = std::vector<Flying>;

Flying flying(const Path& path, const Packet& headers, std::span<const std::byte> payload);

class HeldWire final : public Outbox {
 public:
  std::size_t send(const Path& path, const Packet& headers,
                   std::span<const iovec> payload) override;
  bool prepare(const Path&) override { return true; }
  void flush() override { at_flush(); }
  std::optional<Backlog> backlog(const Path&) override { return peer; }
  PortHolder holder(const Address&, std::uint16_t) override { return port_holder; }
  Flight held;
  std::function<void()> at_flush = [] {};
  PortHolder port_holder = PortHolder::unknown;  ///< what it says of ports of the other end
  std::optional<Backlog> peer{};                 ///< what it says of the other end's socket
};

/// One device, opened once, with one protection domain.
class Host {
 public:
  explicit Host(Address address);
  ~Host();
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  /// Lets it send all that it wants to, and takes it off the wire.
  Flight sends();
  void receives(const Flying& flying, const Address& source, std::uint8_t traffic_class = 0);
  std::vector<ibv_event_type> events();  ///< since the last call

  HeldWire wire;
  Port port;
  Context context;
  ibv_pd* domain;
};

struct Options {
  ibv_qp_type type = IBV_QPT_RC;
  ibv_mtu mtu = IBV_MTU_256;
  unsigned access = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;
  std::uint8_t timeout = 14;
  std::uint8_t retries = 7;
  std::uint8_t retries_when_not_ready = 7;
  std::uint8_t not_ready_timer = 12;
  std::uint8_t reads = 4;
  Psn first_psn = 100;  ///< of both
  bool shared_receives = false;
  std::size_t memory_bytes = 64 * 1024;
  unsigned requests = 64;
  unsigned completions = 256;
  bool ipv6 = false;
  bool any_order = false;
  bool gpu = false;  ///< the memory is a GPU's
};

/// A queue pair with queues and memory of its own.
class End {
 public:
  End(Host& on, const Options& options);
  ~End();
  End(const End&) = delete;
  End& operator=(const End&) = delete;

  void connect(const End& peer);  ///< to RTS
  void modify(ibv_qp_state to);
  QueuePair& pair() const { return queue_pair_of(qp); }

  /// Registers the memory, in the way that the options say.
  ibv_mr* add_memory();
  /// Posts one request about memory [offset, offset + length); returns the errno. `more` changes it
  /// before.
  int post(ibv_wr_opcode opcode, std::uint64_t id, std::size_t offset, std::uint32_t length,
           unsigned flags = IBV_SEND_SIGNALED);
  int post(ibv_send_wr& request);
  int post_receive(std::uint64_t id, std::size_t offset, std::uint32_t length);
  ibv_sge element(std::size_t offset, std::uint32_t length) const;

  std::vector<ibv_wc> sent() const { return completions(pair().send_completions()); }
  std::vector<ibv_wc> received() const { return completions(pair().receive_completions()); }
  static std::vector<ibv_wc> completions(CompletionQueue& queue);

  Host& host;
  Options options;
  std::vector<std::byte> memory;
  Gpu gpu{};
  ibv_mr* region = nullptr;
  ibv_cq* send_queue;
  ibv_cq* receive_queue;
  ibv_srq* shared = nullptr;
  ibv_qp* qp;
  /// What post() aims at: the same place in the peer's memory, unless it is told another one.
  std::uint64_t remote_address = 0;
  std::uint32_t remote_key = 0;
  std::uint32_t immediate = 0;
  std::uint64_t compare_or_add = 0, swap = 0;
  ibv_ah* handle = nullptr;
};

/// Takes the pages inside a program's memory away from it for a while, as munmap() does.
class TakenAway {
 public:
  explicit TakenAway(std::vector<std::byte>& memory);
  ~TakenAway();
  TakenAway(const TakenAway&) = delete;
  TakenAway& operator=(const TakenAway&) = delete;
  std::size_t offset() const { return offset_; }  ///< of the first byte that is not there

 private:
  std::byte* first_;
  std::size_t offset_;
  std::size_t bytes_;
};

/// A client and a server, connected.
class WirePair {
 public:
  explicit WirePair(const Options& options = {});
  WirePair(const Options& client_options, const Options& server_options);

  void set_time(Time time);
  /// Moves the clock and runs what is due.
  void pass(nanoseconds time);
  void to_server(const Flying& packet) { server_host.receives(packet, client_host.port.address); }
  void to_client(const Flying& packet) { client_host.receives(packet, server_host.port.address); }
  void to_server(const Flight& packets);
  void to_client(const Flight& packets);
  /// A packet that the test made, from one to the other's queue pair.
  void to_server(Packet packet, std::span<const std::byte> payload = {});
  void to_client(Packet packet, std::span<const std::byte> payload = {});
  /// Hands everything over, both ways, until nobody has anything to say.
  void settle();

  Time now;
  Host client_host, server_host;
  End client, server;
};

/// "SEND_ONLY 5, ACK 5": operations and PSNs, for comparison.
std::string summary(const Flight& flight);
std::string summary(const std::vector<ibv_wc>& completions);  ///< "7 ok, 8 WR_FLUSH_ERR"

}  // namespace railgauge::softroce
