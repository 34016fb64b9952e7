#pragma once

#include <functional>
#include <map>
#include <random>

#include "softroce/cm/identifier.hpp"

namespace railgauge::softroce::cm {

/// All identifiers of a process: a state machine that is told of the program's commands, of
/// messages and of the time. Methods for commands return errno, as the kernel's would. Not
/// thread-safe.
class Manager {
 public:
  /// Both outlive it.
  Manager(Network& network, Devices& devices);

  /// The present, for deadlines; set before every call.
  Time now{};

  // ---- Commands. `channel` is where the command came from: another channel's identifier is
  // ENOENT or EINVAL. ----

  Id create(Channel& channel, std::uint64_t uid, std::uint16_t port_space);
  int destroy(Channel& channel, Id id, std::uint32_t& events_told);
  /// The channel is closed: all its identifiers end.
  void close(Channel& channel);
  int bind(Channel& channel, Id id, const Endpoint& to);
  /// A `source` of family 0: the one of the route.
  int resolve_address(Channel& channel, Id id, const Endpoint& source, const Endpoint& to);
  int resolve_route(Channel& channel, Id id);
  int listen(Channel& channel, Id id, int backlog);
  int connect(Channel& channel, Id id, const rdma_ucm_conn_param& offer, const rdma_ucm_ece& ece);
  /// Without `offer`: what a client answers a reply with.
  int accept(Channel& channel, Id id, std::uint64_t uid, const rdma_ucm_conn_param* offer,
             const rdma_ucm_ece& ece);
  int reject(Channel& channel, Id id, std::span<const std::uint8_t> private_data, Reason reason);
  int disconnect(Channel& channel, Id id);
  int notify(Channel& channel, Id id, ibv_event_type event);
  int set_option(Channel& channel, Id id, std::uint32_t level, std::uint32_t name,
                 std::span<const std::byte> value);
  /// From the channel that has it, `from`, to `to`.
  int migrate(Channel& from, Channel& to, Id id, std::uint32_t& events_told);
  /// The next event; false if there is none.
  bool next_event(Channel& channel, rdma_ucm_event_resp& out);
  /// EINVAL for another channel's, ENOENT for none's.
  int find(Channel& channel, Id id, Identifier*& out);

  // ---- What comes from the network. ----

  /// A request to a listener. False if it has no room now: Network::resume() tells when.
  /// The link is taken only if it returns true.
  bool request(Id listener, std::unique_ptr<Link>& link, const Message& message);
  void received(Id id, const Message& message);
  /// The link has ended. ECONNREFUSED: nobody listened.
  void lost(Id id, int error);

  /// Ends what has waited too long.
  void on_time();
  /// When to call on_time() at the latest; it may turn out that there was nothing to do.
  Time next_deadline() const { return next_deadline_; }

 private:
  Identifier& add(Channel& channel, std::uint64_t uid, std::uint16_t port_space);
  Identifier* of(Id id);
  int find_bound(Channel& channel, Id id, Identifier*& out);
  int assign_device(Identifier& identifier, const Address& local);
  int take_port(Identifier& identifier);
  int choose_source(Identifier& identifier, const Endpoint& source, const Endpoint& to);
  void tell(Identifier& identifier, EventType type, int status = 0);
  void tell(Identifier& identifier, const rdma_ucm_event_resp& event);
  void tell_with(Identifier& identifier, EventType type, const Message& message);
  void farewell(Identifier& identifier);
  void end(Identifier& identifier);
  void fill(Identifier& identifier, const rdma_ucm_conn_param& offer, const rdma_ucm_ece& ece,
            Message& message);
  int accept_request(Identifier& identifier, const rdma_ucm_conn_param& offer,
                     const rdma_ucm_ece& ece);
  int accept_datagrams(Identifier& identifier, const rdma_ucm_conn_param& offer,
                       const rdma_ucm_ece& ece);
  void on_reply(Identifier& identifier, const Message& message);
  void on_datagram_reply(Identifier& identifier, const Message& message);
  void on_reject(Identifier& identifier, const Message& message);
  void on_disconnect(Identifier& identifier);
  void disconnected(Identifier& identifier, int status);
  void rest(Identifier& identifier);
  void expect(Identifier& identifier, Time by);
  void on_time(Identifier& identifier);
  std::uint32_t random_psn();

  Network& network_;
  Devices& devices_;
  Id next_ = 0;
  Time next_deadline_ = Time::max();
  std::map<Id, std::unique_ptr<Identifier>> identifiers_;
  std::minstd_rand random_;
};

}  // namespace railgauge::softroce::cm
