// Before there is a connection: addresses, ports, devices, listeners.

#include <sys/socket.h>

#include <cerrno>

#include "softroce/cm/manager.hpp"

namespace railgauge::softroce::cm {
namespace {

constexpr int kMostRequests = 1024;  // ucma.c: max_backlog

bool is_ip(const Endpoint& endpoint) {
  return endpoint.family == AF_INET || endpoint.family == AF_INET6;
}

/// Groups are joined on a device, and need no way to anywhere.
bool is_multicast(const Address& address) {
  return is_ipv4(address) ? (address.bytes[12] & 0xf0U) == 0xe0U : address.bytes[0] == 0xff;
}

}  // namespace

int Manager::assign_device(Identifier& identifier, const Address& local) {
  const auto rail = devices_.rail_at(local);
  if (!rail) return ENODEV;
  identifier.device = devices_.open(*rail);
  return identifier.device ? 0 : ENODEV;
}

int Manager::take_port(Identifier& identifier) {
  int error = 0;
  identifier.port = network_.take({.at = identifier.source,
                                   .datagrams = identifier.datagrams(),
                                   .shared = identifier.shared,
                                   .only_ipv6 = identifier.only_ipv6},
                                  error);
  if (!identifier.port) return error;
  identifier.source.port = identifier.port->number();
  identifier.state = State::bound;
  return 0;
}

int Manager::bind(Channel& channel, Id id, const Endpoint& to) {
  Identifier* identifier = nullptr;
  if (const int error = find(channel, id, identifier)) return error;
  if (identifier->state != State::idle) return EINVAL;
  if (to.family == AF_IB) {  // librdmacm tries whether the kernel knows this family
    identifier->source = to;
    identifier->state = State::bound;
    return 0;
  }
  if (!is_ip(to)) return EAFNOSUPPORT;
  identifier->source = to;
  if (const int error = take_port(*identifier)) return error;
  if (to.any()) return 0;
  const int error = assign_device(*identifier, to.address);
  if (error == 0) return 0;
  identifier->port.reset();
  identifier->state = State::idle;
  return error;
}

int Manager::listen(Channel& channel, Id id, int backlog) {
  Identifier* identifier = nullptr;
  if (const int error = find(channel, id, identifier)) return error;
  if (identifier->state == State::idle) {
    if (const int error = bind(channel, id, {.family = AF_INET, .address = ipv4(0)})) return error;
  }
  if (identifier->state != State::bound || !identifier->port) return EINVAL;
  if (const int error = network_.listen(*identifier->port, id)) return error;
  identifier->room = backlog <= 0 || backlog > kMostRequests ? kMostRequests : backlog;
  identifier->state = State::listening;
  return 0;
}

/// Sets the identifier's source address and its device.
int Manager::choose_source(Identifier& identifier, const Endpoint& source, const Endpoint& to) {
  const Endpoint route = network_.source_for(to);
  if (route.family == 0) return ENETUNREACH;
  const bool here = is_loopback(to.address) || route.address == to.address || to.any() ||
                    is_multicast(to.address);
  if (devices_.only_this_host() && !here) return ENODEV;
  const bool named = is_ip(identifier.source) && !identifier.source.any();
  if (!named) {
    identifier.source.family = to.family;
    identifier.source.address = is_ip(source) && !source.any() ? source.address : route.address;
  }
  if (identifier.device) return 0;
  const bool chosen = named || (is_ip(source) && !source.any());
  // The address of another process's device on the same rail says more than the route to it.
  const bool by_target = !chosen && here && !to.any() && devices_.rail_at(to.address);
  return assign_device(identifier, by_target ? to.address : identifier.source.address);
}

int Manager::resolve_address(Channel& channel, Id id, const Endpoint& source, const Endpoint& to) {
  Identifier* identifier = nullptr;
  if (const int error = find(channel, id, identifier)) return error;
  if (!is_ip(to)) return EAFNOSUPPORT;
  if (identifier->state == State::idle) {
    const Endpoint any{.family = to.family,
                       .address = to.family == AF_INET ? ipv4(0) : Address{},
                       .port = source.port};
    const Endpoint& from = is_ip(source) ? source : any;
    if (const int error = bind(channel, id, from)) return error;
  }
  if (identifier->state != State::bound || identifier->source.family != to.family) return EINVAL;
  const int error = choose_source(*identifier, source, to);
  if (error == 0) {
    identifier->destination = to;
    identifier->state = State::address_resolved;
  }
  tell(*identifier, error == 0 ? EventType::address_resolved : EventType::address_error, -error);
  return 0;
}

int Manager::resolve_route(Channel& channel, Id id) {
  Identifier* identifier = nullptr;
  if (const int error = find_bound(channel, id, identifier)) return error;
  if (identifier->state != State::address_resolved) return EINVAL;
  identifier->state = State::route_resolved;
  tell(*identifier, EventType::route_resolved);
  return 0;
}

}  // namespace railgauge::softroce::cm
