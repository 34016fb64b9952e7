#include "softroce/cm/manager.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace railgauge::softroce::cm {

Manager::Manager(Network& network, Devices& devices)
    : network_(network), devices_(devices), random_(std::random_device{}()) {}

std::uint32_t Manager::random_psn() {
  return static_cast<std::uint32_t>(random_()) & 0xffffffU;
}

Identifier& Manager::add(Channel& channel, std::uint64_t uid, std::uint16_t port_space) {
  while (identifiers_.contains(next_) || next_ == kNoId) ++next_;
  auto identifier = std::make_unique<Identifier>();
  identifier->id = next_++;
  identifier->uid = uid;
  identifier->port_space = port_space;
  identifier->channel = &channel;
  identifier->own.psn = random_psn();
  return *(identifiers_[identifier->id] = std::move(identifier));
}

Id Manager::create(Channel& channel, std::uint64_t uid, std::uint16_t port_space) {
  return add(channel, uid, port_space).id;
}

Identifier* Manager::of(Id id) {
  const auto found = identifiers_.find(id);
  return found == identifiers_.end() ? nullptr : found->second.get();
}

int Manager::find(Channel& channel, Id id, Identifier*& out) {
  out = of(id);
  if (out == nullptr) return ENOENT;
  return out->channel == &channel ? 0 : EINVAL;
}

int Manager::find_bound(Channel& channel, Id id, Identifier*& out) {
  if (const int error = find(channel, id, out)) return error;
  return out->device ? 0 : EINVAL;
}

void Manager::tell(Identifier& identifier, const rdma_ucm_event_resp& event) {
  // Before the program has accepted a request, it has no name for the identifier.
  if (identifier.uid == 0) return;
  Event queued{.told = event, .about = identifier.id};
  queued.told.uid = identifier.uid;
  queued.told.id = identifier.id;
  identifier.channel->push(queued);
}

void Manager::tell(Identifier& identifier, EventType type, int status) {
  rdma_ucm_event_resp event{};
  event.event = static_cast<std::uint32_t>(type);
  event.status = static_cast<std::uint32_t>(status);
  tell(identifier, event);
}

bool Manager::next_event(Channel& channel, rdma_ucm_event_resp& out) {
  Event event;
  if (!channel.pop(event)) return false;
  out = event.told;
  Identifier* const about = of(event.about);
  if (about == nullptr) return true;
  ++about->events_told;
  if (event.child == kNoId) return true;
  ++about->room;
  network_.resume(about->id);
  return true;
}

/// What cm.c sends for an identifier that is destroyed: cm_destroy_id().
void Manager::farewell(Identifier& identifier) {
  if (!identifier.link) return;
  Message message;
  switch (identifier.state) {
    case State::request_sent:
      if (identifier.datagrams()) return;
      message = {.kind = Kind::reject, .status = kTimeout};
      break;
    case State::request_received:
      message = identifier.datagrams()
                    ? Message{.kind = Kind::datagram_reply, .status = kDatagramRejected}
                    : Message{.kind = Kind::reject, .status = kConsumerDefined};
      break;
    case State::reply_received:
    case State::reply_sent: message = {.kind = Kind::reject, .status = kConsumerDefined}; break;
    case State::established: message = {.kind = Kind::disconnect}; break;
    case State::disconnect_received: message = {.kind = Kind::disconnected}; break;
    default: return;
  }
  identifier.link->send(message);
}

void Manager::end(Identifier& identifier) {
  farewell(identifier);
  const Id id = identifier.id;
  const std::deque<Event> dropped = identifier.channel->drop_events(id);
  identifiers_.erase(id);
  // Nobody will ever hear of these requests.
  for (const Event& event : dropped) {
    if (Identifier* const child = of(event.child)) end(*child);
  }
}

int Manager::destroy(Channel& channel, Id id, std::uint32_t& events_told) {
  Identifier* identifier = nullptr;
  if (const int error = find(channel, id, identifier)) return error;
  events_told = identifier->events_told;
  end(*identifier);
  return 0;
}

void Manager::close(Channel& channel) {
  for (;;) {
    const auto found = std::ranges::find_if(
        identifiers_, [&](const auto& entry) { return entry.second->channel == &channel; });
    if (found == identifiers_.end()) return;
    end(*found->second);
  }
}

int Manager::migrate(Channel& from, Channel& to, Id id, std::uint32_t& events_told) {
  Identifier* identifier = nullptr;
  if (const int error = find(from, id, identifier)) return error;
  events_told = identifier->events_told;
  identifier->channel = &to;
  for (const Event& event : from.drop_events(id)) {
    if (Identifier* const child = of(event.child)) child->channel = &to;
    to.push(event);
  }
  return 0;
}

namespace {

bool is(std::uint32_t value, int option) {
  return value == static_cast<std::uint32_t>(option);
}

int flag_in(std::span<const std::byte> value, bool& out) {
  int flag = 0;
  if (value.size() != sizeof flag) return EINVAL;
  std::memcpy(&flag, value.data(), sizeof flag);
  out = flag != 0;
  return 0;
}

int set_timeout(Identifier& identifier, std::span<const std::byte> value) {
  if (value.size() != 1 || identifier.datagrams()) return EINVAL;
  identifier.acknowledgement_timeout = std::to_integer<std::uint8_t>(value[0]) & 0x1fU;
  return 0;
}

int set_traffic_class(Identifier& identifier, std::span<const std::byte> value) {
  if (value.size() != 1) return EINVAL;
  identifier.traffic_class = std::to_integer<std::uint8_t>(value[0]);
  return 0;
}

/// ucma_set_option_id(), and when cma.c takes which.
int set_own_option(Identifier& identifier, std::uint32_t name, std::span<const std::byte> value) {
  if (is(name, RDMA_OPTION_ID_TOS)) return set_traffic_class(identifier, value);
  if (is(name, RDMA_OPTION_ID_ACK_TIMEOUT)) return set_timeout(identifier, value);
  if (is(name, RDMA_OPTION_ID_REUSEADDR)) {
    return identifier.state == State::listening ? EINVAL : flag_in(value, identifier.shared);
  }
  if (is(name, RDMA_OPTION_ID_AFONLY)) {
    return identifier.state > State::bound ? EINVAL : flag_in(value, identifier.only_ipv6);
  }
  return ENOSYS;
}

}  // namespace

int Manager::set_option(Channel& channel, Id id, std::uint32_t level, std::uint32_t name,
                        std::span<const std::byte> value) {
  Identifier* identifier = nullptr;
  if (const int error = find(channel, id, identifier)) return error;
  if (is(level, RDMA_OPTION_ID)) return set_own_option(*identifier, name, value);
  if (!is(level, RDMA_OPTION_IB) || !is(name, RDMA_OPTION_IB_PATH)) return ENOSYS;
  // The program brings a path, which is as good as the one that we know.
  if (value.size() < sizeof(ib_path_rec_data)) return EINVAL;
  return resolve_route(channel, id);
}

}  // namespace railgauge::softroce::cm
